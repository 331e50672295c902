// Interruptions at each moment at which a rank asks for one, once and several times in a row: the call ends on all
// ranks in the same way. Ranks are threads here.
#include <eagle/Error.h>
#include <eagle/Plan.h>
#include <eagle/Rebind.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "Handmade.h"
#include "Ranks.h"

namespace {

using eagle::Plan;
using eagle::RankPartition;
using handmade::view;
using Texts = std::vector<std::string>;
constexpr int size = 3;

struct Planes {
    std::vector<double> x = std::vector<double>(11, 1.0), out = std::vector<double>(11, -1.0);
    eagle::Arguments arguments() { return {{"x", view(x)}, {"a", 2.0}, {"b", 1.0}, {"out", view(out)}}; }
};

using Calls = std::function<void(const RankPartition&, Planes&)>;

std::string said(const std::function<void()>& call) {
    try {
        call();
    } catch (const std::exception& error) {
        return error.what();
    }
    return {};
}

struct Ended {
    int asked = 0;  // how often the victim was ready to hear of an interruption in the first call
    Texts first = Texts(size), next = Texts(size);
};

// The victim is interrupted the `at`-th time that it asks, and `times` times in a row.
Ended interrupted(int victim, int at, int times, bool gather, const Calls& calls) {
    Ended ended;
    bool listening = false;  // of the victim's thread alone
    threaded::Options options;
    options.gather = gather;
    options.interrupted = [&](int rank) {
        if (rank != victim || !listening) return false;
        const int now = ended.asked++;
        return now >= at && now < at + times;
    };
    const Texts none = threaded::ranks(
        size,
        [&](const RankPartition& ranks) {
            const auto rank = static_cast<std::size_t>(ranks.rank());
            Planes planes;
            if (ranks.rank() == victim) listening = true;
            ended.first[rank] = said([&] { calls(ranks, planes); });
            if (ranks.rank() == victim) listening = false;
            ended.next[rank] = said([&] { calls(ranks, planes); });
        },
        options);
    EXPECT_EQ(none, Texts(size));
    return ended;
}

bool says(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

// Either the call failed on all ranks, naming the victim, or it was done on all, and the next one names the victim.
void expect_even(const Ended& ended, int victim) {
    const std::string whose = "rank " + std::to_string(victim) + " of 3";
    const auto v = static_cast<std::size_t>(victim);
    const bool failed = !ended.first[v].empty(), done = says(ended.first[v], "when this was done on every rank");
    EXPECT_EQ(failed, says(ended.first[v], "interrupted")) << ended.first[v];
    for (std::size_t k = 0; k < size; ++k) {
        EXPECT_EQ(ended.next[k].empty(), ended.next[v].empty()) << ended.next[k];
        if (k == v) continue;
        EXPECT_EQ(ended.first[k].empty(), !failed || done) << ended.first[k];
        for (const std::string& text : {ended.first[k], ended.next[k]})
            EXPECT_TRUE(text.empty() || (says(text, whose) && says(text, "interrupted"))) << text;
    }
}

void run(const RankPartition& ranks, Planes& planes) {
    Plan(eagle::Artifact::load(handmade::example()).kernel(), ranks, eagle::HostTeam{1}).run(planes.arguments());
    EXPECT_EQ(planes.out[static_cast<std::size_t>(ranks.part(11).base)], 3.0);
}

void gather(const RankPartition& ranks, Planes& planes) { ranks.allgather(view(planes.x)); }

// No call behind the first that fails.
void bind_rebind_and_launch(const RankPartition& ranks, Planes& planes) {
    eagle::BoundPlan bound =
        Plan(eagle::Artifact::load(handmade::example()).kernel(), ranks, eagle::HostTeam{1}).bind(planes.arguments());
    rebind(bound, {{"b", 2.0}});
    bound.launch();
}

struct Case {
    const char* name;
    Calls calls;
    bool gather, one_call;
};

class RankInterrupt : public testing::TestWithParam<Case> {};

TEST_P(RankInterrupt, AtEachMomentEndsTheCallOnAll) {
    const Case& given = GetParam();
    for (int times = 1; times <= 3; ++times)
        for (int victim = 0; victim < size; ++victim)
            for (int at = 0; at < 25; ++at) {
                const Ended ended = interrupted(victim, at, times, given.gather, given.calls);
                SCOPED_TRACE(testing::Message() << times << " times from the " << at << "th on rank " << victim);
                if (given.one_call) expect_even(ended, victim);
                EXPECT_EQ(ended.asked > at, !ended.first[static_cast<std::size_t>(victim)].empty());
                if (HasFailure()) return;
            }
}

INSTANTIATE_TEST_SUITE_P(Of, RankInterrupt,
                         testing::Values(Case{"ARun", run, true, true}, Case{"ARunWithoutGather", run, false, true},
                                         Case{"AnAllgather", gather, true, true},
                                         Case{"ABindARebindAndALaunch", bind_rebind_and_launch, true, false}),
                         [](const auto& values) { return values.param.name; });

}  // namespace
