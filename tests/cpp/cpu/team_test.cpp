// The team itself: every part once, for any number of callers and threads.
#include "../../../backends/common/host/Team.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <atomic>
#include <chrono>
#include <future>
#include <thread>
#include <vector>

#include "../../../backends/common/host/Cost.h"
#include "../../../backends/common/host/CpuBudget.h"
#include "../../../backends/common/host/Handles.h"
#include "../../../backends/common/host/Lanes.h"
#include "../../../backends/common/host/MachineLoad.h"
#include "../../../backends/common/host/Threads.h"

using namespace eagle::host;

namespace {

TeamOptions threads(int n) {
    TeamOptions options;
    options.threads = n;
    return options;
}

// Eager: all work is worth sharing.
Team& eager(int n) {
    TeamOptions options = threads(n);
    options.worth_hot_ns = options.worth_parked_ns = 1;
    return *new Team(options);
}

struct Touched {
    explicit Touched(std::int64_t n) : times(std::size_t(n)) {}
    std::vector<std::atomic<int>> times;
    static void part(void* raw, std::int64_t base, std::int64_t count) {
        auto& touched = *static_cast<Touched*>(raw);
        for (std::int64_t i = base; i < base + count; ++i) ++touched.times[std::size_t(i)];
    }
    void expect_each(int wanted) const {
        for (std::size_t i = 0; i < times.size(); ++i) ASSERT_EQ(times[i].load(), wanted) << i;
    }
};

TEST(Team, splits_without_loss_for_any_width_and_size) {
    for (int width : {1, 2, 3, 8}) {
        Team& team = eager(width);
        EXPECT_EQ(team.width(), width);
        for (std::int64_t n : {1, 255, 256, 257, 10000, 100001}) {
            Touched touched(n);
            Cost cost;
            for (int round = 0; round < 5; ++round) team.split(&Touched::part, &touched, n, 0, cost);
            touched.expect_each(5);
        }
    }
}

TEST(Team, a_fault_reaches_its_handler_on_every_thread_and_other_signals_none) {
    std::promise<sigset_t> blocked;
    auto look = [](void* raw) {
        sigset_t mask;
        pthread_sigmask(SIG_BLOCK, nullptr, &mask);
        static_cast<std::promise<sigset_t>*>(raw)->set_value(mask);
    };
    ASSERT_TRUE(start_detached("looks", look, &blocked));
    const sigset_t mask = blocked.get_future().get();
    for (int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) EXPECT_EQ(sigismember(&mask, fault), 0) << fault;
    for (int other : {SIGINT, SIGTERM, SIGPROF, SIGCHLD}) EXPECT_EQ(sigismember(&mask, other), 1) << other;
}

TEST(Team, several_callers_share_it) {
    Team& team = eager(4);
    std::vector<std::thread> callers;
    for (int c = 0; c < 12; ++c) {
        callers.emplace_back([&team] {
            Touched touched(5000);
            Cost cost;
            for (int round = 0; round < 50; ++round) team.split(&Touched::part, &touched, 5000, 0, cost);
            touched.expect_each(50);
        });
    }
    for (auto& caller : callers) caller.join();
}

TEST(Team, repeats_every_call_once) {
    Team& team = eager(3);
    for (std::int64_t calls : {1, 2, 7, 100}) {
        Touched touched(calls);
        Cost cost;
        team.repeat(&Touched::part, &touched, calls, 1, 0, cost);
        touched.expect_each(1);
    }
}

TEST(Team, rounds_do_every_part_once) {
    for (int width : {1, 2, 3, 8, 20}) {
        Team& team = eager(width);
        for (std::int64_t blocks : {1, 2, 7, 64, 301}) {
            Touched touched(2 * blocks);
            Cost cost;
            for (int round = 0; round < 20; ++round) team.split_rounds(&Touched::part, &touched, blocks, cost);
            touched.expect_each(20);
        }
    }
}

// In the order that a thread gets where no other comes: its own lane, then the rest, a round after the other.
std::vector<std::int64_t> handed_out(std::int64_t from, std::int64_t blocks, std::int64_t lanes, int thread) {
    Lanes all;
    all.lay(from, blocks, lanes);
    std::vector<std::int64_t> parts;
    all.run(thread, [&](std::int64_t part) { parts.push_back(part); });
    return parts;
}

TEST(Lanes, a_thread_begins_with_its_own) {
    using Parts = std::vector<std::int64_t>;
    EXPECT_EQ(handed_out(0, 5, 2, 0), (Parts{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
    EXPECT_EQ(handed_out(0, 5, 2, 1), (Parts{2, 3, 4, 0, 1, 7, 8, 9, 5, 6}));
    EXPECT_EQ(handed_out(0, 6, 3, 4), (Parts{2, 3, 4, 5, 0, 1, 8, 9, 10, 11, 6, 7}));
    EXPECT_EQ(handed_out(0, 2, 8, 1), (Parts{1, 0, 3, 2}));
}

TEST(Lanes, parts_that_are_done_are_left_out) {
    using Parts = std::vector<std::int64_t>;
    EXPECT_EQ(handed_out(3, 5, 2, 1), (Parts{3, 4, 7, 8, 9, 5, 6}));
    EXPECT_EQ(handed_out(6, 5, 2, 1), (Parts{7, 8, 9, 6}));
    EXPECT_EQ(handed_out(9, 5, 2, 0), (Parts{9}));
}

// Two calls that wait for each other: only two threads at once get through.
TEST(Team, a_repeated_call_meets_the_others) {
    Team& team = eager(2);
    std::atomic<int> inside{0};
    auto meet = [](void* raw, std::int64_t, std::int64_t) {
        auto& count = *static_cast<std::atomic<int>*>(raw);
        ++count;
        while (count.load() < 2) std::this_thread::yield();
    };
    Cost cost;
    team.repeat(meet, &inside, 2, 1, 0, cost);
    EXPECT_EQ(inside.load(), 2);
}

TEST(Team, whoever_waits_can_help) {
    Team& team = *new Team(threads(2));
    EXPECT_FALSE(team.help());
    std::atomic<bool> done{false};
    Touched touched(20);
    std::thread owner([&] {
        Cost cost;
        auto slow = [](void* raw, std::int64_t base, std::int64_t count) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
            Touched::part(raw, base, count);
        };
        team.repeat(slow, &touched, 20, 20, 0, cost);
        done = true;
    });
    while (!done) team.help();
    owner.join();
    touched.expect_each(1);
}

TEST(Cost, falls_at_once_and_rises_slowly) {
    Cost cost;
    EXPECT_EQ(cost.a_sample(), 0);
    cost.note(100);
    EXPECT_EQ(cost.a_sample(), 100);
    cost.note(10);
    EXPECT_EQ(cost.a_sample(), 10);
    cost.note(1e6);  // one preemption: at most a tenth more
    EXPECT_FLOAT_EQ(float(cost.a_sample()), 11);
    cost.note(12);
    EXPECT_FLOAT_EQ(float(cost.a_sample()), 11.1f);
}

TEST(Cost, of_whole_calls_rises_at_once_and_falls_slowly) {
    Cost cost;
    cost.note_cautiously(10);
    cost.note_cautiously(1000);
    EXPECT_EQ(cost.a_sample(), 1000);
    cost.note_cautiously(0);
    EXPECT_FLOAT_EQ(float(cost.a_sample()), 900);
}

// A kernel that was cheap and is dear now: the launch that finds out shares what is left.
TEST(Team, a_wrong_belief_is_put_right_within_the_launch) {
    Team& team = eager(2);
    struct Seen {
        std::atomic<int> parts{0};
        std::atomic<std::int64_t> done{0};
    } seen;
    auto dear = [](void* raw, std::int64_t, std::int64_t count) {
        auto& s = *static_cast<Seen*>(raw);
        std::this_thread::sleep_for(std::chrono::microseconds(count / 4));
        ++s.parts;
        s.done += count;
    };
    Cost cost;
    cost.note(1e-6);
    team.split(dear, &seen, 40000, 0, cost);
    EXPECT_EQ(seen.done.load(), 40000);
    EXPECT_GT(seen.parts.load(), 2);
    EXPECT_GT(cost.a_sample(), 1);
}

TEST(Cost, is_kept_for_each_function) {
    Cost::of(0x1000).note(5);
    Cost::of(0x2000).note(7);
    EXPECT_EQ(Cost::of(0x1000).a_sample(), 5);
    EXPECT_EQ(Cost::of(0x2000).a_sample(), 7);
    for (std::uint64_t f = 1; f <= 20000; ++f) Cost::of(f * 16 + 0x100000).note(double(f));
    EXPECT_EQ(Cost::of(0x1000).a_sample(), 5);
}

TEST(CpuBudget, reads_quotas) {
    EXPECT_EQ(cpus_of_quota("max 100000"), 0);
    EXPECT_EQ(cpus_of_quota("200000 100000"), 2);
    EXPECT_EQ(cpus_of_quota("150000 100000"), 2);
    EXPECT_EQ(cpus_of_quota("10000 100000"), 1);
    EXPECT_EQ(cpus_of_quota("-1 100000"), 0);
    EXPECT_EQ(cpus_of_quota(""), 0);
    EXPECT_EQ(cpus_of_quota("nonsense"), 0);
    EXPECT_EQ(cpus_of_quota("100000 0"), 0);
}

TEST(CpuBudget, reads_the_variable) {
    std::string error;
    EXPECT_EQ(threads_wanted(nullptr, error), 0);
    EXPECT_EQ(threads_wanted("", error), 0);
    EXPECT_EQ(threads_wanted("3", error), 3);
    EXPECT_EQ(error, "");
    for (const char* bad : {"0", "-1", "three", "4 ", "4097", "1e3", "99999999999999999999"}) {
        error.clear();
        EXPECT_EQ(threads_wanted(bad, error), 0);
        EXPECT_EQ(error, std::string("$EAGLE_CPU_THREADS is '") + bad +
                             "'; it must be a whole number from 1 to 4096, or not set");
    }
}

TEST(MachineLoad, reads_the_number_of_runnable_threads) {
    EXPECT_EQ(runnable_in("0.20 0.18 0.12 3/345 4242\n"), 3);
    EXPECT_EQ(runnable_in("0.20 0.18 0.12 12/345 4242\n"), 12);
    EXPECT_EQ(runnable_in(""), 0);
    EXPECT_EQ(runnable_in("0.20 0.18"), 0);
}

TEST(Handles, of_the_dead_and_of_others_are_found_out) {
    Handles<int> ones(1), twos(2);
    std::uint64_t one = ones.add(), two = twos.add();
    ASSERT_NE(ones.find(one), nullptr);
    EXPECT_EQ(ones.find(two), nullptr);
    EXPECT_EQ(twos.find(one), nullptr);
    for (std::uint64_t made_up : {std::uint64_t(0), std::uint64_t(1), ~std::uint64_t(0), one + 1, one ^ (1u << 24)}) {
        EXPECT_EQ(ones.find(made_up), nullptr) << made_up;
    }
    ones.kill(one);
    EXPECT_EQ(ones.find(one), nullptr);
    ones.reuse(one);
    std::uint64_t next = ones.add();
    EXPECT_NE(next, one);
    EXPECT_NE(ones.find(next), nullptr);
    EXPECT_EQ(ones.find(one), nullptr);
}

}  // namespace
