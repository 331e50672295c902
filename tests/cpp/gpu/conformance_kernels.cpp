// The kit's test kernels as device code, compiled for the fake driver.
#include <fake_cuda/DeviceSource.h>
#include <stdint.h>
// As nvcc says it; the source asks which compiler reads it.
#define __CUDACC__ 1
#include "eagle_conformance_kernels.h"

FAKE_CUDA_KERNEL(conformance_axpy);
FAKE_CUDA_KERNEL(conformance_add);
FAKE_CUDA_KERNEL(conformance_twice_and);
FAKE_CUDA_KERNEL(conformance_fill);
FAKE_CUDA_KERNEL(conformance_copy);
FAKE_CUDA_KERNEL(conformance_gather);
FAKE_CUDA_KERNEL(conformance_index);
FAKE_CUDA_KERNEL(conformance_told);
FAKE_CUDA_KERNEL(conformance_count);
FAKE_CUDA_KERNEL(conformance_increment);
FAKE_CUDA_KERNEL(conformance_set);
FAKE_CUDA_KERNEL(conformance_reached);
FAKE_CUDA_KERNEL(conformance_note);
FAKE_CUDA_KERNEL(conformance_occupy);
FAKE_CUDA_KERNEL(conformance_fall);
FAKE_CUDA_KERNEL(conformance_decide);
FAKE_CUDA_KERNEL(conformance_mix);
FAKE_CUDA_KERNEL(conformance_mix_cell);
