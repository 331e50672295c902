// Device code of the tests of graphs on the fake driver.
#include <fake_cuda/DeviceSource.h>

__device__ static long long sample(long long base) {
    return base + static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
}

extern "C" __global__ void add_cell(long long* x, const unsigned* cell, long long base, long long count, long long) {
    if (sample(base) < base + count) x[sample(base)] += *cell;
}

extern "C" __global__ void twice_and_one(long long* x, long long base, long long count, long long) {
    if (sample(base) < base + count) x[sample(base)] = 2 * x[sample(base)] + 1;
}

FAKE_CUDA_KERNEL(add_cell);
FAKE_CUDA_KERNEL(twice_and_one);
