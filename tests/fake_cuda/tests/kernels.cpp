#include <fake_cuda/DeviceSource.h>
// After the words of the language are defined.
#include "kernels.cu"

FAKE_CUDA_KERNEL(add_to);
FAKE_CUDA_KERNEL(add_vectors);
FAKE_CUDA_KERNEL(block_sums);
FAKE_CUDA_KERNEL(count_down);
FAKE_CUDA_KERNEL(decide);
