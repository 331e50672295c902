// Plans on a (simulated) device.
#include <eagle/Error.h>
#include <eagle/Memory.h>
#include <eagle/Plan.h>
#include <eagle/Stream.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "Handmade.h"
#include "Simulated.h"
#include "backend/Table.h"

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
Arguments arguments_of(const Array& x, double a) { return {{"x", x}, {"a", a}, {"b", 1.0}}; }

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
    EXPECT_EQ(
        refusal<eagle::BufferRefused>(
            [&] { Plan(scale()).run({{"x", x.view()}, {"out", handmade::view(out)}, {"a", 2.0}, {"b", 1.0}}); }),
        "argument 'out' of kernel 'scale' is on the host, 'x' is on sim:0; the rule: a call runs where its arrays "
        "are, all of them in one place: copy one of them over");
    const Array other = Array::zeros({4}, Dtype::float64, simulated::backend(), 1);
    EXPECT_NE(refusal<eagle::BufferRefused>([&] {
                  Plan(scale()).run({{"x", x.view()}, {"out", other.view()}, {"a", 2.0}, {"b", 1.0}});
              }).find("'out' of kernel 'scale' is on sim:1, 'x' is on sim:0;"),
              std::string::npos);
}

TEST(SimulatedPlan, AStructureTakesArraysOfItsPlaceAlone) {
    const std::string rule =
        "; the rule: a structure takes arrays that lie where it is: copy the array there, or give no structure, and it "
        "runs where its arrays are";
    const Array x = up(start);
    EXPECT_EQ(refusal<eagle::BufferRefused>([&] { Plan(scale(), eagle::HostTeam{}).run(arguments(x, 2.0)); }),
              "argument 'x' of kernel 'scale' is on sim:0, and the structure is a HostTeam" + rule);
    std::vector<double> host = start;
    EXPECT_EQ(
        refusal<eagle::BufferRefused>([&] {
            Plan(scale("sim"), DeviceKernel("sim", 1)).bind({{"x", handmade::view(host)}, {"a", 2.0}, {"b", 1.0}});
        }),
        "argument 'x' of kernel 'scale' is on the host, and the structure is a DeviceKernel of sim:1" + rule);
    EXPECT_NE(refusal<eagle::BufferRefused>([&] {
                  Plan(scale("sim"), DeviceKernel("sim", 1)).run(arguments(x, 2.0));
              }).find("is on sim:0, and the structure is a DeviceKernel of sim:1"),
              std::string::npos);
}

