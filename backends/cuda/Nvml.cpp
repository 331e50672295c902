#include "Nvml.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../common/gpu/DriverFile.h"

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
    // Null in an NVML that knows of no slices of devices.
    int (*most_slices)(Device, unsigned*) = nullptr;
    int (*slice)(Device, unsigned, Device*) = nullptr;
    std::string error;
};

template <class F>
void find_if_there(void* library, const char* name, F*& function) {
    function = reinterpret_cast<F*>(dlsym(library, name));
}

constexpr const char* variable = "EAGLE_CUDA_NVML";

// The first that is missing is told.
template <class F>
void find(const std::string& file, void* library, const char* name, F*& function, std::string& error) {
    find_if_there(library, name, function);
    if (function || !error.empty()) return;
    error = file + " has no " + name + ", so it is no NVML; install NVIDIA's driver, 580 or newer" +
            gpu::or_unset(variable);
}

const Nvml& nvml() {
    static const Nvml& opened = *[] {
        auto* n = new Nvml;
        const char* named = gpu::named_by(variable);
        const std::string file = named ? named : "libnvidia-ml.so.1";
        const gpu::DriverFile driver_file = gpu::open_driver_file(file);
        if (!driver_file.handle) {
            n->error = driver_file.error + "; NVIDIA's driver brings it, and tells by it which devices there are" +
                       gpu::or_unset(variable);
            return n;
        }
        void* const library = driver_file.handle;
        find(file, library, "nvmlInit_v2", n->init, n->error);
        find(file, library, "nvmlShutdown", n->shutdown, n->error);
        find(file, library, "nvmlDeviceGetCount_v2", n->count, n->error);
        find(file, library, "nvmlDeviceGetHandleByIndex_v2", n->device, n->error);
        find(file, library, "nvmlDeviceGetUUID", n->uuid, n->error);
        find_if_there(library, "nvmlDeviceGetMaxMigDeviceCount", n->most_slices);
        find_if_there(library, "nvmlDeviceGetMigDeviceHandleByIndex", n->slice);
        return n;
    }();
    return opened;
}

std::string uuid_of(const Nvml& n, Device device) {
    char text[uuid_bytes] = "";
    return n.uuid(device, text, sizeof text) == success ? text : "";
}

// Of the slices that a device is cut into (multi-instance GPUs).
std::vector<std::string> uuids_of_slices(const Nvml& n, Device device) {
    std::vector<std::string> uuids;
    unsigned most = 0;
    if (!n.most_slices || !n.slice || n.most_slices(device, &most) != success) return uuids;
    for (unsigned i = 0; i < most; ++i) {
        Device slice = nullptr;
        if (n.slice(device, i, &slice) == success) uuids.push_back(uuid_of(n, slice));
    }
    return uuids;
}

struct Found {
    std::vector<std::string> devices, slices;  // by their UUIDs
};

// CUDA Programming Guide, "CUDA Environment Variables": an index, or the beginning of one device's UUID. Of an index
// the driver reads the digits that an entry begins with, behind spaces: of "0 ,1" both.
std::optional<std::size_t> device_of(const std::string& entry, const std::vector<std::string>& uuids) {
    if (entry.rfind("GPU-", 0) == 0) return gpu::beginning_so(entry, uuids);
    char* end = nullptr;
    const long index = std::strtol(entry.c_str(), &end, 10);
    if (end == entry.c_str() || index < 0 || static_cast<std::size_t>(index) >= uuids.size()) return {};
    return static_cast<std::size_t>(index);
}

// Of a list that names a device twice the driver shows none.
int count_listed(const std::string& list, const Found& found) {
    // The same guide: of slices a process sees one, the first of the list.
    if (list.rfind("MIG-", 0) == 0) {
        const std::string first(list.begin(), std::find(list.begin(), list.end(), ','));
        return std::find(found.slices.begin(), found.slices.end(), first) == found.slices.end() ? 0 : 1;
    }
    return static_cast<int>(
        gpu::devices_listed(list, found.devices, &device_of, gpu::Repeated::hides_every_device).size());
}

Found found_by(const Nvml& n, unsigned count) {
    Found found;
    for (unsigned i = 0; i < count; ++i) {
        Device device = nullptr;
        const bool is_there = n.device(i, &device) == success;
        found.devices.push_back(is_there ? uuid_of(n, device) : "");
        if (!is_there) continue;
        for (std::string& slice : uuids_of_slices(n, device)) found.slices.push_back(std::move(slice));
    }
    return found;
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
    const Found there = found_by(n, is_counted ? all : 0);
    n.shutdown();
    const char* list = std::getenv("CUDA_VISIBLE_DEVICES");
    const std::size_t devices = there.devices.size();
    found.count = list ? count_listed(list, there) : static_cast<int>(devices);
    if (found.count > 0) return found;
    found.error = devices == 0 ? "NVIDIA's driver finds no device; nvidia-smi says more"
                               : "CUDA_VISIBLE_DEVICES is '" + std::string(list) + "', which leaves none of the " +
                                     std::to_string(devices) + " devices; name one of them, or unset it";
    return found;
}

}  // namespace eagle::cuda
