// A capture belongs to the thread that opened it; other threads go on as if it were not there.
#include <barrier>
#include <thread>

#include "Graphs.h"

using namespace eagle::conformance;

EAGLE_ROW("capturer-another-thread-runs-eagerly-meanwhile", .covers = {Symbol::capturer_begin},
          .needs = {Symbol::graph_from_captured, Symbol::launcher_launch}, .memory = true, .kernels = true) {
    StreamHandle stream(c), other(c);
    Plane y(c, Words{1}), z(c, Words{1});
    Recording recording(c, stream.raw());
    twice_and(c, stream.raw(), 5, y);
    eagle_backend_status launched = EAGLE_BACKEND_ERROR, waited = EAGLE_BACKEND_ERROR;
    Launch launch(c, "conformance_twice_and");
    launch.with(std::int64_t{8}).with(z.pointer()).on(other.raw());
    const auto& desc = launch.desc();
    std::thread([&] {
        std::int32_t ran = 0;
        launched = c.seam.run_device(&desc, &ran);
        waited = c.seam.stream_synchronize(other.get());
    }).join();
    ROW_EQ(c, launched, EAGLE_BACKEND_OK);
    ROW_EQ(c, waited, EAGLE_BACKEND_OK);
    Captured captured = recording.end();
    ROW_EQ(c, z.at(0), 10);
    replay(c, launcher_of(c, as_it_is(c, std::move(captured)), stream.raw()));
    ROW_EQ(c, y.at(0), 7);
    ROW_EQ(c, z.at(0), 10);
}

EAGLE_ROW("capturer-many-threads-capture-at-once", .covers = {Symbol::capturer_begin, Symbol::capturer_end},
          .needs = {Symbol::graph_from_captured, Symbol::launcher_launch}, .memory = true, .kernels = true) {
    constexpr std::size_t threads = 4;
    constexpr int rounds = 10;
    struct Lane {
        StreamHandle stream;
        Plane y;
        Launch launch;
        eagle_backend_status failed = EAGLE_BACKEND_OK;
        explicit Lane(Context& c) : stream(c), y(c, Words{0}), launch(c, "conformance_twice_and") {}
    };
    std::vector<std::unique_ptr<Lane>> lanes;
    for (std::size_t t = 0; t < threads; ++t) {
        auto& lane = *lanes.emplace_back(std::make_unique<Lane>(c));
        lane.launch.with(std::int64_t(t) + 1).with(lane.y.pointer()).on(lane.stream.raw());
        lane.launch.desc();
    }
    std::barrier together(threads);
    // Every lane has its capture open before one closes it. No row macro here: they are the row's own thread's.
    auto work = [&](Lane& lane) {
        auto step = [&](eagle_backend_status status) {
            if (lane.failed == EAGLE_BACKEND_OK) lane.failed = status;
        };
        auto desc = make<struct eagle_backend_capturer_desc>();
        desc.device = c.device;
        desc.stream = lane.stream.raw();
        for (int round = 0; round < rounds; ++round) {
            Capturer capturer(c);
            Captured captured(c);
            Graph graph(c);
            Launcher launcher(c);
            std::int32_t ran = 0;
            step(c.seam.capturer_create(&desc, capturer.out()));
            step(c.seam.capturer_begin(capturer.get()));
            together.arrive_and_wait();
            for (int i = 0; i < 3; ++i) step(c.seam.run_device(&lane.launch.desc(), &ran));
            together.arrive_and_wait();
            step(c.seam.capturer_end(capturer.get(), captured.out()));
            step(c.seam.graph_from_captured(captured.get(), graph.out()));
            if (graph.get()) captured.drop();
            step(c.seam.graph_stream(graph.get(), lane.stream.raw()));
            step(c.seam.graph_launcher(graph.get(), launcher.out()));
            step(c.seam.launcher_launch(launcher.get()));
            step(c.seam.launcher_synchronize(launcher.get()));
        }
    };
    std::vector<std::thread> running;
    running.reserve(threads);
    for (auto& lane : lanes) running.emplace_back([&work, &lane] { work(*lane); });
    for (std::thread& thread : running) thread.join();
    for (std::size_t t = 0; t < threads; ++t) {
        ROW_EQ(c, lanes[t]->failed, EAGLE_BACKEND_OK);
        ROW_EQ(c, lanes[t]->y.at(0), after(0, Words(3 * rounds, std::int64_t(t) + 1)));
    }
}

EAGLE_ROW("capturer-ends-on-its-own-thread", .covers = {Symbol::capturer_end}, .memory = true, .kernels = true) {
    StreamHandle stream(c);
    Plane y(c, Words{1});
    Recording recording(c, stream.raw());
    twice_and(c, stream.raw(), 5, y);
    Captured none(c);
    eagle_backend_status found = EAGLE_BACKEND_OK;
    std::string words;
    std::thread([&] {
        found = c.seam.capturer_end(recording.handle(), none.out());
        words = c.seam.last_error();
    }).join();
    ROW_EXPECT(c, found != EAGLE_BACKEND_OK);
    ROW_EXPECT(c, none.get() == nullptr);
    ROW_EXPECT(c, !words.empty());
    const Captured captured = recording.end();
}

EAGLE_ROW("capturer-stream-of-another-capture-is-refused", .covers = {Symbol::capturer_begin},
          .needs = {Symbol::graph_from_captured, Symbol::launcher_launch}, .memory = true, .kernels = true) {
    StreamHandle stream(c);
    Plane y(c, Words{1});
    auto desc = make<struct eagle_backend_capturer_desc>();
    desc.device = c.device;
    desc.stream = stream.raw();
    Capturer second(c);
    ROW_OK(c, c.seam.capturer_create(&desc, second.out()));
    Recording first(c, stream.raw());
    twice_and(c, stream.raw(), 5, y);
    eagle_backend_status found = EAGLE_BACKEND_OK;
    std::thread([&] { found = c.seam.capturer_begin(second.get()); }).join();
    ROW_EXPECT(c, found != EAGLE_BACKEND_OK);
    twice_and(c, stream.raw(), 6, y);
    replay(c, launcher_of(c, as_it_is(c, first.end()), stream.raw()));
    ROW_EQ(c, y.at(0), after(1, {5, 6}));
}
