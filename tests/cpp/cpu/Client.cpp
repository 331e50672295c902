#include "Client.h"

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

namespace client {

void* address_of(const char* symbol) {
    static void* library = [] {
        // A build with a deliberate fault, which the test must see.
        const char* other = std::getenv("EAGLE_CPU_BACKEND_UNDER_TEST");
        void* opened = dlopen(other ? other : EAGLE_CPU_BACKEND, RTLD_NOW | RTLD_LOCAL);
        if (!opened) {
            std::fprintf(stderr, "%s\n", dlerror());
            std::abort();
        }
        return opened;
    }();
    return dlsym(library, symbol);
}

}  // namespace client
