#include "simulate/Step.h"

#include <eagle/Error.h>

#include <algorithm>

namespace eagle::sim {
namespace {

bool writes_state(const Signature& signature) {
    return std::any_of(signature.parameters.begin(), signature.parameters.end(), [&](const Parameter& parameter) {
        return !parameter.supplied() && signature.writes(parameter);
    });
}

std::size_t first_that_finishes(const std::vector<Kernel>& kernels, const std::string& who) {
    const auto first =
        std::find_if(kernels.begin(), kernels.end(), [](const Kernel& kernel) { return kernel.finishes(); });
    if (first != kernels.end()) return static_cast<std::size_t>(first - kernels.begin());
    throw InvalidArgument(kernels.empty()
                              ? "the model has no kernel; " + who + " needs one that finishes its samples"
                              : "kernel '" + kernels.back().name() +
                                    "' does not finish its samples, and no other kernel of the model " + "does; " +
                                    who + " needs one that sets its Terminated, or use a plan and launch it");
}

}  // namespace

int terminated_index(const Signature& signature) {
    for (std::size_t i = 0; i < signature.parameters.size(); ++i)
        if (signature.parameters[i].role == Role::terminated) return static_cast<int>(i);
    return -1;
}

std::size_t check_step(const std::vector<Kernel>& kernels, const std::string& who) {
    const std::size_t counting = first_that_finishes(kernels, who);
    const Kernel& first = kernels[counting];
    if (first.signature().find("__steps") < 0)
        throw InvalidArgument("kernel '" + first.name() +
                              "' finishes its samples, but has no plane '__steps' to count "
                              "their steps; build it with one");
    for (const Kernel& kernel : kernels) {
        if (terminated_index(kernel.signature()) < 0 && writes_state(kernel.signature()))
            throw InvalidArgument("kernel '" + kernel.name() +
                                  "' writes state but declares no Terminated, so it would change "
                                  "samples that have finished; declare '" +
                                  first.signature().finish_mask + "' in it");
        if (kernel.backend().kind() != first.backend().kind())
            throw InvalidArgument("kernel '" + kernel.name() + "' is loaded for kind '" + kernel.backend().kind() +
                                  "', kernel '" + first.name() + "' for '" + first.backend().kind() +
                                  "'; the kernels of a step run on one kind");
    }
    return counting;
}

}  // namespace eagle::sim
