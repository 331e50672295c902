// Plans whose samples are shared among ranks, which are threads here.
#include <eagle/Error.h>
#include <eagle/GraphDescription.h>
#include <eagle/Plan.h>
#include <eagle/UntilDone.h>
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "Handmade.h"
#include "Ranks.h"

namespace {

using eagle::ArrayView;
using eagle::Partition;
using eagle::Plan;
using eagle::RankPartition;
using handmade::refusal;
using handmade::view;

const std::vector<std::string> none2{"", ""};

std::vector<double> ramp(std::size_t n) {
    std::vector<double> out(n);
    for (std::size_t i = 0; i < n; ++i) out[i] = 0.1 * static_cast<double>(i) - 3.0;
    return out;
}

eagle::Kernel scale() { return eagle::Artifact::load(handmade::example()).kernel(); }

TEST(Ranks, AreNumberedAndHaveACollective) {
    EXPECT_EQ(refusal<eagle::InvalidArgument>([] { RankPartition(2, 2, {}); }),
              "RankPartition has rank 2 of 2; it needs at least 1 rank, numbered from 0");
    EXPECT_EQ(refusal<eagle::InvalidArgument>([] { RankPartition(0, 0, {}); }),
              "RankPartition has rank 0 of 0; it needs at least 1 rank, numbered from 0");
    EXPECT_EQ(refusal<eagle::InvalidArgument>([] { RankPartition(0, 2, {}); }),
              "RankPartition has 2 ranks and no allgather; it needs the collective by which they exchange planes");
    const RankPartition alone(0, 1, {});
    EXPECT_EQ(alone.part(7).count, 7);
}

TEST(Ranks, EachHasItsNeighbouringPart) {
    threaded::ranks(3, [](const RankPartition& ranks) {
        const Partition mine = ranks.part(10);
        EXPECT_EQ(mine.base, (std::vector<std::int64_t>{0, 4, 7}[static_cast<std::size_t>(ranks.rank())]));
        EXPECT_EQ(mine.count, ranks.rank() == 0 ? 4 : 3);
        EXPECT_EQ(mine.n_samples, 10);
        EXPECT_EQ(ranks.part(10'000, 4096).count,
                  (std::vector<std::int64_t>{4096, 4096, 1808}[static_cast<std::size_t>(ranks.rank())]));
    });
}

TEST(Ranks, EveryRankHasTheWholeResult) {
    for (const int size : {1, 2, 3, 5})
        for (const std::size_t n : {std::size_t{1}, std::size_t{3}, std::size_t{10'007}}) {
            const auto errors = threaded::ranks(size, [&](const RankPartition& ranks) {
                std::vector<double> x = ramp(n);
                const auto result =
                    Plan(scale(), ranks, eagle::HostTeam{1}, 2).run({{"x", view(x)}, {"a", 2.0}, {"b", 1.0}});
                const auto out = result.outputs.at(0).second.as<double>();
                for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(out[i], 2.0 * x[i] + 1.0) << i;
            });
            EXPECT_EQ(errors, std::vector<std::string>(static_cast<std::size_t>(size))) << size << " " << n;
        }
}

TEST(Ranks, BoundPlansExchangeAfterEveryLaunch) {
    const auto errors = threaded::ranks(2, [&](const RankPartition& ranks) {
        std::vector<double> v = ramp(1000), x = v;
        std::vector<std::uint8_t> done(1000);
        done[3] = done[999] = 1;
        eagle::BoundPlan bound = Plan(handmade::kernel(handmade::drift(), "pair"), ranks)
                                     .bind({{"x", view(x)}, {"v", view(v)}, {"done", view(done)}, {"dt", 0.5}});
        bound.launch().rebind("dt", 0.25).launch();
        for (std::size_t i = 0; i < 1000; ++i) ASSERT_EQ(x[i], done[i] ? v[i] : v[i] + 0.5 * v[i] + 0.25 * v[i]) << i;
    });
    EXPECT_EQ(errors, none2);
}

TEST(Ranks, WithoutGatherEachHasItsOwnUntilItIsAskedFor) {
    const auto errors =
        threaded::ranks(2,
                        [&](const RankPartition& ranks) {
                            std::vector<double> x = ramp(11), out(11, -7.0);
                            Plan(scale(), ranks).run({{"x", view(x)}, {"a", 2.0}, {"b", 1.0}, {"out", view(out)}});
                            const Partition mine = ranks.part(11);
                            for (std::int64_t i = 0; i < 11; ++i) {
                                const bool is_mine = i >= mine.base && i < mine.base + mine.count;
                                const auto k = static_cast<std::size_t>(i);
                                ASSERT_EQ(out[k], is_mine ? 2.0 * x[k] + 1.0 : -7.0) << i;
                            }
                            ranks.allgather(view(out));
                            for (std::size_t i = 0; i < 11; ++i) ASSERT_EQ(out[i], 2.0 * x[i] + 1.0) << i;
                        },
                        {.gather = false});
    EXPECT_EQ(errors, none2);
}

// Element k of a plane is `k`; each rank begins with its own samples alone.
void expect_gathered(const RankPartition& ranks, std::vector<std::int64_t> shape, std::size_t samples_axis) {
    std::int64_t size = 1;
    for (const std::int64_t extent : shape) size *= extent;
    std::vector<std::int64_t> values(static_cast<std::size_t>(size), -1);
    ArrayView plane = ArrayView::host(values.data(), eagle::Dtype::int64, shape);
    if (samples_axis == 0) plane.axis = eagle::SamplesAxis::first;
    const Partition mine = ranks.part(shape[samples_axis]);
    const std::int64_t behind = plane.strides[samples_axis] / 8, around = behind * shape[samples_axis];
    for (std::int64_t k = 0; k < size; ++k) {
        const std::int64_t sample = k % around / behind;
        if (sample >= mine.base && sample < mine.base + mine.count) values[static_cast<std::size_t>(k)] = k;
    }
    ranks.allgather(plane);
    for (std::int64_t k = 0; k < size; ++k) ASSERT_EQ(values[static_cast<std::size_t>(k)], k);
}

// Two numbers from sample to sample, of which one is somebody else's.
TEST(Ranks, SamplesThatLieApartAreGathered) {
    const auto errors = threaded::ranks(3, [](const RankPartition& ranks) {
        std::vector<double> pairs(20, -1.0);
        ArrayView plane = view(pairs);
        plane.shape[0] = 10;
        plane.strides[0] = 16;
        const Partition mine = ranks.part(10);
        for (std::int64_t i = mine.base; i < mine.base + mine.count; ++i)
            pairs[static_cast<std::size_t>(2 * i)] = static_cast<double>(i);
        ranks.allgather(plane);
        for (std::size_t i = 0; i < 10; ++i) {
            ASSERT_EQ(pairs[2 * i], static_cast<double>(i));
            ASSERT_EQ(pairs[2 * i + 1], -1.0);
        }
    });
    EXPECT_EQ(errors, std::vector<std::string>(3));
}

TEST(Ranks, PlanesOfEveryLayoutAreGathered) {
    const auto errors = threaded::ranks(3, [](const RankPartition& ranks) {
        expect_gathered(ranks, {7}, 0);
        expect_gathered(ranks, {2}, 0);
        expect_gathered(ranks, {3, 10}, 1);
        expect_gathered(ranks, {2, 3, 10}, 2);
        expect_gathered(ranks, {10, 3}, 0);
    });
    EXPECT_EQ(errors, std::vector<std::string>(3));
    const RankPartition alone(0, 1, {});
    const double fixed = 0;
    EXPECT_EQ(
        refusal<eagle::BufferRefused>([&] { alone.allgather(ArrayView::of(std::span(&fixed, 1))); }),
        "the plane is read-only, and what the other ranks have is written into it; give an array that may be written");
    double number = 0;
    EXPECT_EQ(
        refusal<eagle::LayoutError>([&] { alone.allgather(ArrayView::host(&number, eagle::Dtype::float64, {})); }),
        "the plane has no axis; it needs one that counts samples");
}

TEST(Ranks, WhatFailsOnOneFailsOnAll) {
    const auto errors = threaded::ranks(2, [&](const RankPartition& ranks) {
        std::vector<double> x = ramp(8);
        std::vector<float> wrong(8);
        Plan(scale(), ranks)
            .run({{"x", view(x)}, {"a", 2.0}, {"b", 1.0}, {"out", ranks.rank() == 1 ? view(wrong) : view(x)}});
    });
    EXPECT_NE(errors[1].find("'out'"), std::string::npos);
    EXPECT_NE(errors[0].find("'out'"), std::string::npos);  // it shares memory with x there
    const auto other = threaded::ranks(2, [&](const RankPartition& ranks) {
        std::vector<double> x = ramp(8);
        eagle::Arguments arguments{{"x", view(x)}, {"a", 2.0}};
        if (ranks.rank() == 0) arguments.emplace_back("b", 1.0);
        Plan(scale(), ranks).run(arguments);
    });
    EXPECT_EQ(other[0], "rank 1 of 2 failed, and with it this call on every rank: " + other[1]);
    EXPECT_NE(other[1].find("'b'"), std::string::npos);
}

TEST(Ranks, AreGivenTheSameCall) {
    const auto lengths = threaded::ranks(2, [&](const RankPartition& ranks) {
        std::vector<double> x = ramp(ranks.rank() == 0 ? 8 : 4);
        Plan(scale(), ranks).run({{"x", view(x)}, {"a", 2.0}, {"b", 1.0}});
    });
    const std::string needed =
        "kernel 'scale' has 8 samples on rank 0 and 4 on rank 1; every rank is given the whole planes";
    EXPECT_EQ(lengths, (std::vector<std::string>{needed, needed}));
    const auto kernels = threaded::ranks(2, [&](const RankPartition& ranks) {
        std::vector<double> x = ramp(8);
        const eagle::Kernel kernel = ranks.rank() == 0 ? scale() : handmade::kernel(handmade::slow(), "slow");
        Plan(kernel, ranks).run({{"x", view(x)}, {"a", 2.0}, {"b", 1.0}});
    });
    EXPECT_EQ(kernels[0],
              "rank 0 calls kernel 'scale', rank 1 calls 'slow'; every rank makes the same calls in the same order");
    EXPECT_EQ(kernels[0], kernels[1]);
}

TEST(Ranks, PlacementIsRefusedNamingTheRule) {
    const eagle::Kernel prefix = handmade::kernel(handmade::prefix(), "prefix");
    const auto collective = [](void*, std::span<const std::int64_t>) {};
    EXPECT_EQ(refusal<eagle::InvalidArgument>([&] { Plan(prefix, RankPartition(0, 2, collective)); }),
              "kernel 'prefix' has exec_access 'cross_sample_write' and the plan has 2 ranks; the rule: "
              "cross_sample_write runs on one partition of one device or team");
    EXPECT_NO_THROW(Plan(prefix, RankPartition(0, 1, {})));
}

TEST(Ranks, WhatRunsOnOneRankIsRefused) {
    const RankPartition two(0, 2, [](void*, std::span<const std::int64_t>) {});
    const Plan plan(scale(), two);
    eagle::GraphDescription graph;
    std::vector<double> x = ramp(4), out(4);
    EXPECT_NE(
        refusal<eagle::InvalidArgument>([&] {
            graph.launch(
                plan,
                {{"x", graph.plane("x", view(x))}, {"out", graph.plane("out", view(out))}, {"a", 1.0}, {"b", 1.0}});
        }).find("launches kernel 'scale' on 2 ranks; a graph runs on one: give it a plan without ranks"),
        std::string::npos);
    const auto errors = threaded::ranks(2, [&](const RankPartition& ranks) {
        std::vector<double> from = ramp(8), to(8);
        eagle::BoundPlan bound =
            Plan(scale(), ranks).bind({{"x", view(from)}, {"out", view(to)}, {"a", 1.0}, {"b", 1.0}});
        bound.narrow(3);
    });
    EXPECT_EQ(errors[0],
              "kernel 'scale' is bound on 2 ranks; the rule: ranks launch all samples, each its own; bind a "
              "plan of one rank");
    const auto steps = threaded::ranks(2, [&](const RankPartition& ranks) {
        std::vector<double> from = ramp(8), to(8);
        eagle::BoundPlan bound =
            Plan(scale(), ranks).bind({{"x", view(from)}, {"out", view(to)}, {"a", 1.0}, {"b", 1.0}});
        eagle::BoundPlan* const plans[] = {&bound};
        eagle::UntilDoneOptions options;
        options.max_steps = 1;
        eagle::until_done(plans, options);
    });
    EXPECT_NE(
        steps[0].find("plan 0 of the step is bound on 2 ranks; the rule: until_done steps the samples of one rank"),
        std::string::npos)
        << steps[0];
}

// Whoever calls while the collective runs.
TEST(Ranks, ServeOneCallerAtATime) {
    std::vector<double> x = ramp(8), inner = ramp(8);
    std::string said;
    const RankPartition* self = nullptr;
    const RankPartition ranks(0, 2, [&](void* whole, std::span<const std::int64_t> offsets) {
        said = refusal<eagle::Busy>([&] { self->allgather(view(inner)); });
        auto* const bytes = static_cast<std::byte*>(whole);  // the other rank has the same
        std::memcpy(bytes + offsets[1], bytes, static_cast<std::size_t>(offsets[2] - offsets[1]));
    });
    self = &ranks;
    ranks.allgather(view(x));
    EXPECT_EQ(said,
              "this rank partition is running already, and serves one caller at a time; wait for it, make one for each "
              "thread, and do not enter it from a function that it calls");
}

}  // namespace
