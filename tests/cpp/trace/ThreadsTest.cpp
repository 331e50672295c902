// Several threads at once, and a recording that begins and ends beside them.
#include <atomic>
#include <thread>

#include "../artifact/Handmade.h"
#include "Lowered.h"
#include "Read.h"

using namespace graphexec_test;
using namespace trace_test;
using namespace eagle;

namespace {

// Each thread's plan on its own data, and its own graph.
struct Load {
    Reals x{1, 2, 3, 4}, out = Reals(4), y = Reals(4);
    BoundPlan bound;
    BuiltGraph graph;

    explicit Load(const Plan& plan)
        : bound(plan.bind({{"x", view(x)}, {"a", 2.0}, {"b", 1.0}, {"out", view(out)}})), graph(on_cpu(describe())) {}
    GraphDescription describe() {
        GraphDescription g;
        graphtest::add(g, plane(g, "y", y), 1.0, "add");
        return g;
    }
    void once() {
        bound.launch();
        graph.launch();
    }
};

template <class Work>
void on_threads(int count, const Work& work) {
    std::vector<std::thread> threads;
    for (int i = 0; i < count; ++i) threads.emplace_back([&work, i] { work(static_cast<std::size_t>(i)); });
    for (std::thread& thread : threads) thread.join();
}

std::vector<std::unique_ptr<Load>> loads(int count) {
    const Plan plan(Artifact::load(handmade::example()).kernel());
    std::vector<std::unique_ptr<Load>> out;
    for (int i = 0; i < count; ++i) out.push_back(std::make_unique<Load>(plan));
    return out;
}

TEST(ThreadsTrace, EightThreadsLaunchAtOnce) {
    constexpr int threads = 8, times = 50;
    const auto all = loads(threads);
    const Read read = traced([&] {
        on_threads(threads, [&](std::size_t i) {
            for (int k = 0; k < times; ++k) all[i]->once();
        });
    });
    expect_well_formed(read);
    EXPECT_EQ(read.meta()["dropped"], 0);
    EXPECT_EQ(read.named("launch", "launch scale").size(), std::size_t{threads * times});
    EXPECT_EQ(read.named("launch", "scale").size(), std::size_t{threads * times});
    EXPECT_EQ(read.runs(), (std::map<std::string, int>{{"add", threads * times}}));
    std::map<std::int64_t, int> by_thread;
    for (const Json& launch : read.named("launch", "launch scale")) ++by_thread[launch["tid"]];
    EXPECT_EQ(by_thread.size(), std::size_t{threads});
    for (const auto& [thread, count] : by_thread) EXPECT_EQ(count, times) << thread;
    for (const auto& load : all) EXPECT_EQ(load->y, Reals(4, times));
}

TEST(ThreadsTrace, BeginsAndEndsWhileOthersRun) {
    constexpr int threads = 4;
    const auto all = loads(threads);
    std::atomic<bool> stop{false};
    std::vector<int> done(threads, 0);
    std::thread recorder([&] {
        for (int i = 0; i < 8; ++i) {
            const Read read =
                traced([] { std::this_thread::sleep_for(std::chrono::milliseconds(3)); }, {.max_events = 2000});
            expect_well_formed(read);
        }
        stop = true;
    });
    on_threads(threads, [&](std::size_t i) {
        for (; !stop; ++done[i]) all[i]->once();
    });
    recorder.join();
    for (std::size_t i = 0; i < threads; ++i) EXPECT_EQ(all[i]->y, Reals(4, done[i]));
}

TEST(ThreadsTrace, SharesTheRoomOfASmallRecording) {
    const auto all = loads(4);
    const Read read = traced(
        [&] {
            on_threads(4, [&](std::size_t i) {
                for (int k = 0; k < 100; ++k) all[i]->once();
            });
        },
        {.max_events = 500});
    expect_well_formed(read);
    EXPECT_LE(read.meta()["events"], 500);
    EXPECT_GT(read.meta()["dropped"], 0);
    for (const auto& load : all) EXPECT_EQ(load->y, Reals(4, 100.0));
}

}  // namespace
