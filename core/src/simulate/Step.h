// What kernels must be that are run in order as one step.
#pragma once
#include <eagle/Plan.h>
#include <eagle/marshal/Pack.h>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace eagle::sim {

// Index of the terminated plane, or -1.
int terminated_index(const Signature& signature);

// The kernel that counts the steps: the first that finishes. `who` asks, "simulate". Throws InvalidArgument where none
// finishes or that one has no plane __steps, where a kernel writes state and has no mask, and for two kinds.
std::size_t check_step(const std::vector<Kernel>& kernels, const std::string& who);

// Throws InvalidArgument where two kernels of the step call their masks differently.
void check_one_mask(const std::vector<Kernel>& kernels, const Kernel& counting);
// Throws ArgumentError for an argument that none of the kernels takes, or that is given twice; `keywords` as in
// SimulateOptions.
void check_names(const std::vector<Kernel>& kernels, const Arguments& arguments, std::span<const std::string> keywords);
// Those that the kernel takes, by its parameters; null where there is none.
std::vector<const marshal::Value*> matched(const Signature& signature, const Arguments& arguments);
// The batch as the planes other than the mask tell it: the shape of the mask, (N,), or () for one sample.
std::vector<std::int64_t> shape_of_mask(const Kernel& counting, const Arguments& arguments,
                                        const marshal::Options& options);

// What a kernel of the step is bound to.
struct Bound {
    const Signature* signature;
    const marshal::Packed* packed;
};
// The array bound to a plane of any of them. Throws ArgumentError naming the planes there are.
const ArrayView& plane_of(const std::vector<Bound>& step, const std::string& name);

}  // namespace eagle::sim
