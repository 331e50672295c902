// How a call of several ranks ends where something is wrong on one of them: on all, in the same way.
#include <eagle/Error.h>
#include <eagle/Plan.h>
#include <eagle/Rebind.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "Handmade.h"
#include "Ranks.h"

namespace {

using eagle::Plan;
using eagle::RankPartition;
using handmade::view;
using Texts = std::vector<std::string>;

eagle::Kernel scale() { return eagle::Artifact::load(handmade::example()).kernel(); }

// Samples 20 and 70 divide by zero at their first step.
struct Counting {
    std::vector<std::int64_t> n = std::vector<std::int64_t>(100);
    std::vector<double> x = std::vector<double>(100), limit = std::vector<double>(100, 9.0),
                        fault_at = std::vector<double>(100, -1.0);
    std::vector<std::uint8_t> done = std::vector<std::uint8_t>(100);
    Counting() { fault_at[20] = fault_at[70] = 1.0; }
    eagle::Arguments arguments() {
        return {
            {"n", view(n)}, {"x", view(x)}, {"limit", view(limit)}, {"fault_at", view(fault_at)}, {"done", view(done)},
            {"a", 1.0},     {"b", 0.5}};
    }
    void expect_all_but_the_faulty() const {
        for (std::size_t i = 0; i < 100; ++i) {
            EXPECT_EQ(n[i], i == 20 || i == 70 ? 0 : 1) << i;
            EXPECT_EQ(x[i], i == 20 || i == 70 ? 0.0 : 0.5) << i;
        }
    }
};

TEST(RankEnds, AFaultIsThatOfTheLowestSampleAndPlanesAreAlike) {
    for (const bool messages : {true, false}) {
        const auto errors = threaded::ranks(
            2,
            [](const RankPartition& ranks) {
                Counting counting;
                try {
                    Plan(handmade::kernel(handmade::counter(), "counter"), ranks).run(counting.arguments());
                } catch (const eagle::DivisionFault&) {
                    counting.expect_all_but_the_faulty();
                    throw;
                }
            },
            {.messages = messages});
        EXPECT_NE(
            errors[0].find("kernel 'counter', sample 20 (the lowest, of rank 0 of 2); the other samples are done"),
            std::string::npos)
            << errors[0];
        EXPECT_EQ(errors[0], errors[1]);
    }
}

TEST(RankEnds, AFaultOfTheLastRankIsRaisedOnAll) {
    const auto errors = threaded::ranks(3, [](const RankPartition& ranks) {
        Counting counting;
        counting.fault_at[20] = -1.0;
        eagle::BoundPlan bound =
            Plan(handmade::kernel(handmade::counter(), "counter"), ranks).bind(counting.arguments());
        try {
            bound.launch();
        } catch (const eagle::DivisionFault&) {
            for (std::size_t i = 0; i < 100; ++i) EXPECT_EQ(counting.n[i], i == 70 ? 0 : 1) << i;
            throw;
        }
    });
    EXPECT_NE(errors[0].find("sample 70 (the lowest, of rank 2 of 3)"), std::string::npos) << errors[0];
    EXPECT_EQ(errors, Texts(3, errors[0]));
}

TEST(RankEnds, NumbersThatDifferAreRefusedByName) {
    for (const bool messages : {true, false}) {
        const auto errors = threaded::ranks(
            3,
            [](const RankPartition& ranks) {
                std::vector<double> x(8, 1.0), out(8, -1.0);
                const double b = ranks.rank() == 2 ? 0.25 : 1.0;
                try {
                    Plan(scale(), ranks).run({{"x", view(x)}, {"a", 2.0}, {"b", b}, {"out", view(out)}});
                } catch (const eagle::InvalidArgument&) {
                    EXPECT_EQ(out, std::vector<double>(8, -1.0));
                    throw;
                }
            },
            {.messages = messages});
        EXPECT_EQ(errors, Texts(3,
                                "kernel 'scale': 'b' is 1 on rank 0, and 'b' is 0.25 on rank 2; every rank is given "
                                "the same numbers"));
    }
}

TEST(RankEnds, RebindingIsTogether) {
    const auto errors = threaded::ranks(2, [](const RankPartition& ranks) {
        std::vector<double> x(8, 1.0), other(8, 2.0), out(8), few(4);
        const bool one = ranks.rank() == 1;
        eagle::BoundPlan bound =
            Plan(scale(), ranks).bind({{"x", view(x)}, {"a", 2.0}, {"b", 1.0}, {"out", view(out)}});
        const auto refused = [&](const eagle::Arguments& wanted) {
            std::string said;
            try {
                rebind(bound, wanted);
            } catch (const eagle::Error& error) {
                said = error.what();
            }
            bound.launch();
            EXPECT_EQ(out, std::vector<double>(8, 3.0));
            return said;
        };
        EXPECT_EQ(refused({{"x", view(other)}, {"a", one ? 5.0 : 4.0}}),
                  "kernel 'scale': 'a' is 4 on rank 0, and 'a' is 5 on rank 1; every rank is given the same numbers");
        const std::string shorter = refused({{"a", 4.0}, {"x", view(one ? few : other)}});
        EXPECT_NE(shorter.find(one ? "'x'" : "rank 1 of 2 failed, and with it this call on every rank: "),
                  std::string::npos)
            << shorter;
        EXPECT_NE(refused({{"a", 4.0}, {"q", 1.0}}).find("kernel 'scale' has no argument 'q' to rebind"),
                  std::string::npos);
        rebind(bound, {{"a", 4.0}, {"x", view(other)}}).launch();
        EXPECT_EQ(out, std::vector<double>(8, 9.0));
        bound.rebind("b", 2.0).launch();
        EXPECT_EQ(out, std::vector<double>(8, 10.0));
    });
    EXPECT_EQ(errors, Texts(2));
}

TEST(RankEnds, AnotherCallThanARebindIsRefusedByName) {
    const auto errors = threaded::ranks(2, [](const RankPartition& ranks) {
        std::vector<double> x(8, 1.0), out(8);
        eagle::BoundPlan bound =
            Plan(scale(), ranks).bind({{"x", view(x)}, {"a", 2.0}, {"b", 1.0}, {"out", view(out)}});
        ranks.rank() == 0 ? bound.rebind("a", 3.0) : bound.launch();
    });
    EXPECT_EQ(errors, Texts(2,
                            "rank 0 does: rebind, rank 1 does: launch; every rank makes the same calls in the same "
                            "order"));
}

// A function that the collective calls, on one rank, makes a call of its own.
Texts with_an_entry_of_its_own(const threaded::Options& options) {
    return threaded::ranks(
        2,
        [](const RankPartition& ranks) {
            std::vector<double> x(8, 1.0), out(8);
            const Plan plan(scale(), ranks);
            const eagle::Arguments arguments{{"x", view(x)}, {"a", 2.0}, {"b", 1.0}, {"out", view(out)}};
            std::string busy;
            const eagle::Poll poll = [&] {
                if (ranks.rank() == 1 && busy.empty()) {
                    try {
                        plan.run(arguments);
                    } catch (const eagle::Busy& error) {
                        busy = error.what();
                    }
                }
                return false;
            };
            eagle::BoundPlan bound = Plan(handmade::kernel(handmade::slow(), "slow"), ranks).bind(arguments);
            std::vector<double> many(100'000, 1.0), result(100'000);
            bound = Plan(handmade::kernel(handmade::slow(), "slow"), ranks, eagle::HostTeam{1})
                        .bind({{"x", view(many)}, {"a", 0.5}, {"b", 0.5}, {"out", view(result)}});
            bound.launch(poll);
            EXPECT_EQ(result, many);
            EXPECT_EQ(busy.empty(), ranks.rank() == 0);
            plan.run(arguments);
        },
        options);
}

TEST(RankEnds, ASecondEntryOnOneRankIsToldToTheOthers) {
    const Texts errors = with_an_entry_of_its_own({});
    const std::string busy = "this rank partition is running already, and serves one caller at a time";
    EXPECT_NE(errors[0].find("rank 1 of 2 has left the calls of these ranks: " + busy), std::string::npos) << errors[0];
    EXPECT_NE(errors[1].find("these ranks no longer work together: " + busy), std::string::npos) << errors[1];
    for (const std::string& error : errors)
        EXPECT_NE(error.find("; make a new RankPartition on every rank"), std::string::npos) << error;
}

TEST(RankEnds, WithoutMessagesTheOthersNoticeASecondEntryWhenTheyMeet) {
    const Texts errors = with_an_entry_of_its_own({.messages = false});
    EXPECT_NE(errors[0].find("a call was left out on one of them; make a new RankPartition on every rank"),
              std::string::npos)
        << errors[0];
    EXPECT_EQ(errors[0], errors[1]);
}

std::size_t written(const std::vector<double>& plane) {
    return static_cast<std::size_t>(std::count(plane.begin(), plane.end(), 1.0));
}

// Rank 0 is done and waits; rank 1 has work for some more windows, and is at it until rank 0 was interrupted.
TEST(RankEnds, AnInterruptionOfARankThatWaitsStopsTheOthers) {
    constexpr std::size_t n = 400'000;
    std::atomic<bool> working{false}, interrupted{false};
    threaded::Options options;
    options.interrupted = [&](int rank) { return rank == 0 && working && !interrupted.exchange(true); };
    const auto errors = threaded::ranks(
        2,
        [&](const RankPartition& ranks) {
            std::vector<double> x(n, 1.0), out(n, -1.0);
            const bool one = ranks.rank() == 1;
            eagle::BoundPlan bound = Plan(handmade::kernel(handmade::slow(), "slow"), ranks, eagle::HostTeam{1})
                                         .bind({{"x", view(x)}, {"a", 0.5}, {"b", 0.5}, {"out", view(out)}});
            try {
                bound.launch([&] {
                    if (one) working = true;
                    while (one && !interrupted) std::this_thread::yield();
                    return false;
                });
            } catch (const eagle::Interrupted& stopped) {
                EXPECT_FALSE(one);
                EXPECT_EQ(stopped.done(), static_cast<std::int64_t>(n / 2));
                EXPECT_EQ(written(out), n / 2);
                throw;
            } catch (const eagle::Error&) {
                EXPECT_TRUE(one);
                EXPECT_GT(written(out), 0u);
                EXPECT_LT(written(out), n / 2);
                throw;
            }
        },
        options);
    const std::string words = "interrupted while waiting for the other ranks in: launch";
    EXPECT_EQ(errors, (Texts{words, "rank 0 of 2 failed, and with it this call on every rank: " + words}));
}

const std::string failed = "rank 1 of 2 failed, and with it this call on every rank: ";

// It is heard of when planes are exchanged, at the meeting behind it.
TEST(RankEnds, AnInterruptionDuringTheExchangeIsRaisedOnAllWithThePlanesWhole) {
    std::atomic<bool> now{false};
    threaded::Options options;
    options.exchanging = [&](int rank) { now = now || rank == 1; };
    options.interrupted = [&](int rank) { return rank == 1 && now.exchange(false); };
    const auto errors = threaded::ranks(
        2,
        [&](const RankPartition& ranks) {
            std::vector<double> x(8, 1.0), out(8);
            try {
                Plan(scale(), ranks).run({{"x", view(x)}, {"a", 2.0}, {"b", 1.0}, {"out", view(out)}});
            } catch (const eagle::Error&) {
                EXPECT_EQ(out, std::vector<double>(8, 3.0));
                throw;
            }
        },
        options);
    const std::string words = "interrupted while waiting for the other ranks in: exchange of planes";
    EXPECT_EQ(errors, (Texts{failed + words, words}));
}

// The last word of rank 0 is out when it is interrupted, and rank 1 says its own after that: the call is done, and the
// next one tells rank 1.
TEST(RankEnds, ARankThatIsInterruptedAtTheEndOfACallHasLeft) {
    std::atomic<bool> exchanged[2]{false, false}, told{false};
    std::atomic<int> asked{0};
    threaded::Options options;
    options.exchanging = [&](int rank) { exchanged[rank] = true; };
    options.interrupted = [&](int rank) {
        if (!exchanged[rank]) return false;
        while (rank == 1 && !told) std::this_thread::yield();
        if (rank == 1 || ++asked != 2) return false;  // first when it comes, then while it waits
        told = true;
        return true;
    };
    const auto errors = threaded::ranks(
        2,
        [&](const RankPartition& ranks) {
            std::vector<double> x(8, ranks.rank());
            const std::vector<double> whole{0, 0, 0, 0, 1, 1, 1, 1};
            try {
                ranks.allgather(view(x));
            } catch (const eagle::Interrupted&) {
                EXPECT_EQ(x, whole);
                throw;
            }
            EXPECT_EQ(x, whole);
            ranks.allgather(view(x));
        },
        options);
    const std::string words = "interrupted when this was done on every rank: allgather, float64, 8 samples of 1";
    const std::string next = "; make a new RankPartition on every rank";
    EXPECT_EQ(errors, (Texts{words + next, "rank 0 of 2 has left the calls of these ranks: " + words + next}));
}

// Rank 1 is elsewhere; rank 0 does not wait for it after a second interruption.
TEST(RankEnds, ASecondInterruptionLeaves) {
    std::atomic<int> asked{0};
    std::atomic<bool> gone{false};
    threaded::Options options;
    options.interrupted = [&](int rank) { return rank == 0 && ++asked >= 2 && asked <= 3; };
    const auto errors = threaded::ranks(
        2,
        [&](const RankPartition& ranks) {
            std::vector<double> x(8, 1.0);
            while (ranks.rank() == 1 && !gone) std::this_thread::yield();
            try {
                ranks.allgather(view(x));
            } catch (const eagle::Interrupted&) {
                gone = true;
                throw;
            }
        },
        options);
    const std::string words =
        "interrupted while waiting for the other ranks in: allgather, float64, 8 samples of 1, a second time";
    const std::string next = "; make a new RankPartition on every rank";
    EXPECT_EQ(errors, (Texts{words + next, "rank 0 of 2 has left the calls of these ranks: " + words + next}));
}

}  // namespace
