// A graph that is captured by hand at the seam, and replayed.
#pragma once
#include <benchmark/benchmark.h>

#include "Seam.h"

namespace client {

inline void empty(void* const*, std::int64_t, std::int64_t, std::int64_t) {}

// A launch of one sample with one argument.
inline void put(std::uint64_t stream, Entry* entry = &empty, std::uint64_t argument = 0) {
    auto desc = make<struct eagle_backend_launch_desc>();
    const std::uint64_t params[1] = {at(&argument)}, sizes[1] = {8};
    desc.block = 256;
    desc.function = reinterpret_cast<std::uint64_t>(entry);
    desc.params = params;
    desc.param_sizes = sizes;
    desc.nparams = 1;
    desc.count = desc.n_samples = 1;
    desc.stream = stream;
    std::int32_t launched = 0;
    require(SEAM(run_device)(&desc, &launched));
}

struct Captured {
    eagle_backend_stream stream = nullptr;
    eagle_backend_capturer capturer = nullptr;
    eagle_backend_graph graph = nullptr;
    eagle_backend_launcher launcher = nullptr;
    std::uint64_t raw = 0;

    Captured() {
        auto desc = make<struct eagle_backend_stream_desc>();
        require(SEAM(stream_create)(&desc, &stream));
        require(SEAM(stream_ptr)(stream, &raw));
        auto capturing = make<struct eagle_backend_capturer_desc>();
        capturing.stream = raw;
        require(SEAM(capturer_create)(&capturing, &capturer));
    }
    Captured(const Captured&) = delete;
    Captured& operator=(const Captured&) = delete;
    void begin() const { require(SEAM(capturer_begin)(capturer)); }
    void finish() {
        eagle_backend_captured captured = nullptr;
        require(SEAM(capturer_end)(capturer, &captured));
        require(SEAM(graph_from_captured)(captured, &graph));
        ready();
    }
    void ready() {
        require(SEAM(graph_stream)(graph, raw));
        require(SEAM(graph_launcher)(graph, &launcher));
    }
    ~Captured() {
        SEAM(launcher_release)(launcher);
        SEAM(graph_release)(graph);
        SEAM(capturer_release)(capturer);
        SEAM(stream_release)(stream);
    }
    void replays(benchmark::State& state, std::int64_t nodes) const {
        auto launch = SEAM(launcher_launch);
        auto synchronize = SEAM(launcher_synchronize);
        for (auto _ : state) {
            launch(launcher);
            synchronize(launcher);
        }
        state.SetItemsProcessed(state.iterations() * nodes);
    }
};

// Empty nodes, each behind the one before it; state.range(0) of them.
inline void chain(benchmark::State& state) {
    Captured graph;
    graph.begin();
    for (std::int64_t i = 0; i < state.range(0); ++i) put(graph.raw);
    graph.finish();
    graph.replays(state, state.range(0));
}

}  // namespace client
