#include "Kfd.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <vector>

namespace eagle::hip {
namespace {

namespace fs = std::filesystem;

const char* variable(const char* name) {
    const char* text = std::getenv(name);
    return text && *text ? text : nullptr;
}

std::string topology() {
    const char* named = variable("EAGLE_HIP_KFD");
    return named ? named : "/sys/class/kfd/kfd/topology";
}

// A node of the topology is a processor: of 0 SIMDs where it is a CPU. Its gpu_id cannot be read where a container
// keeps the device away.
struct Node {
    std::uint64_t simds = 0, unique_id = 0, gpu_id = 0;
};

Node read_node(const fs::path& folder) {
    Node node;
    std::ifstream properties(folder / "properties"), id(folder / "gpu_id");
    for (std::string key; properties >> key;) {
        std::uint64_t value = 0;
        if (!(properties >> value)) break;
        if (key == "simd_count") node.simds = value;
        if (key == "unique_id") node.unique_id = value;
    }
    id >> node.gpu_id;
    return node;
}

std::string name_of(const Node& node) {
    char text[24];
    std::snprintf(text, sizeof text, "GPU-%016llx", static_cast<unsigned long long>(node.unique_id));
    return node.unique_id ? text : "GPU-XX";
}

// Names of the devices, in the order of the nodes' numbers, which is the runtime's.
std::vector<std::string> devices_of(const std::string& root) {
    std::vector<std::pair<int, fs::path>> folders;
    std::error_code unreadable;
    for (fs::directory_iterator at(fs::path(root) / "nodes", unreadable), end; !unreadable && at != end;
         at.increment(unreadable)) {
        folders.emplace_back(std::atoi(at->path().filename().c_str()), at->path());
    }
    std::sort(folders.begin(), folders.end());
    std::vector<std::string> names;
    for (const auto& [number, folder] : folders) {
        const Node node = read_node(folder);
        if (node.simds > 0 && node.gpu_id > 0) names.push_back(name_of(node));
    }
    return names;
}

// A list that is set and empty is read as one that is not set, as the runtime does.
struct Filter {
    const char* name;
    const char* list;
};

std::vector<std::string> left_by(const Filter& filter, std::vector<std::string> names, std::string& error) {
    if (!filter.list || names.empty()) return names;
    std::vector<std::string> left;
    for (std::size_t device : gpu::devices_listed(filter.list, names).devices) left.push_back(names[device]);
    if (left.empty()) {
        error = std::string(filter.name) + " is '" + filter.list + "', which leaves none of the " +
                std::to_string(names.size()) + " devices; name one of them, or unset it";
    }
    return left;
}

}  // namespace

gpu::VisibleDevices visible_devices() {
    gpu::VisibleDevices found;
    const std::string root = topology();
    std::error_code unreadable;
    if (!fs::is_directory(fs::path(root) / "nodes", unreadable)) {
        found.error = "the kernel shows no AMD devices for computing (" + root +
                      " is not there); load its module amdgpu, and in a container pass /dev/kfd and /dev/dri";
        return found;
    }
    std::vector<std::string> names = devices_of(root);
    if (names.empty()) {
        found.error =
            "the kernel lists no AMD device that this process may use (" + root + "/nodes); rocminfo says more";
    }
    const char* of_hip = variable("HIP_VISIBLE_DEVICES");
    const Filter filters[] = {
        {"ROCR_VISIBLE_DEVICES", variable("ROCR_VISIBLE_DEVICES")},
        {of_hip ? "HIP_VISIBLE_DEVICES" : "CUDA_VISIBLE_DEVICES", of_hip ? of_hip : variable("CUDA_VISIBLE_DEVICES")}};
    for (const Filter& filter : filters) names = left_by(filter, std::move(names), found.error);
    found.count = static_cast<int>(names.size());
    return found;
}

}  // namespace eagle::hip
