// The device code of libeagle_cuda, compiled for this machine: what a module from its fat binary gives.
#include "fake_cuda/DeviceSource.h"
// After the words of the language are defined.
#include "State.h"
#include "eagle_kernels.cu"

#define EAGLE_KERNEL(name) FAKE_CUDA_KERNEL(name);
#define EAGLE_GUARD_KERNEL(name) FAKE_CUDA_KERNEL(name);
#include "eagle_kernels.def"

namespace fake_cuda {

const Kernel* find_built_in(const std::string& name) {
#define EAGLE_KERNEL(kernel_name) \
    if (name == #kernel_name) return &fake_cuda_kernel_##kernel_name;
#define EAGLE_GUARD_KERNEL EAGLE_KERNEL
#include "eagle_kernels.def"
    return nullptr;
}

}  // namespace fake_cuda
