#include "Cards.h"

#include <dlfcn.h>

namespace hawk::native {
namespace {

template <class F>
F* find(void* library, const char* name) {
    return reinterpret_cast<F*>(dlsym(library, name));
}

}  // namespace

std::vector<int> cuda_cards(const std::string& file) {
    std::vector<int> out;
    void* const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return out;
    const auto init = find<int()>(library, "nvmlInit_v2"), shutdown = find<int()>(library, "nvmlShutdown");
    const auto count = find<int(unsigned*)>(library, "nvmlDeviceGetCount_v2");
    const auto device = find<int(unsigned, void**)>(library, "nvmlDeviceGetHandleByIndex_v2");
    const auto capability = find<int(void*, int*, int*)>(library, "nvmlDeviceGetCudaComputeCapability");
    if (init != nullptr && shutdown != nullptr && count != nullptr && device != nullptr && capability != nullptr &&
        init() == 0) {
        unsigned cards = 0;
        if (count(&cards) != 0) cards = 0;
        for (unsigned i = 0; i < cards; ++i) {
            void* card = nullptr;
            int major = 0, minor = 0;
            if (device(i, &card) == 0 && capability(card, &major, &minor) == 0) out.push_back(10 * major + minor);
        }
        shutdown();
    }
    dlclose(library);
    return out;
}

}  // namespace hawk::native
