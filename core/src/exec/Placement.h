// Where a kernel may run, by its access class.
#pragma once
#include <eagle/Exec.h>
#include <eagle/Kernel.h>
#include <eagle/Plan.h>
#include <eagle/Ranks.h>

#include <cstdint>

namespace eagle::exec {

// Kernels of this kind run on host memory.
bool serves_host(const Backend& backend);
// Throw InvalidArgument naming the rule that forbids it, or the number that is out of range.
void check_placement(const Kernel& kernel, HostTeam team, int npartitions);
void check_placement(const Kernel& kernel, const DeviceKernel& device, int npartitions);
// One of the arrays of a call, with its name; null where it has none. Throws BufferRefused naming the rule and one
// array of each side where they lie in two places.
struct Lies {
    const std::string* name = nullptr;
    const ArrayView* array = nullptr;
    bool on_host() const { return array == nullptr || array->device_type == 1; }
};
Lies one_place(const std::string& kernel, const Arguments& arguments);
// Throws BufferRefused naming the rule where it lies elsewhere than the structure: a team, or that device.
void check_lies_there(const std::string& kernel, const Lies& lies, const DeviceKernel* device);
void check_placement(const Kernel& kernel, const RankPartition& ranks);
// Workers that a launch may have: what the team says, or one where samples must be done in ascending order.
std::uint32_t parallel_of(const Kernel& kernel, HostTeam team);
// Calls of the whole range that a launch makes (Launcher::put): one for a v1 entry, which takes no part of it; 0 for
// the rest.
std::uint32_t grid_of(const Kernel& kernel);
// Threads that the team stands for: 0 is what this process may use.
int threads_of(HostTeam team);

}  // namespace eagle::exec
