// A launcher may be used by any thread, one at a time; launchers of one graph by several at once.
#include <thread>

#include "Graphs.h"

using namespace eagle::conformance;

EAGLE_ROW("launcher-launched-by-another-thread", .covers = {Symbol::launcher_launch, Symbol::launcher_synchronize},
          .needs = {Symbol::graph_from_captured}, .memory = true, .kernels = true) {
    StreamHandle stream(c);
    Plane y(c, Words{0});
    const Launcher launcher = launcher_of(c, as_it_is(c, capture_of(c, stream.raw(), y, {1})), stream.raw());
    eagle_backend_status launched = EAGLE_BACKEND_ERROR, waited = EAGLE_BACKEND_ERROR;
    std::thread([&] {
        launched = c.seam.launcher_launch(launcher.get());
        waited = c.seam.launcher_synchronize(launcher.get());
    }).join();
    ROW_EQ(c, launched, EAGLE_BACKEND_OK);
    ROW_EQ(c, waited, EAGLE_BACKEND_OK);
    ROW_EQ(c, y.at(0), 1);
}

EAGLE_ROW("launcher-many-threads-launch-at-once", .covers = {Symbol::launcher_launch},
          .needs = {Symbol::graph_from_captured}, .memory = true, .kernels = true) {
    constexpr std::size_t threads = 4;
    constexpr std::size_t rounds = 50;
    struct Lane {
        StreamHandle stream;
        Plane y;
        Launcher launcher;
        eagle_backend_status failed = EAGLE_BACKEND_OK;
        explicit Lane(Context& c) : stream(c), y(c, Words(100, 0)), launcher(c) {
            Recording recording(c, stream.raw());
            Launch(c, "conformance_add").with(std::int64_t{1}).with(y.pointer()).over(100).on(stream.raw()).run();
            launcher = launcher_of(c, as_it_is(c, recording.end()), stream.raw());
        }
    };
    std::vector<std::unique_ptr<Lane>> lanes;
    for (std::size_t t = 0; t < threads; ++t) lanes.push_back(std::make_unique<Lane>(c));
    std::vector<std::thread> running;
    running.reserve(threads);
    for (auto& lane : lanes) {
        running.emplace_back([&c, &lane] {
            for (std::size_t i = 0; i < rounds; ++i) {
                const eagle_backend_status status = i % 5 == 4 ? c.seam.launcher_synchronize(lane->launcher.get())
                                                               : c.seam.launcher_launch(lane->launcher.get());
                if (status != EAGLE_BACKEND_OK) lane->failed = status;
            }
        });
    }
    for (std::thread& thread : running) thread.join();
    for (auto& lane : lanes) {
        ROW_EQ(c, lane->failed, EAGLE_BACKEND_OK);
        ROW_OK(c, c.seam.launcher_synchronize(lane->launcher.get()));
        ROW_EQ(c, lane->y.download(), Words(100, rounds * 4 / 5));
    }
}
