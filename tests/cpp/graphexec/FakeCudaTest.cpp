// Lowered graphs on kind cuda over the fake driver: host logic, and the code of eagle's own kernels as fibers. Nothing
// here says anything about a card.
#include <cmath>
#include <cstring>
#include <numeric>

#include "Lowered.h"

using namespace graphexec_test;
using namespace eagle;
using namespace eagle::graph;

namespace {

Backend cuda() { return Backend::load("cuda"); }

template <class T>
Array up(std::vector<T> values, std::vector<std::int64_t> shape = {}) {
    if (shape.empty()) shape = {static_cast<std::int64_t>(values.size())};
    return Array::upload(ArrayView::host(values.data(), dtype_of<T>::value, shape), cuda());
}

template <class T>
std::vector<T> down(const Array& array) {
    const Array host = array.download();
    const auto values = host.as<T>();
    return {values.begin(), values.end()};
}

BuiltGraph on_cuda(GraphDescription g) {
    return lower(std::make_shared<const GraphDescription>(std::move(g)), Executor(cuda()));
}

std::uint64_t function(const char* name) {
    static const Module module = Module::load(cuda(), GRAPH_KERNELS);
    return module.function(name);
}

FunctionArgument whole(PlaneRef plane, Mode mode) {
    FunctionArgument argument;
    argument.plane = plane;
    argument.mode = mode;
    return argument;
}

TEST(GraphOnTheFakeDriver, FillsEveryPattern) {
    for (const std::size_t size : {1u, 2u, 4u, 8u, 16u}) {
        const Array x = up(std::vector<double>(600, -1.0));
        std::vector<std::byte> pattern(size), want(4800);
        for (std::size_t i = 0; i < size; ++i) pattern[i] = static_cast<std::byte>(i + 1);
        for (std::size_t i = 0; i < want.size(); ++i) want[i] = pattern[i % size];
        GraphDescription g;
        g.fill(g.plane("x", x.view()), std::span<const std::byte>(pattern));
        on_cuda(std::move(g)).launch().synchronize();
        EXPECT_EQ(std::memcmp(down<double>(x).data(), want.data(), want.size()), 0) << size;
    }
}

// On the host and there, from one description each.
template <class From, class To>
void same_fold(Fold fold, std::vector<From> values) {
    std::vector<To> host(1);
    GraphDescription g;
    g.reduce(fold, g.plane("x", ArrayView::of(std::span(values))), g.plane("out", ArrayView::of(std::span(host))));
    on_cpu(std::move(g)).launch().synchronize();
    const Array x = up(values), out = up(std::vector<To>(1));
    GraphDescription there;
    there.reduce(fold, there.plane("x", x.view()), there.plane("out", out.view()));
    on_cuda(std::move(there)).launch().synchronize();
    const std::vector<To> found = down<To>(out);
    EXPECT_EQ(std::memcmp(found.data(), host.data(), sizeof(To)), 0)
        << fold_name(fold) << ": " << +found[0] << ", the host has " << +host[0];
}

template <class T>
std::vector<T> numbers() {
    std::vector<T> out(10'000);
    for (std::size_t i = 0; i < out.size(); ++i)
        out[i] = static_cast<T>(1e9 * std::sin(static_cast<double>(i)) + 1e9 / static_cast<double>(i + 1));
    return out;
}

TEST(GraphOnTheFakeDriver, ReducesToTheBitsOfTheHost) {
    for (const Fold fold : {Fold::sum, Fold::max, Fold::min}) {
        same_fold<double, double>(fold, numbers<double>());
        same_fold<float, float>(fold, numbers<float>());
        same_fold<std::int64_t, std::int64_t>(fold, numbers<std::int64_t>());
        same_fold<std::int32_t, std::int32_t>(fold, numbers<std::int32_t>());  // whose sum wraps around
    }
    same_fold<std::uint8_t, std::uint32_t>(Fold::sum, std::vector<std::uint8_t>(5000, 1));
    for (const std::uint8_t last : {1, 0}) {
        std::vector<std::uint8_t> mask(5000, 1);
        mask.back() = last;
        same_fold<std::uint8_t, std::uint8_t>(Fold::all, mask);
    }
    std::vector<double> holed = numbers<double>();
    holed[9999] = std::nan("");
    same_fold<double, double>(Fold::max, holed);
    same_fold<double, double>(Fold::min, holed);
}

TEST(GraphOnTheFakeDriver, ReducesAStridedView) {
    std::vector<std::int32_t> values(24);
    std::iota(values.begin(), values.end(), 0);
    const Array x = up(values, {4, 6}), most = up(std::vector<std::int32_t>(1));
    GraphDescription g;
    const std::array<std::int64_t, 2> shape{2, 3}, strides{48, 8};  // rows 0 and 2, every second column
    g.reduce(Fold::max, g.view("part", g.plane("x", x.view()), 0, shape, strides), g.plane("most", most.view()));
    on_cuda(std::move(g)).launch().synchronize();
    EXPECT_EQ(down<std::int32_t>(most), std::vector<std::int32_t>{16});
}

TEST(GraphOnTheFakeDriver, CopiesThereComputesLoopsAndCopiesBack) {
    std::vector<std::int64_t> x{1, 2, 3}, y(3);
    double told = 0;
    GraphDescription g;
    const PlaneRef px = g.plane("x", ArrayView::of(std::span(x))), py = g.plane("y", ArrayView::of(std::span(y)));
    const Array there = up(std::vector<std::int64_t>{0});  // what says where the graph runs
    const PlaneRef sum = g.plane("sum", there.view());
    const PlaneRef on = g.scratch("on", {3}, Dtype::int64);
    g.copy(on, px);
    {
        const LoopScope loop = g.repeat(4);
        g.function(function("add_cell"), 3, {whole(on, Mode::read_write), whole(loop.iteration(), Mode::read)}, "add");
    }
    g.reduce(Fold::sum, on, sum);
    g.copy(py, on);
    g.host([&] { told = static_cast<double>(y[0] + y[1] + y[2]); }, {py}, {});
    BuiltGraph graph = on_cuda(std::move(g));
    graph.launch();
    graph.synchronize();
    EXPECT_EQ(y, (std::vector<std::int64_t>{7, 8, 9}));  // x + 0 + 1 + 2 + 3
    EXPECT_EQ(told, 24.0);
    EXPECT_EQ(down<std::int64_t>(there), std::vector<std::int64_t>{24});
    x = {0, 0, 1};
    graph.launch(2).synchronize();
    EXPECT_EQ(y, (std::vector<std::int64_t>{6, 6, 7}));
}

TEST(GraphOnTheFakeDriver, CompactsAndCountsWhatIsLeft) {
    std::vector<std::uint8_t> mask(1000);
    for (std::size_t i = 0; i < mask.size(); ++i) mask[i] = i % 3 == 0;
    const Array there = up(mask), map = up(std::vector<std::int32_t>(1000, -1)),
                count = up(std::vector<std::uint32_t>(1));
    GraphDescription g;
    const CellRef left = g.cell("left", reinterpret_cast<std::uint64_t>(count.view().data), {2, 0});
    g.compact(g.plane("mask", there.view()), g.plane("map", map.view()), left);
    on_cuda(std::move(g)).launch().synchronize();
    EXPECT_EQ(down<std::uint32_t>(count), std::vector<std::uint32_t>{334});
    const auto kept = down<std::int32_t>(map);
    for (std::size_t i = 0; i < 334; ++i) ASSERT_EQ(kept[i], static_cast<std::int32_t>(3 * i));
    EXPECT_EQ(kept[334], -1);
}

// What no order of the driver's may change: diamonds over shared planes, replayed in the order of several seeds (the
// runs of this test under FAKE_CUDA_SEED).
TEST(GraphOnTheFakeDriver, KeepsItsEdges) {
    constexpr int lanes = 4, rounds = 6;
    std::vector<Array> arrays;
    std::vector<std::vector<std::int64_t>> want;
    GraphDescription g;
    std::vector<PlaneRef> planes;
    for (int i = 0; i < lanes; ++i) {
        want.emplace_back(64, i);
        arrays.push_back(up(want.back()));
        planes.push_back(g.plane("x" + std::to_string(i), arrays.back().view()));
    }
    for (int r = 0; r < rounds; ++r) {
        for (std::size_t k = 0; k < lanes; ++k) {
            g.function(function("twice_and_one"), 64, {whole(planes[k], Mode::read_write)}, {});
            for (auto& v : want[k]) v = 2 * v + 1;
        }
        const auto to = static_cast<std::size_t>(r % lanes), from = static_cast<std::size_t>((r + 1) % lanes);
        g.copy(planes[to], planes[from]);
        want[to] = want[from];
    }
    on_cuda(std::move(g)).launch().synchronize();
    for (std::size_t i = 0; i < lanes; ++i) EXPECT_EQ(down<std::int64_t>(arrays[i]), want[i]) << i;
}

}  // namespace
