// What kernels must be that are run in order as one step.
#pragma once
#include <eagle/Kernel.h>

#include <cstddef>
#include <string>
#include <vector>

namespace eagle::sim {

// Index of the terminated plane, or -1.
int terminated_index(const Signature& signature);

// The kernel that counts the steps: the first that finishes. `who` asks, "simulate". Throws InvalidArgument where none
// finishes or that one has no plane __steps, where a kernel writes state and has no mask, and for two kinds.
std::size_t check_step(const std::vector<Kernel>& kernels, const std::string& who);

}  // namespace eagle::sim
