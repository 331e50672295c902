// Memory that runs out on one rank, at each of its allocations in turn: the call ends on all ranks, in the same way,
// and so does the call behind it. Ranks are threads here.
#include <eagle/Error.h>
#include <eagle/Plan.h>
#include <eagle/RankCalls.h>
#include <eagle/Rebind.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "Handmade.h"
#include "Ranks.h"

namespace {

thread_local long before_failing = -1;  // allocations of this thread that still succeed; negative: all do
thread_local bool failed_once = false;

void* allocate(std::size_t size, std::size_t alignment) {
    if (before_failing >= 0 && before_failing-- == 0) {
        failed_once = true;
        throw std::bad_alloc();
    }
    const std::size_t room = (std::max<std::size_t>(size, 1) + alignment - 1) / alignment * alignment;
    void* const made = std::aligned_alloc(alignment, room);
    if (made == nullptr) throw std::bad_alloc();
    return made;
}

}  // namespace

// What the library and the tests allocate with.
void* operator new(std::size_t size) { return allocate(size, alignof(std::max_align_t)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
    return allocate(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

namespace {

using eagle::Plan;
using eagle::RankPartition;
using handmade::view;
using Texts = std::vector<std::string>;
using Call = std::function<void()>;
using Calls = std::function<Call(const RankPartition&)>;  // makes what is needed, and the call
constexpr int size = 3;

// As a binding makes a call: what keeps it from the others is told to them.
std::string told(const RankPartition& ranks, const Call& call, long succeeding = -1) {
    eagle::RankCall entry(ranks);
    try {
        before_failing = succeeding;
        call();
    } catch (const std::exception& error) {
        before_failing = -1;
        const std::string text = error.what();
        entry.failed(text);
        return text;
    }
    before_failing = -1;
    return {};
}

struct Ended {
    bool failed = false;
    Texts first = Texts(size), next = Texts(size);
};

Ended with_one_failure(int victim, long allocation, const Calls& calls, bool gather) {
    Ended ended;
    const Texts none = threaded::ranks(size,
                                       [&](const RankPartition& ranks) {
                                           const auto rank = static_cast<std::size_t>(ranks.rank());
                                           const bool is_victim = ranks.rank() == victim;
                                           const Call call = calls(ranks);
                                           failed_once = false;
                                           ended.first[rank] = told(ranks, call, is_victim ? allocation : -1);
                                           if (is_victim) ended.failed = failed_once;
                                           ended.next[rank] = told(ranks, call);
                                       },
                                       {.gather = gather});
    EXPECT_EQ(none, Texts(size));
    return ended;
}

bool says(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

void expect_even(const Ended& ended, int victim, long allocation) {
    const std::string whose = "rank " + std::to_string(victim) + " of 3";
    const auto v = static_cast<std::size_t>(victim);
    const std::size_t others[] = {(v + 1) % size, (v + 2) % size};
    for (const std::size_t k : others) {
        const std::string& other = ended.first[k];
        // What fails when a call is over on all ranks is that rank's own.
        EXPECT_TRUE(other.empty() || says(other, whose)) << allocation << ": " << other;
        EXPECT_TRUE(other.empty() || !ended.first[v].empty()) << allocation << ": " << other;
        EXPECT_EQ(ended.next[k].empty(), ended.next[v].empty()) << allocation << ": " << ended.next[k];
        EXPECT_TRUE(ended.next[k].empty() || says(ended.next[k], "make a new RankPartition on every rank"))
            << ended.next[k];
    }
    EXPECT_EQ(ended.first[others[0]].empty(), ended.first[others[1]].empty()) << allocation;
}

// Returns how many allocations a call has on that rank, of which each failed once, and how many of them the others were
// told of.
std::pair<long, long> fail_each(int victim, const Calls& call, bool gather = true) {
    long told_of = 0;
    for (long allocation = 0;; ++allocation) {
        const Ended ended = with_one_failure(victim, allocation, call, gather);
        expect_even(ended, victim, allocation);
        if (!ended.failed) {
            EXPECT_EQ(ended.first, Texts(size));
            EXPECT_EQ(ended.next, Texts(size));
            return {allocation, told_of};
        }
        told_of += !ended.first[static_cast<std::size_t>((victim + 1) % size)].empty();
        if (testing::Test::HasFailure()) return {allocation, told_of};
    }
}

class RankMemory : public testing::TestWithParam<int> {};

void expect_most_are_told(const std::pair<long, long>& found) {
    EXPECT_GT(found.first, 5);
    EXPECT_GT(found.second, found.first / 4) << found.first;
}

TEST_P(RankMemory, RunsOutInARun) {
    const eagle::Kernel kernel = eagle::Artifact::load(handmade::example()).kernel();
    expect_most_are_told(fail_each(GetParam(), [&](const RankPartition& ranks) {
        return [&kernel, ranks] {
            std::vector<double> x(11, 1.0), out(11);
            Plan(kernel, ranks, eagle::HostTeam{1}).run({{"x", view(x)}, {"a", 2.0}, {"b", 1.0}, {"out", view(out)}});
            EXPECT_EQ(out, std::vector<double>(11, 3.0));
        };
    }));
}

TEST_P(RankMemory, RunsOutInAFold) {
    const eagle::Kernel kernel = handmade::kernel(handmade::moments("sum"), "moments");
    for (const bool gather : {true, false})
        expect_most_are_told(fail_each(
            GetParam(),
            [&](const RankPartition& ranks) {
                return [plan = Plan(kernel, ranks, eagle::HostTeam{1})] {
                    std::vector<double> x(9000, 1.0);
                    std::vector<std::uint8_t> done(9000);
                    const auto result = plan.run({{"x", view(x)}, {"done", view(done)}});
                    EXPECT_EQ(result.outputs.at(0).second.as<std::int64_t>()[0], 9000);
                };
            },
            gather));
}

// One of several calls, as a binding makes it.
void step(const RankPartition& ranks, const Call& call) {
    eagle::RankCall entry(ranks);
    try {
        call();
    } catch (const std::exception& error) {
        entry.failed(error.what());
        throw;
    }
}

// What fails in one of three calls, on all ranks, ends the others.
TEST_P(RankMemory, RunsOutInABindARebindAndALaunch) {
    const eagle::Kernel kernel = eagle::Artifact::load(handmade::example()).kernel();
    expect_most_are_told(fail_each(GetParam(), [&](const RankPartition& ranks) {
        return [&kernel, ranks] {
            std::vector<double> x(11, 1.0), out(11);
            std::optional<eagle::BoundPlan> bound;
            step(ranks, [&] {
                bound = Plan(kernel, ranks, eagle::HostTeam{1})
                            .bind({{"x", view(x)}, {"a", 2.0}, {"b", 1.0}, {"out", view(out)}});
            });
            step(ranks, [&] { rebind(*bound, {{"b", 2.0}, {"x", view(x)}}); });
            step(ranks, [&] { bound->launch(); });
            EXPECT_EQ(out, std::vector<double>(11, 4.0));
        };
    }));
}

// Two numbers from sample to sample, of which one is somebody else's: over a copy.
TEST_P(RankMemory, RunsOutWhereAPlaneIsGathered) {
    expect_most_are_told(fail_each(GetParam(), [](const RankPartition& ranks) {
        return [ranks] {
            std::vector<double> pairs(22, static_cast<double>(ranks.rank()));
            eagle::ArrayView plane = view(pairs);
            plane.shape[0] = 11;
            plane.strides[0] = 16;
            ranks.allgather(plane);
            for (int i = 0; i < 11; ++i)
                EXPECT_EQ(pairs[static_cast<std::size_t>(2 * i)], i < 4 ? 0.0 : i < 8 ? 1.0 : 2.0) << i;
        };
    }));
}

// Numbers that differ are exchanged to be named.
TEST_P(RankMemory, RunsOutWhereNumbersDiffer) {
    const eagle::Kernel kernel = eagle::Artifact::load(handmade::example()).kernel();
    const Calls calls = [&](const RankPartition& ranks) {
        return [&kernel, ranks] {
            std::vector<double> x(8, 1.0), out(8);
            const double b = ranks.rank() == 2 ? 0.5 : 1.0;
            Plan(kernel, ranks).run({{"x", view(x)}, {"a", 2.0}, {"b", b}, {"out", view(out)}});
        };
    };
    long allocation = 0;
    for (bool failed = true; failed; ++allocation) {
        const Ended ended = with_one_failure(GetParam(), allocation, calls, true);
        failed = ended.failed;
        for (const std::string& text : ended.first) EXPECT_NE(text, "") << allocation;
        if (failed) continue;
        EXPECT_EQ(ended.first, Texts(size,
                                     "kernel 'scale': 'b' is 1 on rank 0, and 'b' is 0.5 on rank 2; every rank is "
                                     "given the same numbers"));
    }
    EXPECT_GT(allocation, 5);
}

INSTANTIATE_TEST_SUITE_P(OfRank, RankMemory, testing::Values(0, 1, 2));

}  // namespace
