// In the section where NVIDIA's tools look, so that `cuobjdump -lelf` lists what is here.
#include "DeviceCode.h"

__asm__(
    ".section .nv_fatbin,\"a\",@progbits\n"
    ".balign 64\n"
    ".hidden eagle_cuda_device_code\n"
    ".globl eagle_cuda_device_code\n"
    "eagle_cuda_device_code:\n"
    ".incbin \"" EAGLE_CUDA_FATBIN
    "\"\n"
    ".previous\n");
