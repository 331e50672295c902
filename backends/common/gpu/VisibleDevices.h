// Which devices there are, and which a variable such as CUDA_VISIBLE_DEVICES leaves, as the vendors' drivers read it.
#pragma once
#include <string>
#include <vector>

namespace eagle::gpu {

// How many devices there are, as a kind finds out without its driver being started.
struct VisibleDevices {
    int count = 0;
    std::string error;  // why there are none, or why it cannot be told
};

// Places in `names` of a list of numbers and of beginnings of names ("GPU-..."), with commas between them: up to the
// first entry that names no device, or several. `repeats`: a device was named again, which ends the list.
struct Listed {
    std::vector<std::size_t> devices;
    bool repeats = false;
};
Listed devices_listed(const std::string& list, const std::vector<std::string>& names);

}  // namespace eagle::gpu
