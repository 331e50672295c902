// eagle's own kernels of lowered graphs, compiled for this machine: what a module from their fat binary gives.
#include "fake_cuda/DeviceSource.h"
// After the words of the language are defined.
#include "State.h"
#include "device.cu"

FAKE_CUDA_KERNEL(eagle_builtin_fill);
FAKE_CUDA_KERNEL(eagle_builtin_gather);
FAKE_CUDA_KERNEL(eagle_builtin_reduce);

namespace fake_cuda {

const Kernel* find_built_in_of_graphs(const std::string& name) {
    if (name == "eagle_builtin_fill") return &fake_cuda_kernel_eagle_builtin_fill;
    if (name == "eagle_builtin_gather") return &fake_cuda_kernel_eagle_builtin_gather;
    return name == "eagle_builtin_reduce" ? &fake_cuda_kernel_eagle_builtin_reduce : nullptr;
}

}  // namespace fake_cuda
