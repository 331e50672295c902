// The engine's driver over libamdhip64. HIP has no contexts that a caller sees: what is current on a thread is a
// device.
#pragma once
#include "../common/gpu/Driver.h"
#include "Library.h"

namespace eagle::hip {

class HipDriver final : public gpu::Driver {
  public:
    // Starts the runtime. Throws Failure (UNAVAILABLE).
    explicit HipDriver(const Library& library);

#include "../common/gpu/driver_functions.def"

  private:
    int attribute(abi::hipDeviceAttribute_t which, int device) const;

    const Functions& f_;
    int devices_ = 0;
};

// 0 is the default stream everywhere; that 1 names it too is not known to every HIP 6.
inline abi::hipStream_t stream_of(gpu::RawStream stream) {
    return stream == 1 ? nullptr : reinterpret_cast<abi::hipStream_t>(stream);
}

}  // namespace eagle::hip
