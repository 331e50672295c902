// The group stream.
#include "../Capture.h"
#include "../Streams.h"
#include "Entries.h"

using namespace eagle::gpu;

eagle_backend_status eagle_backend_stream_create(const struct eagle_backend_stream_desc* desc,
                                                 eagle_backend_stream* out) {
    return entry("eagle_backend_stream_create", [&] {
        auto d = read_desc(desc, "desc");
        require_flags(d.flags, EAGLE_BACKEND_STREAM_NON_BLOCKING, "desc");
        require_usable();
        const int device = device_of(d.device);
        require_output(out, "out");
        const bool is_blocking = (d.flags & EAGLE_BACKEND_STREAM_NON_BLOCKING) == 0;
        hand_out(std::make_unique<Stream>(device, is_blocking), out);
    });
}

eagle_backend_status eagle_backend_stream_ptr(eagle_backend_stream h, uint64_t* stream) {
    return entry("eagle_backend_stream_ptr", [&] {
        const Stream& of_handle = object_of<Stream>(h);
        require_output(stream, "stream");
        *stream = of_handle.raw();
    });
}

eagle_backend_status eagle_backend_stream_synchronize(eagle_backend_stream h) {
    return entry("eagle_backend_stream_synchronize", [&] {
        const Stream& stream = object_of<Stream>(h);
        const Current current(stream.device());
        require_no_capture(stream.raw(), "synchronize of");
        driver().synchronize(stream.raw());
    });
}

void eagle_backend_stream_release(eagle_backend_stream h) { release<Stream>("eagle_backend_stream_release", h); }
