// A capture records and runs nothing; what it recorded is what the same calls do eagerly.
#include "Graphs.h"

using namespace eagle::conformance;

EAGLE_ROW("capturer-replay-equals-eager",
          .covers = {Symbol::capturer_create, Symbol::capturer_begin, Symbol::capturer_end, Symbol::capturer_release},
          .needs = {Symbol::graph_from_captured, Symbol::launcher_launch}, .memory = true, .kernels = true) {
    StreamHandle stream(c);
    const Words start{0, 1, -5, 1000};
    Plane eager(c, start), captured(c, start);
    for (std::int64_t add : {3, 0, -7}) twice_and(c, stream.raw(), add, eager);
    stream.synchronize();
    const Graph graph = as_it_is(c, capture_of(c, stream.raw(), captured, {3, 0, -7}));
    const Launcher launcher = launcher_of(c, graph, stream.raw());
    ROW_EQ(c, captured.download(), start);  // nothing ran while it was recorded or made ready
    replay(c, launcher);
    ROW_EQ(c, captured.download(), eager.download());
    Words wanted = start;
    for (int i = 0; i < 2; ++i) {
        for (std::int64_t& y : wanted) y = after(y, {3, 0, -7});
        if (i == 0) replay(c, launcher);
    }
    ROW_EQ(c, captured.download(), wanted);
}

EAGLE_ROW("capturer-begins-again", .covers = {Symbol::capturer_begin, Symbol::capturer_end},
          .needs = {Symbol::graph_from_captured, Symbol::launcher_launch}, .memory = true, .kernels = true) {
    StreamHandle stream(c);
    Plane y(c, Words{1});
    Recording recording(c, stream.raw());
    twice_and(c, stream.raw(), 5, y);
    Captured first = recording.end();
    ROW_OK(c, c.seam.capturer_begin(recording.handle()));
    twice_and(c, stream.raw(), 9, y);
    twice_and(c, stream.raw(), 1, y);
    Captured second = recording.end();
    const Launcher late = launcher_of(c, as_it_is(c, std::move(second)), stream.raw());
    const Launcher early = launcher_of(c, as_it_is(c, std::move(first)), stream.raw());
    replay(c, early);
    replay(c, late);
    ROW_EQ(c, y.at(0), after(1, {5, 9, 1}));
}

EAGLE_ROW("capturer-stream-runs-again-after-the-end", .covers = {Symbol::capturer_end}, .memory = true,
          .kernels = true) {
    StreamHandle stream(c);
    Plane y(c, Words{1});
    const Captured captured = capture_of(c, stream.raw(), y, {5});
    twice_and(c, stream.raw(), 1, y);
    stream.synchronize();
    ROW_EQ(c, y.at(0), 3);
}

EAGLE_ROW("capturer-other-streams-run-meanwhile", .covers = {Symbol::capturer_begin},
          .needs = {Symbol::graph_from_captured, Symbol::launcher_launch}, .memory = true, .kernels = true) {
    StreamHandle stream(c), other(c);
    Plane y(c, Words{1}), z(c, Words{1});
    Recording recording(c, stream.raw());
    twice_and(c, stream.raw(), 5, y);
    twice_and(c, other.raw(), 8, z);
    Captured captured = recording.end();
    other.synchronize();
    ROW_EQ(c, z.at(0), 10);
    ROW_EQ(c, y.at(0), 1);
    replay(c, launcher_of(c, as_it_is(c, std::move(captured)), stream.raw()));
    ROW_EQ(c, y.at(0), 7);
    ROW_EQ(c, z.at(0), 10);
}

EAGLE_ROW("capturer-nested-begin-is-refused", .covers = {Symbol::capturer_begin},
          .needs = {Symbol::graph_from_captured, Symbol::launcher_launch}, .memory = true, .kernels = true) {
    StreamHandle stream(c), other(c);
    Plane y(c, Words{1});
    auto desc = make<struct eagle_backend_capturer_desc>();
    desc.device = c.device;
    desc.stream = other.raw();
    Capturer second(c);
    ROW_OK(c, c.seam.capturer_create(&desc, second.out()));
    Recording first(c, stream.raw());
    twice_and(c, stream.raw(), 5, y);
    ROW_STATUS(c, c.seam.capturer_begin(second.get()), EAGLE_BACKEND_ERROR);
    twice_and(c, stream.raw(), 7, y);
    Captured captured = first.end();  // intact
    replay(c, launcher_of(c, as_it_is(c, std::move(captured)), stream.raw()));
    ROW_EQ(c, y.at(0), after(1, {5, 7}));
    ROW_OK(c, c.seam.capturer_begin(second.get()));
    Captured empty(c);
    ROW_OK(c, c.seam.capturer_end(second.get(), empty.out()));
}

