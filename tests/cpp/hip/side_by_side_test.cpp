// Two GPU kinds in one process: cuda on the fake driver, and hip over a shim on the same.
#include <eagle/BuiltGraph.h>
#include <eagle/Cards.h>
#include <eagle/GraphDescription.h>
#include <eagle/cuda/Graph.h>
#include <eagle/eagle.h>
#include <eagle/hip/Graph.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace {

using eagle::Array;
using eagle::Backend;

const std::string ambiguous =
    "eagle: backend='gpu' is ambiguous, cuda, hip are installed; name one of them as the backend";

std::string refusal(const std::function<void()>& call) {
    try {
        call();
    } catch (const eagle::BackendUnavailable& error) {
        return error.what();
    }
    return "nothing was refused";
}

Array up(const std::vector<double>& values, const Backend& backend) {
    const auto view = eagle::ArrayView::host(const_cast<double*>(values.data()), eagle::Dtype::float64,
                                             {static_cast<std::int64_t>(values.size())});
    return Array::upload(view, backend);
}

std::vector<double> down(const Array& array) {
    const Array host = array.download();
    const auto values = host.as<double>();
    return {values.begin(), values.end()};
}

TEST(SideBySide, GpuIsAmbiguousAndEachIsNamed) {
    EXPECT_EQ(refusal([] { eagle::gpu_kind(); }), ambiguous + "\ncuda: a device is usable; hip: a device is usable");
    eagle::GraphDescription g;
    const Array x = Array::zeros({4}, eagle::Dtype::float64, Backend::load("hip"), 0);
    g.fill(g.plane("x", x.view()), 0);
    const auto description = std::make_shared<const eagle::GraphDescription>(std::move(g));
    EXPECT_EQ(refusal([&] { eagle::build(description, "gpu"); }).rfind(ambiguous, 0), 0u);
    eagle::build(description, "hip").launch();
    EXPECT_EQ(eagle::build(description).executor().backend().kind(), "hip");  // by where the planes lie
}

// A graph of one kind: from -> via -> to, and via is cleared.
template <class Graph>
eagle::BuiltGraph moving(const Array& from, const Array& via, const Array& to) {
    eagle::GraphDescription g;
    const auto a = g.plane("from", from.view()), b = g.plane("via", via.view()), c = g.plane("to", to.view());
    g.copy(b, a);
    g.copy(c, b);
    g.fill(b, 0);
    return eagle::lower(std::move(g), Graph());
}

TEST(SideBySide, GraphsOfBothReplayInTurn) {
    const Backend cuda = Backend::load("cuda"), hip = Backend::load("hip");
    const std::vector<double> values{1, 2, 3, 4}, zeros(4, 0.0);
    const Array from[] = {up(values, cuda), up({5, 6, 7, 8}, hip)};
    const Array via[] = {up(zeros, cuda), up(zeros, hip)}, to[] = {up(zeros, cuda), up(zeros, hip)};
    EXPECT_EQ(to[0].view().device_type, 2);
    EXPECT_EQ(to[1].view().device_type, 10);
    auto on_cuda = moving<eagle::cuda::Graph>(from[0], via[0], to[0]);
    auto on_hip = moving<eagle::hip::Graph>(from[1], via[1], to[1]);
    for (int i = 0; i < 3; ++i) {
        on_cuda.launch();
        on_hip.launch();
    }
    on_hip.synchronize();
    on_cuda.synchronize();
    EXPECT_EQ(down(to[0]), values);
    EXPECT_EQ(down(to[1]), (std::vector<double>{5, 6, 7, 8}));
    EXPECT_EQ(down(via[1]), zeros);
}

TEST(SideBySide, AnArrayOfOneIsNoneOfTheOthers) {
    const Array x = Array::zeros({4}, eagle::Dtype::float64, Backend::load("hip"), 0);
    const Array y = Array::zeros({4}, eagle::Dtype::float64, Backend::load("cuda"), 0);
    EXPECT_EQ(eagle::kind_of_device_type(x.view().device_type), "hip");
    EXPECT_THROW(eagle::copy(x.view(), y.view()), eagle::BufferRefused);
}

TEST(SideBySide, ALoopIsRefusedByTheKindThatHasNone) {
    const auto looping = [](const Backend& backend) {
        const Array x = Array::zeros({4}, eagle::Dtype::float64, backend, 0);
        eagle::GraphDescription g;
        const auto plane = g.plane("x", x.view());
        {
            auto loop = g.repeat(3);
            g.fill(plane, 0);
        }
        eagle::build(std::make_shared<const eagle::GraphDescription>(std::move(g))).launch();
    };
    looping(Backend::load("cuda"));
    EXPECT_NE(refusal([&] { looping(Backend::load("hip")); }).find("does not provide conditional"), std::string::npos);
}

TEST(SideBySide, OneCardOfBothIsTold) {
    Backend::load("cuda");
    Backend::load("hip");
    const std::string card = "cuda:0 and hip:0 are one card, PCI 0000:f0:00.0";
    EXPECT_EQ(eagle::shared_cards(), std::vector<std::string>{card});
    // A file under a second name is the same kind again.
    const auto link = std::filesystem::temp_directory_path() / ("eagle_cuda." + std::to_string(getpid()) + ".so");
    std::filesystem::create_symlink(std::getenv("EAGLE_BACKEND_CUDA"), link);
    Backend::load("cuda", link);
    EXPECT_EQ(eagle::shared_cards(), std::vector<std::string>{card});
    std::filesystem::remove(link);
    const std::string report = eagle::backend_report_text();
    EXPECT_NE(report.find("  " + card + "\n"), std::string::npos) << report;
    EXPECT_NE(report.find("never run on AMD hardware"), std::string::npos);
    EXPECT_NE(report.find(ambiguous), std::string::npos);
}

}  // namespace
