#include <numeric>

#include "Fixture.h"

namespace eagle::marshal {
namespace {

struct Written : testing::Test {
    Signature s = kernel({state("x")});
    Signature v = kernel({vector_state("v", 3)});
    std::vector<double> data = std::vector<double>(12);
    Written() { std::iota(data.begin(), data.end(), 0.0); }
};

TEST_F(Written, ReadOnlyIsRefused) {
    ArrayView view = array(data);
    view.read_only = true;
    expect_words(refusal<BufferRefused>([&] { pack_named(s, {{"x", view}}); }), {"'x'", "read-only", "writes it"});
    Signature reads = kernel({scalar_in("x")});
    EXPECT_NO_THROW(pack_named(reads, {{"x", view}}));
}

TEST_F(Written, AMaskThatTheKernelNeverWritesMayBeReadOnly) {
    Signature m = kernel({mask()});
    std::vector<std::uint8_t> bytes = {0, 1};
    ArrayView view = array(bytes);
    view.read_only = true;
    expect_words(refusal<BufferRefused>([&] { pack_named(m, {{"done", view}}); }), {"'done'", "read-only"});
    m.terminated_readonly = true;
    EXPECT_NO_THROW(pack_named(m, {{"done", view}}));
}

TEST_F(Written, AnotherDtypeIsRefusedEvenWhenItConverts) {
    std::vector<std::int32_t> ints = {1, 2};
    std::string text = refusal<BufferRefused>([&] { pack_named(s, {{"x", array(ints)}}, converting()); });
    expect_words(text, {"'x'", "int32", "written in place", "float64"});
}

TEST_F(Written, StrideZeroAndNegativeStridesAreRefused) {
    expect_words(refusal<LayoutError>([&] { pack_named(s, {{"x", strided(data, {4}, {0})}}, converting()); }),
                 {"'x'", "stride of 0", "writes it"});
    expect_words(refusal<LayoutError>([&] { pack_named(s, {{"x", strided(data, {4}, {-1}, 8)}}, converting()); }),
                 {"'x'", "negative stride", "writes it"});
}

TEST_F(Written, ElementsThatShareMemoryAreRefused) {
    ArrayView window = strided(data, {3, 5}, {1, 1});
    expect_words(refusal<LayoutError>([&] { pack_named(v, {{"v", window}}, converting()); }),
                 {"'v'", "share memory", "pass a copy"});
}

TEST_F(Written, SamplesFirstIsCopiedInAndBack) {
    Packed p = pack_named(v, {{"v", array(data, {4, 3})}}, converting());
    auto b = block<VectorBlock>(p, 0);
    EXPECT_EQ(read_vector(p, 0, 2, 1), 5.0);
    double changed = 99.0;
    std::memcpy(b.data + (2 * b.comp_stride + 1 * b.sample_stride) * 8, &changed, 8);
    EXPECT_EQ(data[5], 5.0);
    p.copy_back();
    std::vector<double> expected(12);
    std::iota(expected.begin(), expected.end(), 0.0);
    expected[5] = 99.0;
    EXPECT_EQ(data, expected);
    expect_words(p.notices()[0].text, {"copied and back"});
    EXPECT_EQ(p.array(0).data, data.data());
}

TEST_F(Written, CopyBackTouchesOnlyTheElementsOfTheView) {
    ArrayView spread = strided(data, {2, 3}, {6, 2});  // samples first, with gaps
    Packed p = pack_named(v, {{"v", spread}}, converting());
    auto b = block<VectorBlock>(p, 0);
    for (int i = 0; i < 6; ++i) {
        double value = -1.0;
        std::memcpy(b.data + i * 8, &value, 8);
    }
    p.copy_back();
    EXPECT_EQ(data, (std::vector<double>{-1, 1, -1, 3, -1, 5, -1, 7, -1, 9, -1, 11}));
}

TEST_F(Written, ARefusalTouchesNothing) {
    Signature both = kernel({vector_state("v", 3), scalar_in("y")});
    std::vector<std::int64_t> bad = {0, 0, 0, 9007199254740993};
    std::vector<double> before = data;
    EXPECT_THROW(pack_named(both, {{"v", array(data, {4, 3})}, {"y", array(bad)}}, converting()), InvalidArgument);
    EXPECT_EQ(data, before);
}

TEST_F(Written, MemoryIsNeeded) {
    ArrayView nothing = ArrayView::host(nullptr, Dtype::float64, {4});
    expect_words(refusal<BufferRefused>([&] { pack_named(s, {{"x", nothing}}); }), {"'x'", "(4,)", "no memory"});
    ArrayView negative = array(data);
    negative.shape[0] = -1;
    expect_words(refusal<LayoutError>([&] { pack_named(s, {{"x", negative}}); }), {"'x'", "(-1,)"});
}

TEST_F(Written, DevicesAreNotMixed) {
    Signature two = kernel({state("x"), scalar_in("y")});
    std::vector<double> other(12);
    ArrayView far = array(other);
    far.device_type = 2;
    far.device_id = 1;
    expect_words(refusal<BufferRefused>([&] { pack_named(two, {{"x", array(data)}, {"y", far}}); }),
                 {"'x'", "'y'", "device type 2, number 1", "the host", "one device"});
    ArrayView x = array(data);
    x.device_type = 2;
    x.device_id = 1;
    expect_words(refusal<BufferRefused>([&] { pack_named(two, {{"x", x}, {"y", far}}); }),
                 {"'x'", "device type 2", "this call runs on the host"});
    Options there;
    there.device_type = 2;
    there.device_id = 1;
    Packed p = pack_named(two, {{"x", x}, {"y", far}}, there);
    EXPECT_EQ(block<ScalarBlock>(p, 0).device_type, 2);
    EXPECT_EQ(block<ScalarBlock>(p, 0).device_id, 1);
}

}  // namespace
}  // namespace eagle::marshal