EAGLE_ROW("capturer-begin-twice-is-refused", .covers = {Symbol::capturer_begin},
          .needs = {Symbol::graph_from_captured, Symbol::launcher_launch}, .memory = true, .kernels = true) {
    StreamHandle stream(c);
    Plane y(c, Words{1});
    Recording recording(c, stream.raw());
    twice_and(c, stream.raw(), 5, y);
    ROW_REFUSED(c, c.seam.capturer_begin(recording.handle()));
    Captured captured = recording.end();
    replay(c, launcher_of(c, as_it_is(c, std::move(captured)), stream.raw()));
    ROW_EQ(c, y.at(0), 7);
}

EAGLE_ROW("capturer-end-without-begin-is-refused", .covers = {Symbol::capturer_end}, .memory = true, .kernels = true) {
    StreamHandle stream(c);
    Plane y(c, Words{1});
    Recording recording(c, stream.raw());
    twice_and(c, stream.raw(), 5, y);
    const Captured captured = recording.end();
    Captured none(c);
    ROW_REFUSED(c, c.seam.capturer_end(recording.handle(), none.out()));
    ROW_EXPECT(c, none.get() == nullptr);
}

EAGLE_ROW("capturer-null-out-leaves-it-open", .covers = {Symbol::capturer_end},
          .needs = {Symbol::graph_from_captured, Symbol::launcher_launch}, .memory = true, .kernels = true) {
    StreamHandle stream(c);
    Plane y(c, Words{1});
    Recording recording(c, stream.raw());
    twice_and(c, stream.raw(), 5, y);
    ROW_STATUS(c, c.seam.capturer_end(recording.handle(), nullptr), EAGLE_BACKEND_INVALID_ARGUMENT);
    Captured captured = recording.end();
    replay(c, launcher_of(c, as_it_is(c, std::move(captured)), stream.raw()));
    ROW_EQ(c, y.at(0), 7);
}

EAGLE_ROW("capturer-released-while-open-frees-the-thread", .covers = {Symbol::capturer_release},
          .needs = {Symbol::graph_from_captured, Symbol::launcher_launch}, .memory = true, .kernels = true) {
    StreamHandle stream(c), other(c);
    Plane y(c, Words{1});
    {
        const Recording given_up(c, stream.raw());
        twice_and(c, stream.raw(), 5, y);
    }
    replay(c, launcher_of(c, as_it_is(c, capture_of(c, other.raw(), y, {8})), other.raw()));
    ROW_EQ(c, y.at(0), 10);
}

EAGLE_ROW("capturer-graph-while-it-is-open", .covers = {Symbol::capturer_graph}, .memory = true, .kernels = true) {
    StreamHandle stream(c);
    Plane y(c, Words{1});
    auto desc = make<struct eagle_backend_capturer_desc>();
    desc.device = c.device;
    desc.stream = stream.raw();
    Capturer capturer(c);
    ROW_OK(c, c.seam.capturer_create(&desc, capturer.out()));
    std::uint64_t graph = 77;
    ROW_OK(c, c.seam.capturer_graph(capturer.get(), &graph));
    ROW_EQ(c, graph, 0u);
    ROW_OK(c, c.seam.capturer_begin(capturer.get()));
    twice_and(c, stream.raw(), 5, y);
    ROW_OK(c, c.seam.capturer_graph(capturer.get(), &graph));
    ROW_EXPECT(c, graph != 0);
    ROW_STATUS(c, c.seam.capturer_graph(capturer.get(), nullptr), EAGLE_BACKEND_INVALID_ARGUMENT);
    Captured captured(c);
    ROW_OK(c, c.seam.capturer_end(capturer.get(), captured.out()));
    ROW_OK(c, c.seam.capturer_graph(capturer.get(), &graph));
    ROW_EQ(c, graph, 0u);
}
