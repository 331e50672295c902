// The exported symbols of libeagle_cpu, as a client of the seam calls them: SEAM(run_device)(&desc, &launched).
#pragma once
#include <dlfcn.h>
#include <eagle/seam/eagle_backend.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace client {

inline void* address_of(const char* name) {
    static void* library = dlopen(EAGLE_CPU_BACKEND, RTLD_NOW | RTLD_LOCAL);
    void* address = library ? dlsym(library, name) : nullptr;
    if (!address) {
        std::fprintf(stderr, "%s: %s\n", name, dlerror());
        std::exit(1);
    }
    return address;
}
#define SEAM(name) reinterpret_cast<decltype(&eagle_backend_##name)>(::client::address_of("eagle_backend_" #name))

inline void require(eagle_backend_status status) {
    if (status == EAGLE_BACKEND_OK) return;
    std::fprintf(stderr, "%s\n", SEAM(last_error)());
    std::exit(1);
}

template <class T>
T make() {
    T desc{};
    desc.struct_size = sizeof desc;
    return desc;
}

inline std::uint64_t at(const void* p) { return reinterpret_cast<std::uint64_t>(p); }

using Entry = void(void* const*, std::int64_t, std::int64_t, std::int64_t);

}  // namespace client
