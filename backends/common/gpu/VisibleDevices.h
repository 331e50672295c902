// Which devices there are, and which a variable such as CUDA_VISIBLE_DEVICES leaves, as the vendors' drivers read it.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace eagle::gpu {

// How many devices there are, as a kind finds out without its driver being started.
struct VisibleDevices {
    int count = 0;
    std::string error;  // why there are none, or why it cannot be told
};

// The place in `names` of the device that one entry of a list names; none where it names no device. Each variable's
// entries are read in a way of their own.
using EntryReader = std::optional<std::size_t> (*)(const std::string& entry, const std::vector<std::string>& names);
// What a device that is named again does.
enum class Repeated { is_skipped, ends_the_list, hides_every_device };

// Places in `names` of the entries of a list with commas between them: up to the first that names no device.
std::vector<std::size_t> devices_listed(const std::string& list, const std::vector<std::string>& names,
                                        EntryReader device_of, Repeated repeated);

// The one device whose name begins so; none where no name does, or several.
std::optional<std::size_t> beginning_so(const std::string& text, const std::vector<std::string>& names);

}  // namespace eagle::gpu
