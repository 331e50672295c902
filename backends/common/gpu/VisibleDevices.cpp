#include "VisibleDevices.h"

#include <algorithm>
#include <sstream>

namespace eagle::gpu {

std::optional<std::size_t> beginning_so(const std::string& text, const std::vector<std::string>& names) {
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (names[i].rfind(text, 0) != 0) continue;
        if (found) return {};
        found = i;
    }
    return found;
}

std::vector<std::size_t> devices_listed(const std::string& list, const std::vector<std::string>& names,
                                        EntryReader device_of, Repeated repeated) {
    std::vector<std::size_t> devices;
    std::istringstream entries(list);
    for (std::string entry; std::getline(entries, entry, ',');) {
        const auto device = device_of(entry, names);
        if (!device) break;
        if (std::find(devices.begin(), devices.end(), *device) == devices.end()) {
            devices.push_back(*device);
            continue;
        }
        if (repeated == Repeated::hides_every_device) return {};
        if (repeated == Repeated::ends_the_list) break;
    }
    return devices;
}

}  // namespace eagle::gpu
