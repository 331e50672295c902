// How many devices there are, without the runtime being started: a child forked afterwards can still use them.
#pragma once
#include "../common/gpu/VisibleDevices.h"

namespace eagle::hip {

// The kernel's list of AMD's compute devices (/sys/class/kfd/kfd/topology, or the folder that $EAGLE_HIP_KFD names), of
// which ROCR_VISIBLE_DEVICES leaves some, and HIP_VISIBLE_DEVICES, or else CUDA_VISIBLE_DEVICES, some of those. Read
// anew each time.
gpu::VisibleDevices visible_devices();

}  // namespace eagle::hip
