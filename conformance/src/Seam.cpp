#include <dlfcn.h>
#include <eagle/conformance/Seam.h>

#include <cstring>
#include <stdexcept>

namespace eagle::conformance {
namespace {

template <class Function>
bool bind(void* library, const char* name, Function& slot) {
    void* address = dlsym(library, name);
    std::memcpy(&slot, &address, sizeof slot);
    return address != nullptr;
}

void bind_all(void* library, Seam& seam) {
    std::size_t i = 0;
    // clang-format off
#define EAGLE_SYMBOL(group, name, since, bound) \
    seam.present[i++] = bind(library, "eagle_backend_" #name, seam.name);
#include <eagle/seam/symbols.def>
    // clang-format on
}

void require_core(const std::string& path, const Seam& seam) {
    for (std::size_t i = 0; i < symbol_count; ++i) {
        const auto symbol = static_cast<Symbol>(i);
        if (group_of(symbol) != "core" || seam.has(symbol)) continue;
        throw std::runtime_error(path + " is no backend: it does not export eagle_backend_" +
                                 std::string(name_of(symbol)) + ", which every backend has (EBP-9)");
    }
}

}  // namespace

Seam open_seam(const std::string& path) {
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library) throw std::runtime_error(path + " does not load: " + dlerror());
    Seam seam;
    bind_all(library, seam);
    if (!seam.version) {
        throw std::runtime_error(path + " is no backend: it does not export eagle_backend_version (EBP-9)");
    }
    const std::uint32_t major = seam.version() >> 16;
    if (major != EAGLE_BACKEND_VERSION_MAJOR) {
        throw std::runtime_error(path + " has major " + std::to_string(major) + " of the seam; these rows need major " +
                                 std::to_string(EAGLE_BACKEND_VERSION_MAJOR));
    }
    require_core(path, seam);
    return seam;
}

}  // namespace eagle::conformance
