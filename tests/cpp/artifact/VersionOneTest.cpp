// Artifacts of version 1: their entry takes all samples in one call, and they plan whole.
#include <eagle/Artifact.h>
#include <eagle/BuiltGraph.h>
#include <eagle/Error.h>
#include <eagle/GraphDescription.h>
#include <eagle/Plan.h>
#include <eagle/Simulate.h>
#include <gtest/gtest.h>

#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "Handmade.h"

namespace {

using eagle::Artifact;
using handmade::Folder;
using handmade::refusal;
using handmade::view;

TEST(VersionOne, LoadsAndNamesNoAccess) {
    Folder folder;
    const Artifact artifact = folder.add(handmade::version_one(handmade::scale()), "oldscale").as_version_one().load();
    EXPECT_EQ(artifact.manifest().schema_version, 1);
    EXPECT_EQ(artifact.kernel().access(), "");
    EXPECT_EQ(artifact.kernel().run_entry(), 0u);
}

class Scaled : public ::testing::Test {
  protected:
    Scaled()
        : kernel(folder.add(handmade::version_one(handmade::scale()), "oldscale").as_version_one().load().kernel()) {
        std::iota(x.begin(), x.end(), 0.0);
    }
    void expect_scaled(double a, double b) const {
        for (std::size_t i = 0; i < x.size(); ++i) ASSERT_EQ(out[i], a * x[i] + b) << i;
    }
    Folder folder;
    eagle::Kernel kernel;
    std::vector<double> x = std::vector<double>(100'003), out = std::vector<double>(100'003);
};

TEST_F(Scaled, RunsAllSamplesInOneCall) {
    const eagle::Module file = eagle::Module::load(kernel.backend(), folder.path() / "scale.so");
    const auto& calls = *reinterpret_cast<const std::int64_t*>(file.global("scale_calls")->address);
    const auto& samples = *reinterpret_cast<const std::int64_t*>(file.global("scale_samples")->address);
    const std::int64_t before = calls;
    const eagle::Plan plan(kernel, eagle::HostTeam{4});
    eagle::RunOptions options;
    options.poll = [] { return false; };  // a call that is asked for signals is cut into windows where it can be
    plan.run({{"x", view(x)}, {"a", 2.0}, {"b", 1.0}, {"out", view(out)}}, options);
    expect_scaled(2.0, 1.0);
    EXPECT_EQ(calls - before, 1);
    EXPECT_EQ(samples, 100'003);
    eagle::BoundPlan bound = plan.bind({{"x", view(x)}, {"a", 2.0}, {"b", 1.0}, {"out", view(out)}});
    bound.rebind("b", 5.0).launch();
    expect_scaled(2.0, 5.0);
    EXPECT_EQ(calls - before, 2);
}

TEST_F(Scaled, IsANodeOfAGraph) {
    eagle::GraphDescription g("old");
    const auto from = g.plane("x", view(x)), to = g.plane("out", view(out));
    g.launch(eagle::Plan(kernel), {{"x", from}, {"a", eagle::graph::Number{2.0, "a"}}, {"b", 1.0}, {"out", to}});
    eagle::BuiltGraph built = eagle::build(std::make_shared<const eagle::GraphDescription>(std::move(g)));
    built.launch();
    built.synchronize();
    expect_scaled(2.0, 1.0);
    built.update("a", 3.0);
    built.launch();
    built.synchronize();
    expect_scaled(3.0, 1.0);
}

TEST_F(Scaled, PartsAreRefusedNamingTheRule) {
    EXPECT_EQ(
        refusal<eagle::InvalidArgument>([&] { eagle::Plan(kernel, {}, 2); }),
        "kernel 'scale' comes from a v1 artifact and the plan has 2 partitions; the rule: a v1 kernel runs whole, "
        "on one device or team");
    eagle::BoundPlan bound = eagle::Plan(kernel).bind({{"x", view(x)}, {"a", 2.0}, {"b", 1.0}, {"out", view(out)}});
    EXPECT_NE(refusal<eagle::InvalidArgument>([&] {
                  bound.narrow(7);
              }).find("comes from a v1 artifact; the rule: only a sample_local kernel may leave samples out"),
              std::string::npos);
}

// A plane of stride 0 stands for as many samples as it likes.
TEST_F(Scaled, MoreSamplesThanItsCountHoldsAreRefused) {
    eagle::ArrayView many = view(x);
    many.shape[0] = std::int64_t{1} << 31;
    many.strides[0] = 0;
    many.read_only = true;
    EXPECT_EQ(refusal<eagle::LayoutError>([&] { eagle::Plan(kernel).run({{"x", many}, {"a", 2.0}, {"b", 1.0}}); }),
              "kernel 'scale' was given 2147483648 samples; its v1 entry takes at most 2147483647 in one call: give it "
              "fewer, or build the artifact again with schema v2");
}

TEST(VersionOneFile, OfTheOtherVersionIsRefused) {
    Folder newer;
    newer.add(handmade::version_one(handmade::scale()), "slow").as_version_one();
    EXPECT_NE(refusal<eagle::InvalidArgument>([&] {
                  newer.load().kernel();
              }).find("eagle_abi_tag is 'aether-abi/2', the manifest says 'aether-abi/1'"),
              std::string::npos);
    Folder older;
    older.add(handmade::scale(), "oldscale");
    EXPECT_NE(refusal<eagle::InvalidArgument>([&] {
                  older.load().kernel();
              }).find("eagle_abi_tag is 'aether-abi/1', the manifest says 'aether-abi/2'"),
              std::string::npos);
}

TEST(VersionOneFile, OfTwoVersionsInOneFolderIsRefused) {
    Folder folder;
    folder.add(handmade::scale(), "oldscale").as_version_one();
    EXPECT_NE(
        refusal<eagle::InvalidArgument>([&] {
            folder.load();
        }).find("'schema_version' of kernel 'scale' is '2', the manifest says '1' for every kernel of the folder"),
        std::string::npos);
}

TEST(VersionOneFile, OfADeviceHasNoEntryThatIsDefined) {
    Folder folder;
    folder.add(handmade::version_one(handmade::scale()), "oldscale").as_version_one();
    folder.manifest["plugins"][0]["format"] = "ptx";
    EXPECT_EQ(
        refusal<eagle::Unsupported>([&] { folder.load().kernel(); }),
        "kernel 'scale' has a v1 file of format ptx; version 1 defines an entry of host files alone, f(params, n): "
        "build the artifact again with schema v2");
}

TEST(VersionOneFile, AStepThatLeavesSamplesOutIsRefused) {
    std::vector<std::int64_t> n(3);
    Folder folder;
    nlohmann::json sidecar = handmade::version_one(handmade::counter(false));
    sidecar["kernel"] = "scale";  // the name of the entry
    const eagle::Kernel kernel = folder.add(sidecar, "oldscale").as_version_one().load().kernel();
    eagle::SimulateOptions options;
    options.max_steps = 1;
    EXPECT_EQ(
        refusal<eagle::InvalidArgument>([&] { eagle::simulate(kernel, {{"n", view(n)}}, options); }),
        "kernel 'scale' comes from a v1 artifact; the rule: a v1 kernel runs whole, and simulate needs one that can "
        "leave samples out: run it with a plan");
}

}  // namespace
