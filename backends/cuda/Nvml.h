// How many devices there are, without the driver being started: a child forked afterwards can still use them.
#pragma once
#include <string>

namespace eagle::cuda {

struct VisibleDevices {
    int count = 0;
    std::string error;  // why there are none, or why it cannot be told
};

// NVML's devices (libnvidia-ml.so.1, or the file that $EAGLE_CUDA_NVML names), of which CUDA_VISIBLE_DEVICES, which
// NVML knows nothing of, leaves some. Asked anew each time.
VisibleDevices visible_devices();

}  // namespace eagle::cuda
