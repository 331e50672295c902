// The group stream.
#include "../Capture.h"
#include "../Check.h"
#include "../Streams.h"

using namespace eagle::host;

namespace {

std::uint64_t number_of(eagle_backend_stream h) { return reinterpret_cast<std::uint64_t>(h); }

}  // namespace

eagle_backend_status eagle_backend_stream_create(const struct eagle_backend_stream_desc* desc,
                                                 eagle_backend_stream* out) {
    return entry("eagle_backend_stream_create", [&] {
        auto d = read_desc(desc, "desc");
        require_flags(d.flags, EAGLE_BACKEND_STREAM_NON_BLOCKING, "desc");
        require_usable();
        const std::int32_t device = require_device(d.device);
        require_output(out, "out");
        const bool blocking = (d.flags & EAGLE_BACKEND_STREAM_NON_BLOCKING) == 0;
        std::uint64_t handle = Streams::of_process().create(blocking, device);
        *out = reinterpret_cast<eagle_backend_stream>(handle);
    });
}

eagle_backend_status eagle_backend_stream_ptr(eagle_backend_stream h, uint64_t* stream) {
    return entry("eagle_backend_stream_ptr", [&] {
        Streams::of_process().of_handle(number_of(h));
        require_output(stream, "stream");
        *stream = number_of(h);
    });
}

eagle_backend_status eagle_backend_stream_synchronize(eagle_backend_stream h) {
    return entry("eagle_backend_stream_synchronize", [&] {
        Streams& streams = Streams::of_process();
        Stream& stream = streams.of_handle(number_of(h));
        require_no_capture(stream, "synchronize of");
        streams.synchronize(stream);
    });
}

void eagle_backend_stream_release(eagle_backend_stream h) {
    if (!h) {
        ok();
        return;
    }
    entry("eagle_backend_stream_release", [&] {
        Streams& streams = Streams::of_process();
        stream_goes(streams.of_handle(number_of(h)));
        streams.release(number_of(h));
    });
}
