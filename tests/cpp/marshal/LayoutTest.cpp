#include <numeric>

#include "Fixture.h"

namespace eagle::marshal {
namespace {

struct Layout : testing::Test {
    Signature s = kernel({vector_in("v", 3)});
    Signature m = kernel({matrix_in("m", 2, 3)});
    std::vector<double> data = std::vector<double>(60);
    Layout() { std::iota(data.begin(), data.end(), 0.0); }
    Options axis(SamplesAxis a, Conversion c = Conversion::convert) {
        Options o;
        o.layout = a;
        o.conversion = c;
        return o;
    }
};

TEST_F(Layout, NativeVectorIsAView) {
    Packed p = pack_named(s, {{"v", array(data, {3, 5})}});
    auto b = block<VectorBlock>(p, 0);
    EXPECT_EQ(b.data, reinterpret_cast<char*>(data.data()));
    EXPECT_EQ(b.samples, 5u);
    EXPECT_EQ(b.comp_stride, 5u);
    EXPECT_EQ(b.sample_stride, 1u);
    EXPECT_EQ(b.device_type, 1);
}

TEST_F(Layout, SamplesFirstWithAContiguousTransposeIsAView) {
    Packed p = pack_named(s, {{"v", strided(data, {5, 3}, {1, 5})}});
    auto b = block<VectorBlock>(p, 0);
    EXPECT_EQ(b.data, reinterpret_cast<char*>(data.data()));
    EXPECT_EQ(b.comp_stride, 5u);
    EXPECT_EQ(b.sample_stride, 1u);
    EXPECT_TRUE(p.notices().empty());
}

TEST_F(Layout, OtherSamplesFirstIsCopiedWithANotice) {
    Packed p = pack_named(s, {{"v", array(data, {5, 3})}}, converting());
    EXPECT_NE(block<VectorBlock>(p, 0).data, reinterpret_cast<char*>(data.data()));
    for (std::uint64_t i = 0; i < 5; ++i)
        for (std::uint64_t c = 0; c < 3; ++c) EXPECT_EQ(read_vector(p, 0, c, i), static_cast<double>(3 * i + c));
    ASSERT_EQ(p.notices().size(), 1u);
    EXPECT_EQ(p.notices()[0].kind, Notice::Kind::layout);
    EXPECT_EQ(p.notices()[0].parameter, "v");
    expect_words(p.notices()[0].text, {"'v'", "samples first", "copied", "(3, N)"});
    EXPECT_EQ(p.notices()[0].text.find('5'), std::string::npos) << "extents make the text differ from call to call";
}

TEST_F(Layout, OtherSamplesFirstIsRefusedInBindWithWhatToDo) {
    std::string text = refusal<LayoutError>([&] { pack_named(s, {{"v", array(data, {5, 3})}}); });
    expect_words(text, {"'v'", "samples first", "nothing is copied here", "(3, N)", "contiguous copy"});
}

TEST_F(Layout, ASquareHasTwoReadings) {
    std::string text = refusal<LayoutError>([&] { pack_named(s, {{"v", array(data, {3, 3})}}, converting()); });
    expect_words(text, {"'v'", "(3, 3)", "(3, N)", "(N, 3)", "samples_first", "samples_last"});
}

TEST_F(Layout, TheCallSaysWhichAxis) {
    Packed last = pack_named(s, {{"v", array(data, {3, 3})}}, axis(SamplesAxis::last));
    EXPECT_EQ(read_vector(last, 0, 1, 0), 3.0);
    Packed first = pack_named(s, {{"v", array(data, {3, 3})}}, axis(SamplesAxis::first));
    EXPECT_EQ(read_vector(first, 0, 1, 0), 1.0);
}

TEST_F(Layout, TheArraySaysItBeforeTheCall) {
    ArrayView marked = array(data, {3, 3});
    marked.axis = SamplesAxis::first;
    Packed p = pack_named(s, {{"v", marked}}, axis(SamplesAxis::last));
    EXPECT_EQ(read_vector(p, 0, 1, 0), 1.0);
}

TEST_F(Layout, AnAxisThatTheShapeContradictsIsRefused) {
    std::string text =
        refusal<LayoutError>([&] { pack_named(s, {{"v", array(data, {3, 5})}}, axis(SamplesAxis::first)); });
    expect_words(text, {"(3, 5)", "(N, 3)"});
    EXPECT_EQ(text.find("(3, N)"), std::string::npos) << text;
}

TEST_F(Layout, AShapeThatFitsNothingIsRefused) {
    expect_words(refusal<LayoutError>([&] { pack_named(s, {{"v", array(data, {4, 5})}}); }),
                 {"'v'", "(4, 5)", "(3, N)", "(N, 3)", "(3,) for one sample"});
    Signature x = kernel({scalar_in("x")});
    expect_words(refusal<LayoutError>([&] { pack_named(x, {{"x", array(data, {6, 1})}}); }), {"'x'", "(6, 1)", "(N,)"});
}

TEST_F(Layout, AMatrixComesWhole) {
    Packed p = pack_named(m, {{"m", array(data, {2, 3, 5})}});
    EXPECT_EQ(read_vector(p, 0, 4, 2), 22.0);  // row 1, column 1: 4 * 5 + 2
    Packed flat = pack_named(m, {{"m", array(data, {6, 5})}});
    EXPECT_EQ(read_vector(flat, 0, 4, 2), 22.0);
    std::vector<double> one(6);
    EXPECT_TRUE(pack_named(m, {{"m", array(one, {2, 3})}}).one_sample());
}

TEST_F(Layout, AMatrixWithSamplesFirst) {
    Packed p = pack_named(m, {{"m", array(data, {5, 2, 3})}}, converting());
    EXPECT_EQ(p.samples(), 5);
    EXPECT_EQ(read_vector(p, 0, 4, 2), 16.0);  // sample 2, element 4 of 6
    expect_words(p.notices()[0].text, {"samples first", "(2, 3, N)"});
    ArrayView transposed = strided(data, {5, 2, 3}, {1, 15, 5});
    EXPECT_EQ(block<VectorBlock>(pack_named(m, {{"m", transposed}}), 0).comp_stride, 5u);
}

TEST_F(Layout, ACubeHasTwoReadings) {
    Signature square = kernel({matrix_in("q", 2, 2)});
    expect_words(refusal<LayoutError>([&] { pack_named(square, {{"q", array(data, {2, 2, 2})}}); }),
                 {"(2, 2, N)", "(N, 2, 2)"});
}

TEST_F(Layout, RowsThatAreSpreadAreCopied) {
    ArrayView spread = strided(data, {2, 3, 4}, {20, 4, 1});
    Packed p = pack_named(m, {{"m", spread}}, converting());
    EXPECT_EQ(read_vector(p, 0, 4, 2), 26.0);  // 20 + 4 + 2
    expect_words(p.notices()[0].text, {"rows", "copied"});
    expect_words(refusal<LayoutError>([&] { pack_named(m, {{"m", spread}}); }), {"rows", "nothing is copied"});
}

TEST_F(Layout, PositiveStridesAreReadInPlace) {
    Signature x = kernel({scalar_in("x")});
    Packed p = pack_named(x, {{"x", strided(data, {4}, {7}, 2)}});
    EXPECT_EQ(block<ScalarBlock>(p, 0).stride, 7u);
    EXPECT_EQ(read_scalar(p, 0, 3), 23.0);
}

TEST_F(Layout, StrideZeroAndNegativeStridesOfInputsAreCopied) {
    Signature x = kernel({scalar_in("x")});
    for (std::int64_t stride : {0, -1}) {
        ArrayView view = strided(data, {4}, {stride}, 10);
        Packed p = pack_named(x, {{"x", view}}, converting());
        for (std::uint64_t i = 0; i < 4; ++i)
            EXPECT_EQ(read_scalar(p, 0, i), 10.0 + static_cast<double>(stride) * static_cast<double>(i));
        ASSERT_EQ(p.notices().size(), 1u);
        expect_words(p.notices()[0].text, {stride == 0 ? "stride of 0" : "negative stride", "copied"});
        expect_words(refusal<LayoutError>([&] { pack_named(x, {{"x", view}}); }), {"'x'", "nothing is copied"});
    }
}

TEST_F(Layout, UnalignedElementsAreCopied) {
    std::vector<char> bytes(64);
    double values[] = {1.5, 2.5};
    std::memcpy(bytes.data() + 1, &values[0], 8);
    std::memcpy(bytes.data() + 13, &values[1], 8);
    ArrayView view = ArrayView::host(bytes.data() + 1, Dtype::float64, {2});
    view.strides[0] = 12;
    Signature x = kernel({scalar_in("x")});
    Packed p = pack_named(x, {{"x", view}}, converting());
    EXPECT_EQ(read_scalar(p, 0, 0), 1.5);
    EXPECT_EQ(read_scalar(p, 0, 1), 2.5);
    expect_words(p.notices()[0].text, {"aligned"});
}

TEST_F(Layout, AllocatedOutputsAreZeroAndNative) {
    Signature out = kernel({vector_out("w", 2), scalar_out("y"), scalar_in("x")});
    Options o = converting();
    o.allocate_out = true;
    Packed p = pack_named(out, {{"x", array(data, {60})}}, o);
    EXPECT_EQ(p.array(0).ndim, 2);
    EXPECT_EQ(p.array(0).shape[0], 2);
    EXPECT_EQ(p.array(0).shape[1], 60);
    EXPECT_EQ(p.array(1).ndim, 1);
    EXPECT_EQ(block<VectorBlock>(p, 0).comp_stride, 60u);
    for (std::uint64_t i = 0; i < 60; ++i) {
        EXPECT_EQ(read_vector(p, 0, 1, i), 0.0);
        EXPECT_EQ(read_vector(p, 1, 0, i), 0.0);
    }
    EXPECT_NE(p.allocated(0), nullptr);
    EXPECT_EQ(p.allocated(2), nullptr);
    Packed one = pack_named(out, {{"x", 1.0}}, o);
    EXPECT_EQ(one.array(0).ndim, 1);
    EXPECT_EQ(one.array(1).ndim, 0);
}

TEST_F(Layout, AnAllocatorMakesTheOutputs) {
    struct Given : OutAllocator {
        std::vector<double> memory = std::vector<double>(60, 0.0);
        std::size_t index = 99, bytes = 0;
        std::vector<std::int64_t> shape;
        bool empty = false;
        std::shared_ptr<void> allocate(std::size_t i, const Parameter&, std::span<const std::int64_t> s,
                                       std::size_t b) override {
            index = i;
            bytes = b;
            shape.assign(s.begin(), s.end());
            if (empty) return nullptr;
            return {std::shared_ptr<void>(), memory.data()};
        }
    } allocator;
    Signature out = kernel({scalar_out("y"), scalar_in("x")});
    Options o = converting();
    o.allocate_out = true;
    o.allocator = &allocator;
    Packed p = pack_named(out, {{"x", array(data)}}, o);
    EXPECT_EQ(allocator.index, 0u);
    EXPECT_EQ(allocator.bytes, 480u);
    EXPECT_EQ(allocator.shape, std::vector<std::int64_t>{60});
    EXPECT_EQ(block<VectorBlock>(p, 0).data, reinterpret_cast<char*>(allocator.memory.data()));
    allocator.empty = true;
    expect_words(refusal<OutOfMemory>([&] { pack_named(out, {{"x", array(data)}}, o); }), {"480 bytes", "'y'"});
}

TEST_F(Layout, ATableIsOneDimensionOrDense) {
    Signature t = kernel({{"t", Role::lookup, Dtype::float64}});
    EXPECT_EQ(block<ScalarBlock>(pack_named(t, {{"t", array(data, {6, 10})}}), 0).samples, 60u);
    EXPECT_EQ(block<ScalarBlock>(pack_named(t, {{"t", strided(data, {6}, {10})}}), 0).stride, 10u);
    expect_words(refusal<LayoutError>([&] { pack_named(t, {{"t", strided(data, {6, 5}, {10, 1})}}); }),
                 {"'t'", "(6, 5)", "not contiguous"});
}

}  // namespace
}  // namespace eagle::marshal