// Every object of the call goes while its work is still held back.
TEST(SimulatedPlan, ARunMayLoseItsArraysAtOnce) {
    const Plan plan(scale());
    std::vector<double> many(10'000), expected(many.size());
    for (std::size_t i = 0; i < many.size(); ++i) many[i] = 0.25 * static_cast<double>(i);
    for (int i = 0; i < 200; ++i) {
        std::optional<Array> x(up(many));
        const std::optional<Array> out(plan.run(arguments(*x, i)).outputs[0].second);
        x.reset();
        plan.run(arguments(*out, 1.0));  // and its output
        for (std::size_t k = 0; k < many.size(); ++k) expected[k] = i * many[k] + 1.0;
        ASSERT_EQ(down<double>(*out), expected) << i;
    }
    plan.synchronize();
}

TEST(SimulatedPlan, APlanMayGoAtOnce) {
    for (int i = 0; i < 50; ++i) {
        const Array x = up(start);
        const Array out = Plan(scale()).run(arguments(x, 2.0)).outputs[0].second;
        EXPECT_EQ(down<double>(out), (std::vector<double>{3.0, -3.0, 2.0, 9.0}));
        const Array again = Array::empty({4}, Dtype::float64, simulated::backend());
        Arguments given = arguments(out, 2.0);
        given.emplace_back("out", again.view());
        Plan(scale()).bind(given).launch();
        EXPECT_EQ(down<double>(again), (std::vector<double>{7.0, -5.0, 5.0, 19.0}));
    }
}

// The memory of an owner that is not eagle's is free the moment it lets go.
TEST(SimulatedPlan, AnOwnerIsKeptUntilTheWorkIsDone) {
    const Plan plan(scale());
    std::weak_ptr<void> watched;
    for (int i = 0; i < 50; ++i) {
        const Array x = up(start);
        auto owner = std::make_shared<Array>(x);
        watched = owner;
        const Array out = plan.run({{"x", {x.view(), std::move(owner)}}, {"a", 2.0}, {"b", 1.0}}).outputs[0].second;
        EXPECT_EQ(down<double>(out), (std::vector<double>{3.0, -3.0, 2.0, 9.0}));
    }
    plan.synchronize();
    EXPECT_TRUE(watched.expired());
    const Array x = up(start), out = Array::empty({4}, Dtype::float64, simulated::backend());
    auto owner = std::make_shared<Array>(x);
    watched = owner;
    eagle::BoundPlan bound = plan.bind({{"x", {x.view(), std::move(owner)}}, {"a", 2.0}, {"b", 1.0}, {"out", out}});
    bound.launch().synchronize();
    EXPECT_FALSE(watched.expired());
    bound.rebind("x", x).launch().synchronize();
    EXPECT_TRUE(watched.expired());

    // An Array over memory of somebody else's has such an owner too.
    const Array other = up(start);
    auto theirs = std::make_shared<Array>(other);
    watched = theirs;
    const Array over = Array::over(other.view(), std::move(theirs), simulated::backend());
    EXPECT_TRUE(over.foreign());
    EXPECT_EQ(down<double>(plan.run(arguments_of(over, 2.0)).outputs[0].second),
              (std::vector<double>{3.0, -3.0, 2.0, 9.0}));
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

// Each plan has a stream of its own, and each launch waits for what the device was given before.
TEST(SimulatedPlan, LaunchesOfTwoPlansAreInOrder) {
    const Plan plan(scale());
    const Array x = up(start), middle = Array::zeros({4}, Dtype::float64, simulated::backend()),
                out = Array::zeros({4}, Dtype::float64, simulated::backend());
    Arguments first = arguments(x, 2.0), second = arguments(middle, 1.0);
    first.emplace_back("out", middle.view());
    second.emplace_back("out", out.view());
    eagle::BoundPlan one = plan.bind(first), two = plan.bind(second);
    const std::vector<double> zeros(4);
    for (int i = 0; i < 64; ++i) {
        middle.assign(handmade::view(const_cast<std::vector<double>&>(zeros)));
        one.launch();
        two.launch().synchronize();
        EXPECT_EQ(down<double>(out)[0], 4.0);
    }
}

// A stream that the legacy default stream knows nothing of.
TEST(SimulatedPlan, ALaunchOnAStreamIsInItsOrder) {
    const eagle::seam::Table& seam = simulated::backend().table();
    eagle_backend_stream_desc desc{sizeof desc, EAGLE_BACKEND_STREAM_NON_BLOCKING, 0, 0};
    eagle_backend_stream made = nullptr;
    std::uint64_t stream = 0;
    ASSERT_EQ(seam.stream_create(&desc, &made), EAGLE_BACKEND_OK);
    ASSERT_EQ(seam.stream_ptr(made, &stream), EAGLE_BACKEND_OK);
    const Array x = up(start), source = up(std::vector<double>(4, 10.0)),
                copy = Array::zeros({4}, Dtype::float64, simulated::backend());
    const auto address = [](const Array& array) { return reinterpret_cast<std::uint64_t>(array.view().data); };
    const Plan plan(scale());
    for (int i = 0; i < 64; ++i) {
        const Array input = Array::zeros({4}, Dtype::float64, simulated::backend());
        eagle::copy(simulated::backend(), address(input), address(source), 32, eagle::CopyKind::device_to_device,
                    stream);
        eagle::RunOptions options;
        options.stream = stream;
        const Array out = plan.run(arguments(input, i), options).outputs[0].second;
        eagle::copy(simulated::backend(), address(copy), address(out), 32, eagle::CopyKind::device_to_device, stream);
        ASSERT_EQ(seam.stream_synchronize(made), EAGLE_BACKEND_OK);
        EXPECT_EQ(down<double>(copy), std::vector<double>(4, 10.0 * i + 1.0));
    }
    seam.stream_release(made);
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
              }).find("'scale' is on the host, and the structure is a DeviceKernel of sim:0"),
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

// A kind that takes no file of the artifact.
TEST(SimulatedPlan, AKernelIsBuiltForAKindThatHasNoFile) {
    eagle::Backend::load("null", EAGLE_NULL_BACKEND);
    std::vector<std::string> asked;
    const eagle::Kernel built = scale().built_by([&](const std::string& kind) {
        asked.push_back(kind);
        return handmade::example();
    });
    EXPECT_EQ(built.on("sim").backend().kind(), "sim");
    EXPECT_TRUE(asked.empty());
    EXPECT_NE(refusal<InvalidArgument>([&] { built.on("sim").on("null"); }).find("kind 'null' takes none"),
              std::string::npos);
    EXPECT_EQ(asked, std::vector<std::string>{"null"});
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

    const Arguments given = {{"n", n},       {"x", x},   {"fault_at", at}, {"limit", limit},
                             {"done", done}, {"a", 2.0}, {"b", 1.0}};
    plan.run(given);
    EXPECT_NE(refusal<eagle::DivisionFault>([&] { plan.synchronize(); }).find("sample 1"), std::string::npos);
    plan.synchronize();
    plan.run(given);
    down<std::int64_t>(n);  // the run is done by now
    EXPECT_NE(refusal<eagle::DivisionFault>([&] { plan.run(given); }).find("sample 1"), std::string::npos);
}

}  // namespace
