#include "VisibleDevices.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <sstream>

namespace eagle::gpu {
namespace {

std::optional<std::size_t> beginning_so(const std::string& text, const std::vector<std::string>& names) {
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (names[i].rfind(text, 0) != 0) continue;
        if (found) return {};
        found = i;
    }
    return found;
}

std::optional<std::size_t> device_of(const std::string& entry, const std::vector<std::string>& names) {
    if (entry.rfind("GPU-", 0) == 0) return beginning_so(entry, names);
    char* end = nullptr;
    const long index = std::strtol(entry.c_str(), &end, 10);
    const bool is_number = end != entry.c_str() && *end == '\0';
    if (!is_number || index < 0 || static_cast<std::size_t>(index) >= names.size()) return {};
    return static_cast<std::size_t>(index);
}

}  // namespace

Listed devices_listed(const std::string& list, const std::vector<std::string>& names) {
    Listed listed;
    std::istringstream entries(list);
    for (std::string entry; std::getline(entries, entry, ',');) {
        const auto device = device_of(entry, names);
        if (!device) break;
        listed.repeats = std::find(listed.devices.begin(), listed.devices.end(), *device) != listed.devices.end();
        if (listed.repeats) break;
        listed.devices.push_back(*device);
    }
    return listed;
}

}  // namespace eagle::gpu
