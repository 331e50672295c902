// The group attribution.
#include "../Capture.h"
#include "Entries.h"

using namespace eagle::gpu;

eagle_backend_status eagle_backend_capture_snapshot_nodes(uint64_t stream, uint64_t** nodes, int64_t* count) {
    return entry("eagle_backend_capture_snapshot_nodes", [&] {
        require_output(nodes, "nodes");
        require_output(count, "count");
        require_usable();
        const Current current(device_of(-1, stream));
        give(nodes_at(stream), nodes, count);
    });
}

eagle_backend_status eagle_backend_is_node_toggleable(uint64_t node, int32_t* toggleable) {
    return entry("eagle_backend_is_node_toggleable", [&] {
        const Node& known = Record::known(node);
        require_output(toggleable, "toggleable");
        *toggleable = is_toggleable(known) ? 1 : 0;
    });
}

eagle_backend_status eagle_backend_capture_add_child(uint64_t stream, uint64_t child_graph, int32_t conditional_body) {
    return entry("eagle_backend_capture_add_child", [&] {
        if (child_graph == 0) refuse("child_graph is 0; pass the handle of a graph");
        require_usable();
        const Current current(device_of(-1, stream));
        add_child(stream, child_graph, conditional_body != 0);
    });
}
