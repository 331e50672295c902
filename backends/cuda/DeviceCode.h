// The fat binary of eagle_kernels.cu in this file: SASS and PTX of the architectures in EAGLE_CUDA_ARCHS.
#pragma once

extern "C" {
extern const unsigned char eagle_cuda_device_code[] __attribute__((visibility("hidden")));
}
