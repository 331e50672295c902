// How many devices there are, without the driver being started: a child forked afterwards can still use them.
#pragma once
#include "../common/gpu/VisibleDevices.h"

namespace eagle::cuda {

// NVML's devices (libnvidia-ml.so.1, or the file that $EAGLE_CUDA_NVML names), of which CUDA_VISIBLE_DEVICES, which
// NVML knows nothing of, leaves some. Asked anew each time.
gpu::VisibleDevices visible_devices();

}  // namespace eagle::cuda
