// Plans on a (simulated) device.
#include <eagle/Error.h>
#include <eagle/Plan.h>
#include <eagle/Stream.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "Handmade.h"
#include "Simulated.h"

namespace {

using eagle::Arguments;
using eagle::Array;
using eagle::DeviceKernel;
using eagle::Dtype;
using eagle::InvalidArgument;
using eagle::Plan;
using handmade::refusal;
using simulated::down;
using simulated::up;

eagle::Kernel scale(const std::string& kind = "cpu") {
    return eagle::Artifact::load(handmade::example()).kernel("scale", kind);
}

Arguments arguments(const Array& x, double a) { return {{"x", x.view()}, {"a", a}, {"b", 1.0}}; }

const std::vector<double> start{1.0, -2.0, 0.5, 4.0};

TEST(SimulatedPlan, PlanesDecideWhereItRuns) {
    const Plan plan(scale());
    for (const std::int32_t device : {0, 1}) {
        const Array x = up(start, device);
        const auto result = plan.run(arguments(x, 2.0));
        ASSERT_EQ(result.outputs.size(), 1u);
        const Array& out = result.outputs[0].second;
        EXPECT_EQ(out.view().device_type, 12);
        EXPECT_EQ(out.view().device_id, device);
        EXPECT_EQ(down<double>(out), (std::vector<double>{3.0, -3.0, 2.0, 9.0}));
    }
    std::vector<double> x = start;
    EXPECT_TRUE(plan.run({{"x", handmade::view(x)}, {"a", 2.0}, {"b", 1.0}}).outputs[0].second.on_host());
}

TEST(SimulatedPlan, AMixIsRefusedByThePlanesOfEachSide) {
    const Array x = up(start);
    std::vector<double> out(4);
    EXPECT_EQ(refusal<eagle::BufferRefused>(
                  [&] { Plan(scale()).run({{"x", x.view()}, {"out", handmade::view(out)}, {"a", 2.0}, {"b", 1.0}}); }),
              "argument 'x' of kernel 'scale' is on device type 12, number 0, 'out' is on device type 1, number 0; a "
              "call needs "
              "every array on one device: copy one of them over");
    const Array other = Array::zeros({4}, Dtype::float64, simulated::backend(), 1);
    EXPECT_NE(refusal<eagle::BufferRefused>([&] {
                  Plan(scale()).run({{"x", x.view()}, {"out", other.view()}, {"a", 2.0}, {"b", 1.0}});
              }).find("'out' is on device type 12, number 1"),
              std::string::npos);
}

TEST(SimulatedPlan, LaunchesAreBoundOnceAndWaitedFor) {
    const Array x = up(start), out = Array::empty({4}, Dtype::float64, simulated::backend());
    Arguments given = arguments(x, 2.0);
    given.emplace_back("out", out.view());
    eagle::BoundPlan bound = Plan(scale()).bind(given);
    bound.launch().synchronize();
    EXPECT_EQ(down<double>(out), (std::vector<double>{3.0, -3.0, 2.0, 9.0}));
    bound.rebind("a", 0.0).launch().launch();
    bound.synchronize();
    EXPECT_EQ(down<double>(out), std::vector<double>(4, 1.0));
}

TEST(SimulatedPlan, PartitionsGiveTheSame) {
    std::vector<double> many(10'007), expected(many.size());
    for (std::size_t i = 0; i < many.size(); ++i) {
        many[i] = 0.25 * static_cast<double>(i);
        expected[i] = 2.0 * many[i] + 1.0;
    }
    for (const int parts : {1, 3, 64}) {
        const auto result = Plan(scale("sim"), DeviceKernel("sim", 1), parts).run(arguments(up(many, 1), 2.0));
        EXPECT_EQ(down<double>(result.outputs[0].second), expected) << parts << " partitions";
    }
}

TEST(SimulatedPlan, WorkGoesOnTheStreamThatIsGiven) {
    eagle::Stream stream(simulated::backend(), 0);
    const Plan plan(scale("sim"), DeviceKernel("sim", 0, stream.native()));
    const Array x = up(start), out = Array::empty({4}, Dtype::float64, simulated::backend());
    Arguments first = arguments(x, 2.0), second = arguments(out, 10.0);
    first.emplace_back("out", out.view());
    second.emplace_back("out", x.view());
    eagle::BoundPlan one = plan.bind(first), two = plan.bind(second);
    for (int i = 0; i < 16; ++i) {  // in the order of one stream, whoever is waited for
        x.assign(handmade::view(const_cast<std::vector<double>&>(start)));
        one.launch();
        two.launch().synchronize();
        EXPECT_EQ(down<double>(x), (std::vector<double>{31.0, -29.0, 21.0, 91.0}));
    }
}

// Without the common stream the second of two launches runs before the first under some orders.
TEST(SimulatedPlan, TwoStreamsAreNotOrdered) {
    const Plan plan(scale());
    const Array x = up(start), middle = Array::zeros({4}, Dtype::float64, simulated::backend()),
                out = Array::zeros({4}, Dtype::float64, simulated::backend());
    Arguments first = arguments(x, 2.0), second = arguments(middle, 1.0);
    first.emplace_back("out", middle.view());
    second.emplace_back("out", out.view());
    eagle::BoundPlan one = plan.bind(first), two = plan.bind(second);
    int ordered = 0;
    const std::vector<double> zeros(4);
    for (int i = 0; i < 64; ++i) {
        middle.assign(handmade::view(const_cast<std::vector<double>&>(zeros)));
        one.launch();
        two.launch().synchronize();
        one.synchronize();
        if (down<double>(out)[0] == 4.0) ++ordered;
    }
    EXPECT_GT(ordered, 0);
    EXPECT_LT(ordered, 64);
}

TEST(SimulatedPlan, WhatCannotRunThereIsRefused) {
    EXPECT_EQ(refusal<InvalidArgument>([] { Plan(scale(), DeviceKernel("sim")); }),
              "kernel 'scale' is loaded for kind 'cpu', the DeviceKernel is of kind 'sim'; load the kernel for that "
              "kind, as with Kernel::on");
    EXPECT_EQ(refusal<InvalidArgument>([] { Plan(scale("sim"), DeviceKernel("sim", 2)); }),
              "DeviceKernel has device 2; kind 'sim' has 2 here, numbered from 0");
    EXPECT_NE(
        refusal<InvalidArgument>([] { Plan(scale("sim"), eagle::HostTeam{}); }).find("does not serve host memory"),
        std::string::npos);
    std::vector<double> x = start;
    EXPECT_NE(refusal<eagle::BufferRefused>([&] {
                  Plan(scale("sim"), DeviceKernel("sim")).run({{"x", handmade::view(x)}, {"a", 2.0}, {"b", 1.0}});
              }).find("'scale' is on device type 1, number 0; this call runs on device type 12, number 0"),
              std::string::npos);
    const Array narrow = up<float>({1, 2});
    EXPECT_NE(refusal<eagle::BufferRefused>([&] {
                  Plan(scale()).run(arguments(narrow, 2.0));
              }).find("and nothing is converted here"),
              std::string::npos);
    eagle::ArrayView unknown = narrow.view();
    unknown.device_type = 77;
    EXPECT_NE(refusal<eagle::BackendUnavailable>([&] {
                  Plan(scale()).run({{"x", unknown}, {"a", 2.0}, {"b", 1.0}});
              }).find("the DLPack device type 77 is served by no backend"),
              std::string::npos);
}

TEST(SimulatedPlan, AKernelIsLoadedForAnotherKindFromItsFolder) {
    const eagle::Kernel host = scale();
    EXPECT_EQ(host.on("sim").backend().kind(), "sim");
    EXPECT_EQ(host.on("sim").on("cpu").backend().kind(), "cpu");
    const eagle::Kernel homeless = handmade::kernel(handmade::slow(), "slow");
    EXPECT_NE(refusal<eagle::Error>([&] { homeless.on("sim"); }).find("manifest.json': No such file or directory"),
              std::string::npos);
}

TEST(SimulatedPlan, AFaultIsRaisedWhereItIsWaitedFor) {
    handmade::Folder folder;
    folder.add(handmade::counter(), "counter");
    const Plan plan(folder.load().kernel("counter", "sim"), DeviceKernel("sim"));
    const Array n = up<std::int64_t>({0, 0, 0}), x = up<double>({1, 1, 1}), at = up<double>({0, 1, 1}),
                limit = up<double>({9, 9, 9}), done = Array::zeros({3}, Dtype::boolean, simulated::backend());
    eagle::BoundPlan bound = plan.bind({{"n", n.view()},
                                        {"x", x.view()},
                                        {"fault_at", at.view()},
                                        {"limit", limit.view()},
                                        {"done", done.view()},
                                        {"a", 2.0},
                                        {"b", 1.0}});
    bound.launch();
    EXPECT_NE(refusal<eagle::DivisionFault>([&] { bound.synchronize(); }).find("sample 1"), std::string::npos);
    EXPECT_EQ(down<std::int64_t>(n), (std::vector<std::int64_t>{1, 0, 0}));
    bound.synchronize();  // told once
}

}  // namespace
