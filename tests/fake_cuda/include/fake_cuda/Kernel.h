// What the fake driver and kernels compiled for it know of each other.
#pragma once
#include <cstddef>

namespace fake_cuda {

struct Launch {
    unsigned grid_x, grid_y, grid_z;
    unsigned block_x, block_y, block_z;
    void** arguments;
    unsigned seed;  // which of the orders that the device allows its threads run in
    void (*set_conditional)(unsigned long long handle, unsigned value);
};

struct Kernel {
    const char* name;
    void (*run)(const Launch& launch);  // returns when every thread has
    const std::size_t* sizes;           // of each parameter, in bytes
    std::size_t parameters;
};

}  // namespace fake_cuda

// A library of kernels exports `extern "C" const fake_cuda::Kernel fake_cuda_kernel_<name>` for each of them.
#define FAKE_CUDA_KERNEL_PREFIX "fake_cuda_kernel_"
