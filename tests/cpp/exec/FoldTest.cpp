// Kernels whose samples are folded.
#include <eagle/Error.h>
#include <eagle/GraphDescription.h>
#include <eagle/Plan.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "Handmade.h"
#include "Ranks.h"

namespace {

using eagle::Plan;
using eagle::RankPartition;
using handmade::refusal;
using handmade::view;

eagle::Kernel moments(const std::string& operation) {
    nlohmann::json sidecar = handmade::moments(operation);
    return handmade::kernel(sidecar, "moments");
}

struct Samples {
    explicit Samples(std::size_t n) : x(n), done(n) {
        for (std::size_t i = 0; i < n; ++i) {
            x[i] = std::sin(0.7 * static_cast<double>(i)) + 1.0;
            done[i] = i % 5 == 3;
        }
    }
    eagle::Arguments arguments() { return {{"x", view(x)}, {"done", view(done)}}; }
    // What docs/artifacts.md says of a fold, with `op` from `first`: blocks of 4,096 one after the other, then those.
    double folded(double first, const std::function<double(double, double)>& op,
                  const std::function<double(double)>& value) const {
        double all = first;
        for (std::size_t begin = 0; begin < x.size(); begin += 4096) {
            double block = first;
            for (std::size_t i = begin; i < std::min(begin + 4096, x.size()); ++i)
                block = op(block, done[i] ? first : value(x[i]));
            all = op(all, block);
        }
        return all;
    }
    std::vector<double> x;
    std::vector<std::uint8_t> done;
};

double itself(double x) { return x; }
double squared(double x) { return x * x; }
double plus(double a, double b) { return a + b; }
double times(double a, double b) { return a * b; }

struct Result {
    std::int64_t count;
    std::vector<double> moment;
    bool operator==(const Result& other) const {
        return count == other.count && std::memcmp(moment.data(), other.moment.data(), 16) == 0;
    }
};

Result run(const Plan& plan, Samples& samples) {
    const eagle::RunResult made = plan.run(samples.arguments());
    EXPECT_EQ(made.outputs.size(), 2u);
    EXPECT_EQ(made.outputs[0].second.view().ndim, 0);
    EXPECT_EQ(made.outputs[1].second.view().ndim, 1);
    const auto moment = made.outputs[1].second.as<double>();
    return {made.outputs[0].second.as<std::int64_t>()[0], {moment.begin(), moment.end()}};
}

TEST(Fold, SumsInBlocksFromZero) {
    for (const std::size_t n :
         {std::size_t{0}, std::size_t{1}, std::size_t{4096}, std::size_t{4097}, std::size_t{20'011}}) {
        Samples samples(n);
        const Result result = run(Plan(moments("sum")), samples);
        EXPECT_EQ(result.count, std::count(samples.done.begin(), samples.done.end(), 0));
        EXPECT_EQ(result.moment,
                  (std::vector<double>{samples.folded(0.0, plus, itself), samples.folded(0.0, plus, squared)}));
    }
}

TEST(Fold, HasTheIdentitiesOfItsOperation) {
    Samples samples(9000), none(0);
    const auto max = [](double a, double b) { return std::max(a, b); };
    const Result largest = run(Plan(moments("max")), samples);
    EXPECT_EQ(largest.moment[0], samples.folded(-INFINITY, max, itself));
    EXPECT_EQ(run(Plan(moments("max")), none).moment[0], -INFINITY);
    EXPECT_EQ(run(Plan(moments("max")), none).count, INT64_MIN);
    const Result product = run(Plan(moments("times")), samples);
    EXPECT_EQ(product.moment[0], samples.folded(1.0, times, itself));
    EXPECT_EQ(product.count, 1);
    EXPECT_EQ(run(Plan(moments("times")), none).moment[1], 1.0);
    const Result every = run(Plan(moments("land")), samples);
    EXPECT_EQ(every.count, 1);
    EXPECT_EQ(every.moment, (std::vector<double>{1.0, 1.0}));
    samples.x[8999] = 0.0;
    EXPECT_EQ(run(Plan(moments("land")), samples).moment[0], 0.0);
    samples.done[8999] = 1;  // one that does not run counts as true
    EXPECT_EQ(run(Plan(moments("land")), samples).moment[0], 1.0);
}

TEST(Fold, BitsDoNotDependOnThreadsPartitionsOrRanks) {
    Samples samples(50'003);
    const Result whole = run(Plan(moments("sum"), eagle::HostTeam{1}), samples);
    for (const int threads : {2, 3})
        for (const int parts : {1, 2, 7}) EXPECT_EQ(run(Plan(moments("sum"), {threads}, parts), samples), whole);
    for (const int size : {1, 2, 3, 20})
        for (const bool gather : {true, false}) {
            const auto errors =
                threaded::ranks(size,
                                [&](const RankPartition& ranks) {
                                    Samples own(50'003);
                                    EXPECT_EQ(run(Plan(moments("sum"), ranks, eagle::HostTeam{1}), own), whole);
                                },
                                {.gather = gather});
            EXPECT_EQ(errors, std::vector<std::string>(static_cast<std::size_t>(size)));
        }
}

TEST(Fold, IsWrittenIntoWhatIsGiven) {
    Samples samples(5000);
    std::int64_t count = -1;
    double moment[3] = {-1.0, -1.0, -1.0};
    eagle::Arguments given = samples.arguments();
    eagle::ArrayView apart = eagle::ArrayView::host(moment, eagle::Dtype::float64, {2});
    apart.strides[0] = 16;
    given.emplace_back("count", eagle::ArrayView::host(&count, eagle::Dtype::int64, {}));
    given.emplace_back("moment", apart);
    eagle::BoundPlan bound = Plan(moments("sum")).bind(given);
    bound.launch();
    EXPECT_EQ(count, 4000);
    EXPECT_EQ(moment[0], samples.folded(0.0, plus, itself));
    EXPECT_EQ(moment[1], -1.0);
    EXPECT_EQ(moment[2], samples.folded(0.0, plus, squared));
    samples.x[0] += 1.0;
    bound.launch();
    EXPECT_EQ(moment[0], samples.folded(0.0, plus, itself));
    samples.done.assign(5000, 1);  // none runs: what the last launch left is not folded again
    bound.launch();
    EXPECT_EQ(count, 0);
    EXPECT_EQ(moment[0], 0.0);
}

TEST(Fold, ResultsOfSeveralSamplesAreRefused) {
    Samples samples(5);
    std::vector<std::int64_t> count(5);
    eagle::Arguments given = samples.arguments();
    given.emplace_back("count", view(count));
    EXPECT_EQ(refusal<eagle::LayoutError>([&] { Plan(moments("sum")).run(given); }),
              "kernel 'moments' folds its samples to one value, and 'count' was given for 5 of them; give it the shape "
              "of one sample");
}

TEST(Fold, AGraphDoesNotFold) {
    Samples samples(5);
    eagle::GraphDescription graph;
    EXPECT_NE(
        refusal<eagle::InvalidArgument>([&] {
            graph.call(Plan(moments("sum")),
                       {{"x", graph.plane("x", view(samples.x))}, {"done", graph.plane("done", view(samples.done))}});
        })
            .find("launches kernel 'moments', which is mapreduce; a node folds nothing: run it with a plan, or record "
                  "the values and a reduction of them"),
        std::string::npos);
}

}  // namespace
