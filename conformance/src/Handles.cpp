#include <eagle/conformance/Handles.h>

namespace eagle::conformance {

StreamHandle::StreamHandle(Context& c, std::uint32_t flags) : c_(c), handle_(c.seam.stream_release) {
    auto desc = make<struct eagle_backend_stream_desc>();
    desc.flags = flags;
    desc.device = c.device;
    ROW_OK(c, c.seam.stream_create(&desc, handle_.out()));
    ROW_OK(c, c.seam.stream_ptr(handle_.get(), &raw_));
}

void StreamHandle::synchronize() const { ROW_OK(c_, c_.seam.stream_synchronize(handle_.get())); }

}  // namespace eagle::conformance
