// Captures, graphs and launchers that live as long as an object, for tests.
#pragma once
#include <utility>

#include "Client.h"

namespace client {

template <class Handle, void (*const& give_back)(Handle)>
class Owned {
  public:
    Owned() = default;
    explicit Owned(Handle handle) : handle_(handle) {}
    Owned(Owned&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
    Owned& operator=(Owned&& other) noexcept {
        std::swap(handle_, other.handle_);
        return *this;
    }
    ~Owned() { give_back(handle_); }
    Handle get() const { return handle_; }
    Handle* out() { return &handle_; }
    Handle drop() { return std::exchange(handle_, nullptr); }  // somebody else has it

  private:
    Handle handle_ = nullptr;
};

using Captured = Owned<eagle_backend_captured, captured_release>;
using Graph = Owned<eagle_backend_graph, graph_release>;
using Launcher = Owned<eagle_backend_launcher, launcher_release>;

// A capture of a stream from its making to end().
class Recording {
  public:
    explicit Recording(std::uint64_t stream) {
        auto desc = make<struct eagle_backend_capturer_desc>();
        desc.stream = stream;
        EXPECT_EQ(capturer_create(&desc, &handle_), EAGLE_BACKEND_OK) << last_error();
        EXPECT_EQ(capturer_begin(handle_), EAGLE_BACKEND_OK) << last_error();
    }
    ~Recording() { capturer_release(handle_); }
    Recording(const Recording&) = delete;
    Recording& operator=(const Recording&) = delete;
    eagle_backend_capturer handle() const { return handle_; }
    Captured end() {
        Captured captured;
        EXPECT_EQ(capturer_end(handle_, captured.out()), EAGLE_BACKEND_OK) << last_error();
        return captured;
    }

  private:
    eagle_backend_capturer handle_ = nullptr;
};

inline Graph as_it_is(Captured captured) {
    Graph graph;
    EXPECT_EQ(graph_from_captured(captured.get(), graph.out()), EAGLE_BACKEND_OK) << last_error();
    captured.drop();
    return graph;
}

inline Graph new_graph() {
    auto desc = make<struct eagle_backend_graph_desc>();
    Graph graph;
    EXPECT_EQ(graph_create(&desc, graph.out()), EAGLE_BACKEND_OK) << last_error();
    return graph;
}

inline void add(const Graph& graph, Captured captured) {
    EXPECT_EQ(graph_add_node(graph.get(), captured.get()), EAGLE_BACKEND_OK) << last_error();
    captured.drop();
}

inline Launcher launcher_of(const Graph& graph, std::uint64_t stream) {
    Launcher launcher;
    EXPECT_EQ(graph_stream(graph.get(), stream), EAGLE_BACKEND_OK) << last_error();
    EXPECT_EQ(graph_launcher(graph.get(), launcher.out()), EAGLE_BACKEND_OK) << last_error();
    return launcher;
}

inline void replay(const Launcher& launcher) {
    EXPECT_EQ(launcher_launch(launcher.get()), EAGLE_BACKEND_OK) << last_error();
    EXPECT_EQ(launcher_synchronize(launcher.get()), EAGLE_BACKEND_OK) << last_error();
}

// Of the graph that the stream's work goes to.
inline std::vector<std::uint64_t> nodes_so_far(std::uint64_t stream) {
    std::uint64_t* nodes = nullptr;
    std::int64_t count = -1;
    EXPECT_EQ(capture_snapshot_nodes(stream, &nodes, &count), EAGLE_BACKEND_OK) << last_error();
    std::vector<std::uint64_t> copy(nodes, nodes + count);
    client::free(nodes);
    return copy;
}

// y = 2 y + add over a plane of integers: the order of two such launches shows in the result.
inline void twice_and(void* const* params, std::int64_t base, std::int64_t count, std::int64_t) {
    std::int64_t add = *static_cast<const std::int64_t*>(params[0]);
    std::int64_t* y = *static_cast<std::int64_t* const*>(params[1]);
    for (std::int64_t i = base; i < base + count; ++i) y[i] = 2 * y[i] + add;
}

inline void launch_twice_and(std::uint64_t stream, std::int64_t add, std::vector<std::int64_t>& plane) {
    std::int64_t* y = plane.data();
    Launch(&twice_and, 0, std::int64_t(plane.size()), stream, add, y).run();
}

using Plane = std::vector<std::int64_t>;

}  // namespace client
