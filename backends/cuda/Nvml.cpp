#include "Nvml.h"

#include <dlfcn.h>

#include <cstdlib>
#include <vector>

namespace eagle::cuda {
namespace {

// The part of NVML's interface that is used; its header does not come with every toolkit.
constexpr int success = 0;
constexpr unsigned uuid_bytes = 96;
using Device = void*;

struct Nvml {
    int (*init)() = nullptr;
    int (*shutdown)() = nullptr;
    int (*count)(unsigned*) = nullptr;
    int (*device)(unsigned, Device*) = nullptr;
    int (*uuid)(Device, char*, unsigned) = nullptr;
    std::string error;
};

template <class F>
void find(void* library, const char* name, F*& function, std::string& error) {
    function = reinterpret_cast<F*>(dlsym(library, name));
    if (!function) error = std::string("NVML has no ") + name + "; install NVIDIA's driver, 580 or newer";
}

const Nvml& nvml() {
    static const Nvml& opened = *[] {
        auto* n = new Nvml;
        const char* named = std::getenv("EAGLE_CUDA_NVML");
        const char* file = named && *named ? named : "libnvidia-ml.so.1";
        void* library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
        if (!library) {
            const char* text = dlerror();
            n->error = std::string(text ? text : "cannot open NVML") +
                       "; NVIDIA's driver brings it, and tells by it which devices there are";
            return n;
        }
        find(library, "nvmlInit_v2", n->init, n->error);
        find(library, "nvmlShutdown", n->shutdown, n->error);
        find(library, "nvmlDeviceGetCount_v2", n->count, n->error);
        find(library, "nvmlDeviceGetHandleByIndex_v2", n->device, n->error);
        find(library, "nvmlDeviceGetUUID", n->uuid, n->error);
        return n;
    }();
    return opened;
}

// Of a list that names a device twice the driver shows none.
int count_listed(const std::string& list, const std::vector<std::string>& uuids) {
    const gpu::Listed listed = gpu::devices_listed(list, uuids);
    return listed.repeats ? 0 : static_cast<int>(listed.devices.size());
}

std::vector<std::string> uuids_of(const Nvml& n, unsigned count) {
    std::vector<std::string> uuids(count);
    for (unsigned i = 0; i < count; ++i) {
        Device device = nullptr;
        char text[uuid_bytes] = "";
        if (n.device(i, &device) == success && n.uuid(device, text, sizeof text) == success) uuids[i] = text;
    }
    return uuids;
}

}  // namespace

gpu::VisibleDevices visible_devices() {
    gpu::VisibleDevices found;
    const Nvml& n = nvml();
    found.error = n.error;
    if (!found.error.empty()) return found;
    if (int code = n.init(); code != success) {
        found.error = "NVML does not start (code " + std::to_string(code) +
                      "); is the kernel's part of NVIDIA's driver loaded? nvidia-smi says more";
        return found;
    }
    unsigned all = 0;
    const bool is_counted = n.count(&all) == success;
    const std::vector<std::string> uuids = uuids_of(n, is_counted ? all : 0);
    n.shutdown();
    const char* list = std::getenv("CUDA_VISIBLE_DEVICES");
    found.count = list ? count_listed(list, uuids) : static_cast<int>(uuids.size());
    if (found.count > 0) return found;
    found.error = uuids.empty() ? "NVIDIA's driver finds no device; nvidia-smi says more"
                                : "CUDA_VISIBLE_DEVICES is '" + std::string(list) + "', which leaves none of the " +
                                      std::to_string(uuids.size()) + " devices; name one of them, or unset it";
    return found;
}

}  // namespace eagle::cuda
