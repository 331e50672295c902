#include "Graphs.h"

namespace eagle::conformance {

void says(Context& c, const char* file, int line, const char* call, eagle_backend_status found,
          eagle_backend_status wanted, const std::string& words) {
    const std::string text = c.seam.last_error();
    if (!c.status(file, line, call, found, wanted)) return;
    if (text.find(words) == std::string::npos) {
        c.fail(file, line, std::string(call) + ": last_error is '" + text + "', which does not name '" + words + "'");
    }
}

void refused(Context& c, const char* file, int line, const char* call, eagle_backend_status found) {
    if (found == EAGLE_BACKEND_OK) return c.fail(file, line, std::string(call) + ": found OK, needed a refusal");
    if (*c.seam.last_error() == 0) c.fail(file, line, std::string(call) + ": refused without words in last_error");
}

Recording::Recording(Context& c, std::uint64_t stream) : c_(c), capturer_(c) {
    auto desc = make<struct eagle_backend_capturer_desc>();
    desc.device = c.device;
    desc.stream = stream;
    ROW_OK(c, c.seam.capturer_create(&desc, capturer_.out()));
    ROW_OK(c, c.seam.capturer_begin(capturer_.get()));
}

Captured Recording::end() {
    Captured captured(c_);
    ROW_OK(c_, c_.seam.capturer_end(capturer_.get(), captured.out()));
    return captured;
}

Graph as_it_is(Context& c, Captured captured) {
    Graph graph(c);
    ROW_OK(c, c.seam.graph_from_captured(captured.get(), graph.out()));
    captured.drop();
    return graph;
}

Graph new_graph(Context& c) {
    auto desc = make<struct eagle_backend_graph_desc>();
    desc.device = c.device;
    Graph graph(c);
    ROW_OK(c, c.seam.graph_create(&desc, graph.out()));
    return graph;
}

void add(Context& c, const Graph& graph, Captured captured) {
    ROW_OK(c, c.seam.graph_add_node(graph.get(), captured.get()));
    captured.drop();
}

Launcher launcher_of(Context& c, const Graph& graph, std::uint64_t stream) {
    Launcher launcher(c);
    ROW_OK(c, c.seam.graph_stream(graph.get(), stream));
    ROW_OK(c, c.seam.graph_launcher(graph.get(), launcher.out()));
    return launcher;
}

void launch(Context& c, const Launcher& launcher) { ROW_OK(c, c.seam.launcher_launch(launcher.get())); }

void replay(Context& c, const Launcher& launcher) {
    launch(c, launcher);
    ROW_OK(c, c.seam.launcher_synchronize(launcher.get()));
}

Fork make_fork(Context& c, std::uint64_t origin, std::uint64_t branches, std::uint64_t waits) {
    auto desc = make<struct eagle_backend_fork_desc>();
    desc.device = c.device;
    desc.origin = origin;
    desc.branch_count = branches;
    desc.waits = waits;
    Fork made(c);
    ROW_OK(c, c.seam.fork_create(&desc, made.out()));
    return made;
}

std::uint64_t branch(Context& c, const Fork& fork, std::uint64_t i) {
    std::uint64_t stream = 0;
    ROW_OK(c, c.seam.fork_branch(fork.get(), i, &stream));
    return stream;
}

void fork(Context& c, const Fork& fork) { ROW_OK(c, c.seam.fork_fork(fork.get())); }
void join(Context& c, const Fork& fork) { ROW_OK(c, c.seam.fork_join(fork.get())); }

struct eagle_backend_conditional_desc desc_of(std::uint64_t origin, std::uint32_t kind, const Cells& cells,
                                              std::size_t count_at) {
    auto desc = make<struct eagle_backend_conditional_desc>();
    desc.device = -1;  // of the origin
    desc.origin = origin;
    desc.kind = kind;
    desc.count_ptr = cells.address_of(count_at);
    return desc;
}

Conditional make_conditional(Context& c, const struct eagle_backend_conditional_desc& desc) {
    Conditional made(c);
    ROW_OK(c, c.seam.conditional_create(&desc, made.out()));
    return made;
}

std::uint64_t begin(Context& c, const Conditional& conditional) {
    std::uint64_t stream = 0;
    ROW_OK(c, c.seam.conditional_begin(conditional.get(), &stream));
    return stream;
}

std::uint64_t arm(Context& c, const Conditional& conditional, std::uint64_t i) {
    std::uint64_t stream = 0;
    ROW_OK(c, c.seam.conditional_arm_stream(conditional.get(), i, &stream));
    return stream;
}

void end(Context& c, const Conditional& conditional) { ROW_OK(c, c.seam.conditional_end(conditional.get())); }

static Nodes taken_over(Context& c, std::uint64_t* nodes, std::int64_t count) {
    ROW_REQUIRE(c, count >= 0 && (count == 0 || nodes));
    Nodes copy(nodes, nodes + count);
    c.seam.free(nodes);
    return copy;
}

Nodes nodes_of(Context& c, const Conditional& conditional, std::int64_t arm) {
    std::uint64_t* nodes = nullptr;
    std::int64_t count = -1;
    ROW_OK(c, c.seam.conditional_nodes(conditional.get(), arm, &nodes, &count));
    return taken_over(c, nodes, count);
}

Nodes nodes_so_far(Context& c, std::uint64_t stream) {
    std::uint64_t* nodes = nullptr;
    std::int64_t count = -1;
    ROW_OK(c, c.seam.capture_snapshot_nodes(stream, &nodes, &count));
    return taken_over(c, nodes, count);
}

void twice_and(Context& c, std::uint64_t stream, std::int64_t add, const Plane& y) {
    Launch(c, "conformance_twice_and").with(add).with(y.pointer()).over(std::int64_t(y.size())).on(stream).run();
}

std::int64_t after(std::int64_t from, const std::vector<std::int64_t>& adds) {
    for (std::int64_t add : adds) from = 2 * from + add;
    return from;
}

Captured capture_of(Context& c, std::uint64_t stream, const Plane& y, const std::vector<std::int64_t>& adds) {
    Recording recording(c, stream);
    for (std::int64_t add : adds) twice_and(c, stream, add, y);
    return recording.end();
}

}  // namespace eagle::conformance
