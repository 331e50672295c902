#include "Kfd.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace eagle::hip {
namespace {

namespace fs = std::filesystem;

// One that is set and empty is read as one that is not set.
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

constexpr const char* nameless = "GPU-XX";

std::string name_of(const Node& node) {
    char text[24];
    std::snprintf(text, sizeof text, "GPU-%016llx", static_cast<unsigned long long>(node.unique_id));
    return node.unique_id ? text : nameless;
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

std::string trimmed(const std::string& text) {
    constexpr const char* spaces = " \t\n\v\f\r";
    const std::size_t first = text.find_first_not_of(spaces);
    return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(spaces) + 1 - first);
}

std::string in_capitals(std::string text) {
    for (char& c : text) c = 'a' <= c && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    return text;
}

std::optional<std::size_t> number_below(std::size_t end, const std::string& text, int base) {
    char* stop = nullptr;
    const long number = std::strtol(text.c_str(), &stop, base);
    if (stop == text.c_str() || *stop || number < 0 || static_cast<std::size_t>(number) >= end) return {};
    return static_cast<std::size_t>(number);
}

// ROCr's reading, of ROCR_VISIBLE_DEVICES: spaces around an entry and capitals say nothing, a number is written as in
// C, and a name is at least one digit long and begins one device's; a device without a name of its own has none here.
std::optional<std::size_t> device_of_rocr(const std::string& entry, const std::vector<std::string>& names) {
    const std::string text = in_capitals(trimmed(entry));
    if (text.rfind('G', 0) != 0) return number_below(names.size(), text, 0);
    if (text.size() <= std::string("GPU-").size()) return {};
    std::vector<std::string> known;
    for (const std::string& name : names) known.push_back(name == nameless ? "" : in_capitals(name));
    return gpu::beginning_so(text, known);
}

// HIP's reading, of its variable and CUDA's: a number is written as it is printed, and a name is the first one's that
// begins so.
std::optional<std::size_t> device_of_hip(const std::string& entry, const std::vector<std::string>& names) {
    if (entry.rfind("GPU-", 0) != 0) {
        const auto number = number_below(names.size(), entry, 10);
        return number && entry == std::to_string(*number) ? number : std::nullopt;
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (names[i].rfind(entry, 0) == 0) return i;
    }
    return {};
}

struct Filter {
    const char* name;
    const char* list;  // null: it is not set
    gpu::EntryReader device_of;
    gpu::Repeated repeated;
};

std::vector<std::string> left_by(const Filter& filter, std::vector<std::string> names, std::string& error) {
    if (!filter.list || names.empty()) return names;
    std::vector<std::string> left;
    for (std::size_t device : gpu::devices_listed(filter.list, names, filter.device_of, filter.repeated)) {
        left.push_back(names[device]);
    }
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
    // ROCr hides every device where its list is set and empty.
    const Filter of_rocr{"ROCR_VISIBLE_DEVICES", std::getenv("ROCR_VISIBLE_DEVICES"), &device_of_rocr,
                         gpu::Repeated::ends_the_list};
    const char* used = variable("HIP_VISIBLE_DEVICES") ? "HIP_VISIBLE_DEVICES" : "CUDA_VISIBLE_DEVICES";
    const Filter of_hip{used, variable(used), &device_of_hip, gpu::Repeated::is_skipped};
    for (const Filter& filter : {of_rocr, of_hip}) names = left_by(filter, std::move(names), found.error);
    found.count = static_cast<int>(names.size());
    return found;
}

}  // namespace eagle::hip
