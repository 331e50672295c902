#include "backend/SharedFile.h"

#include <dlfcn.h>
#include <link.h>

#include <string>

#include "backend/ElfFile.h"
#include "backend/Policy.h"
#include "backend/Refused.h"

namespace eagle::detail {
namespace {

std::string system_text() {
    const char* text = dlerror();
    return text == nullptr ? "" : text;
}

}  // namespace

SharedFile::SharedFile(const std::filesystem::path& file) : handle_(nullptr) {
    const std::string fault = fault_of_shared_library(file);
    if (!fault.empty()) throw Refused{fault};
    handle_ = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle_ == nullptr) {
        throw Refused{"the system cannot open it; needs a shared library of this machine whose own needs are met", 0,
                      system_text()};
    }
}

void* SharedFile::symbol(const char* name) const {
    void* const address = dlsym(handle_, name);
    if (address == nullptr) return nullptr;
    link_map* own = nullptr;
    void* holder = nullptr;
    Dl_info info{};
    const bool known = dlinfo(handle_, RTLD_DI_LINKMAP, static_cast<void*>(&own)) == 0 &&
                       dladdr1(address, &info, &holder, RTLD_DL_LINKMAP) != 0;
    if (known && holder == own) return address;
    const std::string where = known && info.dli_fname != nullptr ? info.dli_fname : "no file at all";
    throw Refused{
        std::string(name) + " lies in " + where + "; needs every symbol of a backend in the backend's own file",
        policy::own_symbols};
}

}  // namespace eagle::detail
