// The backend's own device code (device/eagle_kernels.cu), loaded for a device when it is first needed there.
#pragma once
#include "KernelTypes.h"
#include "Kind.h"

namespace eagle::gpu {

enum class KernelName {
#define EAGLE_KERNEL(name) name,
#define EAGLE_GUARD_KERNEL(name) name,
#include "eagle_kernels.def"
};

// With the device current; throws Failure (UNAVAILABLE) where the driver does not take the code.
void load_kernels(int device);
RawFunction kernel(int device, KernelName name);

// A launch of one of them; arguments are copied. A node where the stream is in a capture.
template <class... Arguments>
void launch_kernel(int device, KernelName name, unsigned grid, unsigned block, RawStream stream,
                   Arguments... arguments) {
    void* parameters[] = {const_cast<void*>(static_cast<const void*>(&arguments))...};
    Shape shape;
    shape.grid_x = grid;
    shape.block_x = block;
    driver().launch(kernel(device, name), shape, stream, parameters);
}

}  // namespace eagle::gpu
