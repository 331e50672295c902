#include <cmath>
#include <limits>

#include "Fixture.h"

namespace eagle::marshal {
namespace {

struct Convert : testing::Test {
    std::vector<double> doubles = {1.5, 2.5};
    Signature of(Dtype dtype) { return kernel({scalar_in("x", dtype)}); }
    std::string refused(Dtype needed, ArrayView view, Conversion conversion = Conversion::convert) {
        Options o;
        o.conversion = conversion;
        Signature s = of(needed);
        return refusal<BufferRefused>([&] { pack_named(s, {{"x", view}}, o); });
    }
};

TEST_F(Convert, AnIntegerArrayBecomesFloat64ByValue) {
    Signature s = of(Dtype::float64);
    std::vector<std::int32_t> values = {-1, 0, 2147483647};
    Packed p = pack_named(s, {{"x", array(values)}}, converting());
    EXPECT_EQ(read_scalar(p, 0, 0), -1.0);
    EXPECT_EQ(read_scalar(p, 0, 2), 2147483647.0);
    ASSERT_EQ(p.notices().size(), 1u);
    EXPECT_EQ(p.notices()[0].kind, Notice::Kind::performance);
    expect_words(p.notices()[0].text, {"'x'", "int32", "float64", "by value"});
}

TEST_F(Convert, AnyDifferenceIsRefusedInBind) {
    std::vector<std::int32_t> values = {1};
    expect_words(refused(Dtype::float64, array(values), Conversion::refuse),
                 {"'x'", "int32", "needs float64", "nothing is converted", "astype"});
}

TEST_F(Convert, WhatNumPyCallsUnsafeIsRefused) {
    expect_words(refused(Dtype::float32, array(doubles)), {"float64", "needs float32", "not safe"});
    expect_words(refused(Dtype::int64, array(doubles)), {"float64", "needs int64"});
    expect_words(refused(Dtype::float64, typed(array(doubles), TypeCode::complex, 64)), {"complex64"});
    expect_words(refused(Dtype::float64, typed(array(doubles), TypeCode::opaque, 64)), {"object"});
    expect_words(refused(Dtype::float64, typed(array(doubles), TypeCode::bfloat, 16)), {"bfloat16"});
    expect_words(refused(Dtype::float64, typed(array(doubles), TypeCode::floating, 128)), {"float128"});
    expect_words(refused(Dtype::boolean, array(doubles)), {"float64", "bool or 8-bit integers"});
}

// numpy.can_cast(from, to, "safe") for every pair that can come.
TEST_F(Convert, TheTableIsNumPys) {
    struct Source {
        TypeCode code;
        std::uint8_t bits;
        bool to[5];  // float64, float32, int64, int32, uint32
    };
    const Source sources[] = {
        {TypeCode::boolean, 8, {true, true, true, true, true}},
        {TypeCode::integer, 8, {true, true, true, true, false}},
        {TypeCode::integer, 16, {true, true, true, true, false}},
        {TypeCode::integer, 32, {true, false, true, true, false}},
        {TypeCode::integer, 64, {true, false, true, false, false}},
        {TypeCode::unsigned_integer, 8, {true, true, true, true, true}},
        {TypeCode::unsigned_integer, 16, {true, true, true, true, true}},
        {TypeCode::unsigned_integer, 32, {true, false, true, false, true}},
        {TypeCode::unsigned_integer, 64, {true, false, false, false, false}},
        {TypeCode::floating, 16, {true, true, false, false, false}},
        {TypeCode::floating, 32, {true, true, false, false, false}},
        {TypeCode::floating, 64, {true, false, false, false, false}},
    };
    const Dtype targets[] = {Dtype::float64, Dtype::float32, Dtype::int64, Dtype::int32, Dtype::uint32};
    std::vector<double> zeros(4);
    for (const Source& source : sources)
        for (std::size_t t = 0; t < 5; ++t) {
            ArrayView view = typed(array(zeros, {2}), source.code, source.bits);
            view.strides[0] = source.bits / 8;
            Signature s = of(targets[t]);
            auto call = [&] { pack_named(s, {{"x", view}}, converting()); };
            SCOPED_TRACE(element_type_name(view.type) + " to " + std::string(dtype_name(targets[t])));
            if (source.to[t])
                EXPECT_NO_THROW(call());
            else
                EXPECT_THROW(call(), BufferRefused);
        }
}

TEST_F(Convert, ValuesOfEveryWidthArrive) {
    Signature s = of(Dtype::float64);
    std::vector<std::int64_t> wide = {-3, 1};
    EXPECT_EQ(read_scalar(pack_named(s, {{"x", array(wide)}}, converting()), 0, 0), -3.0);
    std::vector<float> floats = {0.1f};
    EXPECT_EQ(read_scalar(pack_named(s, {{"x", array(floats)}}, converting()), 0, 0), static_cast<double>(0.1f));
    std::vector<std::uint32_t> u32 = {4294967295u};
    EXPECT_EQ(read_scalar(pack_named(s, {{"x", array(u32)}}, converting()), 0, 0), 4294967295.0);
    std::vector<std::uint8_t> bytes = {255, 2};
    ArrayView i8 = typed(array(bytes), TypeCode::integer, 8);
    EXPECT_EQ(read_scalar(pack_named(s, {{"x", i8}}, converting()), 0, 0), -1.0);
    ArrayView truth = array(bytes);  // bool by its bytes: any non-zero is true, so 1
    EXPECT_EQ(read_scalar(pack_named(s, {{"x", truth}}, converting()), 0, 1), 1.0);
}

TEST_F(Convert, HalfPrecisionByItsBits) {
    Signature s = of(Dtype::float32);
    // IEEE binary16: 1, -2, the largest 65504, the smallest subnormal 2^-24, infinity, -0
    std::vector<std::uint8_t> bytes;
    for (unsigned half : {0x3c00u, 0xc000u, 0x7bffu, 0x0001u, 0x7c00u, 0x8000u, 0x7e00u}) {
        bytes.push_back(static_cast<std::uint8_t>(half & 0xff));
        bytes.push_back(static_cast<std::uint8_t>(half >> 8));
    }
    ArrayView view = typed(array(bytes, {7}), TypeCode::floating, 16);
    view.strides[0] = 2;
    Packed p = pack_named(s, {{"x", view}}, converting());
    const float expected[] = {1.0f, -2.0f, 65504.0f, 5.9604644775390625e-08f, std::numeric_limits<float>::infinity()};
    for (std::uint64_t i = 0; i < 5; ++i) EXPECT_EQ(read_scalar<float>(p, 0, i), expected[i]);
    EXPECT_TRUE(std::signbit(read_scalar<float>(p, 0, 5)));
    EXPECT_TRUE(std::isnan(read_scalar<float>(p, 0, 6)));
}

TEST_F(Convert, AnInteger64ThatDoesNotSurviveIsRefusedByIndex) {
    Signature s = of(Dtype::float64);
    std::vector<std::int64_t> values = {1, 9007199254740992, 9007199254740993};
    std::string text = refusal<InvalidArgument>([&] { pack_named(s, {{"x", array(values)}}, converting()); });
    expect_words(text, {"'x'", "9007199254740993", "index 2", "2**53"});
    std::vector<std::int64_t> extreme = {std::numeric_limits<std::int64_t>::max()};
    EXPECT_THROW(pack_named(s, {{"x", array(extreme)}}, converting()), InvalidArgument);
    ArrayView unsigned_view = typed(array(extreme), TypeCode::unsigned_integer, 64);
    EXPECT_THROW(pack_named(s, {{"x", unsigned_view}}, converting()), InvalidArgument);
    Signature v = kernel({vector_in("v", 2)});
    std::vector<std::int64_t> matrix = {0, 0, 0, 0, 0, 9007199254740993};
    expect_words(refusal<InvalidArgument>([&] { pack_named(v, {{"v", array(matrix, {2, 3})}}, converting()); }),
                 {"index 2", "component 1"});
}

TEST_F(Convert, ForeignByteOrderIsRefusedEvenForOneDtype) {
    ArrayView swapped = typed(array(doubles), TypeCode::floating, 64, true);
    for (Conversion c : {Conversion::refuse, Conversion::convert})
        expect_words(refused(Dtype::float64, swapped, c), {"'x'", "big-endian float64", "byte order", "astype"});
}

TEST_F(Convert, MasksAreBytes) {
    Signature s = kernel({mask()});
    std::vector<std::uint8_t> bytes = {0, 255};
    for (TypeCode code : {TypeCode::boolean, TypeCode::integer, TypeCode::unsigned_integer}) {
        Packed p = pack_named(s, {{"done", typed(array(bytes), code, 8)}});
        EXPECT_EQ(block<ScalarBlock>(p, 0).data, reinterpret_cast<char*>(bytes.data()));
        EXPECT_EQ(block<ScalarBlock>(p, 0).stride, 1u);
    }
    std::vector<std::int64_t> wide = {0, 1};
    expect_words(refusal<BufferRefused>([&] { pack_named(s, {{"done", array(wide)}}, converting()); }),
                 {"'done'", "int64", "needs bool"});
}

TEST_F(Convert, LayoutAndDtypeInOneCopyGiveTwoNotices) {
    Signature v = kernel({vector_in("v", 2)});
    std::vector<std::int32_t> values = {1, 2, 3, 4, 5, 6};
    Packed p = pack_named(v, {{"v", array(values, {3, 2})}}, converting());
    EXPECT_EQ(read_vector(p, 0, 1, 2), 6.0);
    EXPECT_EQ(p.notices().size(), 2u);
}

}  // namespace
}  // namespace eagle::marshal
