// The groups capturer and captured.
#include "Entries.h"

using namespace eagle::engine;

eagle_backend_status eagle_backend_capturer_create(const struct eagle_backend_capturer_desc* desc,
                                                   eagle_backend_capturer* out) {
    return entry("eagle_backend_capturer_create", [&] {
        auto d = read_desc(desc, "desc");
        require_flags(d.flags, 0, "desc");
        require_usable();
        const int device = device_of(d.device, d.stream);
        require_output(out, "out");
        require_capturable(d.stream, d.device, "desc->stream");
        hand_out(make_capturer(d, device), out);
    });
}

eagle_backend_status eagle_backend_capturer_begin(eagle_backend_capturer h) {
    return entry("eagle_backend_capturer_begin", [&] {
        Capturer& capturer = object_of<Capturer>(h);
        const OnDeviceOf on(capturer);
        capturer.begin();
    });
}

eagle_backend_status eagle_backend_capturer_end(eagle_backend_capturer h, eagle_backend_captured* out) {
    return entry("eagle_backend_capturer_end", [&] {
        Capturer& capturer = object_of<Capturer>(h);
        require_output(out, "out");
        hand_out(std::make_unique<Captured>(Captured{capturer.end()}), out);
    });
}

void eagle_backend_capturer_release(eagle_backend_capturer h) {
    release<Capturer>("eagle_backend_capturer_release", h);
}

eagle_backend_status eagle_backend_capturer_graph(eagle_backend_capturer h, uint64_t* graph) {
    return entry("eagle_backend_capturer_graph", [&] {
        Capturer& capturer = object_of<Capturer>(h);
        require_output(graph, "graph");
        *graph = capturer.open_graph();
    });
}

eagle_backend_status eagle_backend_captured_is_valid(eagle_backend_captured h, int32_t* valid) {
    return entry("eagle_backend_captured_is_valid", [&] {
        object_of<Captured>(h);
        require_output(valid, "valid");
        *valid = 1;
    });
}

void eagle_backend_captured_release(eagle_backend_captured h) {
    release<Captured>("eagle_backend_captured_release", h);
}
