// The group graph.
#include "Entries.h"

using namespace eagle::engine;

eagle_backend_status eagle_backend_graph_create(const struct eagle_backend_graph_desc* desc, eagle_backend_graph* out) {
    return entry("eagle_backend_graph_create", [&] {
        auto d = read_desc(desc, "desc");
        require_flags(d.flags, 0, "desc");
        require_usable();
        const int device = device_of(d.device);
        require_output(out, "out");
        hand_out(std::make_unique<Graph>(device), out);
    });
}

eagle_backend_status eagle_backend_graph_from_captured(eagle_backend_captured captured, eagle_backend_graph* out) {
    return entry("eagle_backend_graph_from_captured", [&] {
        require_output(out, "out");
        auto graph = object_of<Captured>(captured).graph;
        if (graph->nodes().empty()) refuse("the capture is empty; put work on its stream between begin and end");
        hand_out(std::make_unique<Graph>(std::move(graph)), out);
        take<Captured>(captured);
    });
}

eagle_backend_status eagle_backend_graph_stream(eagle_backend_graph h, uint64_t stream) {
    return entry("eagle_backend_graph_stream", [&] { object_of<Graph>(h).set_stream(stream); });
}

eagle_backend_status eagle_backend_graph_add_node(eagle_backend_graph h, eagle_backend_captured captured) {
    return entry("eagle_backend_graph_add_node", [&] {
        Graph& into = object_of<Graph>(h);
        auto graph = object_of<Captured>(captured).graph;
        const OnDeviceOf on(into);
        into.add(std::move(graph));
        take<Captured>(captured);
    });
}

eagle_backend_status eagle_backend_graph_launcher(eagle_backend_graph h, eagle_backend_launcher* out) {
    return entry("eagle_backend_graph_launcher", [&] {
        require_output(out, "out");
        hand_out(object_of<Graph>(h).launcher(), out);
    });
}

eagle_backend_status eagle_backend_graph_last_node(eagle_backend_graph h, int64_t* index) {
    return entry("eagle_backend_graph_last_node", [&] {
        Graph& graph = object_of<Graph>(h);
        require_output(index, "index");
        *index = graph.last_node();
    });
}

void eagle_backend_graph_release(eagle_backend_graph h) { release<Graph>("eagle_backend_graph_release", h); }
