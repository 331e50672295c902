#include "backend/Self.h"

#include <dlfcn.h>
#include <eagle/Backend.h>
#include <eagle/config.h>

#include <system_error>

namespace eagle {
namespace {

// Of an address inside this very file: not of the program, of a binding or of the working directory.
std::filesystem::path find_own_file() {
    Dl_info info{};
    if (dladdr(reinterpret_cast<const void*>(&find_own_file), &info) == 0 || info.dli_fname == nullptr) return {};
    std::error_code failed;
    std::filesystem::path file = std::filesystem::canonical(info.dli_fname, failed);
    return failed ? std::filesystem::path(info.dli_fname) : file;
}

// The system may have been given a relative name, which means another file after a chdir: so it is resolved at load.
[[gnu::constructor]] void resolve_own_file() { (void)detail::own_file(); }

}  // namespace

namespace detail {

const std::filesystem::path& own_file() noexcept {
    static const auto* file = new std::filesystem::path(find_own_file());
    return *file;
}

}  // namespace detail

const std::filesystem::path& library_path() {
    static const auto* folder = new std::filesystem::path(detail::own_file().parent_path());
    return *folder;
}

std::string_view version() { return EAGLE_VERSION_STRING; }

}  // namespace eagle
