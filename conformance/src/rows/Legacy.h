// Waiting for the legacy default stream, which has no handle.
#pragma once
#include <eagle/conformance/Buffer.h>
#include <eagle/conformance/Launch.h>

namespace eagle::conformance {

// Needs Symbol::stream_create, memory and kernels. A blocking stream's work runs after what was on the legacy stream.
inline void wait_for_legacy(Context& c) {
    Buffer<std::uint32_t> cell(c, 1);
    const StreamHandle blocking(c, 0);
    Launch(c, "conformance_set").with(std::uint32_t{1}).with(cell.pointer()).on(blocking.raw()).run();
    blocking.synchronize();
}

}  // namespace eagle::conformance
