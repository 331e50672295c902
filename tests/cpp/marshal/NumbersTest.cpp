#include <cmath>
#include <limits>

#include "Fixture.h"

namespace eagle::marshal {
namespace {

Packed one_number(Dtype dtype, const Value& value, const Signature& s) {
    (void)dtype;
    return pack_named(s, {{"a", value}});
}

struct Numbers : testing::Test {
    Signature f64 = kernel({uniform("a", Dtype::float64)});
    Signature f32 = kernel({uniform("a", Dtype::float32)});
    Signature i64 = kernel({uniform("a", Dtype::int64)});
    template <class T>
    T stored(const Signature& s, const Value& value) {
        return read_number<T>(one_number(s.parameters[0].dtype, value, s), 0);
    }
    template <class E>
    std::string refused(const Signature& s, const Value& value) {
        return refusal<E>([&] { pack_named(s, {{"a", value}}); });
    }
};

TEST_F(Numbers, IntegersBecomeFloats) {
    EXPECT_EQ(stored<double>(f64, std::int64_t{3}), 3.0);
    EXPECT_EQ(stored<double>(f64, std::int64_t{1} << 53), 9007199254740992.0);
    EXPECT_EQ(stored<float>(f32, std::int64_t{3}), 3.0f);
}

TEST_F(Numbers, AnIntegerThatAFloatCannotHoldIsRefused) {
    expect_words(refused<InvalidArgument>(f64, (std::int64_t{1} << 53) + 1), {"'a'", "9007199254740993", "2**53"});
    expect_words(refused<InvalidArgument>(f64, std::numeric_limits<std::int64_t>::max()), {"9223372036854775807"});
}

TEST_F(Numbers, NaNAndInfinityAreFloats) {
    EXPECT_TRUE(std::isnan(stored<double>(f64, std::nan(""))));
    EXPECT_TRUE(std::isnan(stored<float>(f32, std::nan(""))));
    EXPECT_EQ(stored<float>(f32, std::numeric_limits<double>::infinity()), std::numeric_limits<float>::infinity());
}

TEST_F(Numbers, ADoubleIsRoundedToFloat32UnlessItOverflows) {
    EXPECT_EQ(stored<float>(f32, 0.1), 0.1f);
    expect_words(refused<InvalidArgument>(f32, 1e39), {"'a'", "1e+39", "float32"});
}

TEST_F(Numbers, AWholeFloatIsAnInteger) {
    EXPECT_EQ(stored<std::int64_t>(i64, 4.0), 4);
    EXPECT_EQ(stored<std::int64_t>(i64, -9223372036854775808.0), std::numeric_limits<std::int64_t>::min());
}

TEST_F(Numbers, OtherFloatsForAnIntegerAreRefused) {
    expect_words(refused<InvalidArgument>(i64, 2.5), {"'a'", "2.5", "int64", "whole number"});
    expect_words(refused<InvalidArgument>(i64, std::nan("")), {"nan", "whole number"});
    expect_words(refused<InvalidArgument>(i64, 9223372036854775808.0), {"whole number"});
}

TEST_F(Numbers, A32BitUniformIsRangeCheckedAndPassedIn64) {
    Signature s = kernel({uniform("a", Dtype::int32), uniform("b", Dtype::uint32)});
    Packed p = pack_named(s, {{"a", std::int64_t{-5}}, {"b", std::int64_t{4294967295}}});
    EXPECT_EQ(read_number<std::int64_t>(p, 0), -5);
    EXPECT_EQ(read_number<std::int64_t>(p, 1), 4294967295);
    expect_words(refusal<InvalidArgument>([&] { pack_named(s, {{"a", std::int64_t{1} << 31}, {"b", 0.0}}); }),
                 {"'a'", "2147483648", "int32", "2147483647"});
    expect_words(refusal<InvalidArgument>([&] { pack_named(s, {{"a", 0.0}, {"b", std::int64_t{-1}}}); }),
                 {"'b'", "-1", "uint32"});
}

TEST_F(Numbers, ANumberForAScalarPlaneIsOneSample) {
    Signature s = kernel({scalar_in("x"), scalar_in("n", Dtype::int64), scalar_in("m", Dtype::int32)});
    Packed p = pack_named(s, {{"x", std::int64_t{2}}, {"n", 7.0}, {"m", std::int64_t{-3}}}, converting());
    EXPECT_TRUE(p.one_sample());
    EXPECT_EQ(p.samples(), 1);
    EXPECT_EQ(read_scalar(p, 0, 0), 2.0);
    EXPECT_EQ(read_scalar<std::int64_t>(p, 1, 0), 7);
    EXPECT_EQ(read_scalar<std::int32_t>(p, 2, 0), -3);
    EXPECT_TRUE(p.notices().empty());
}

TEST_F(Numbers, NSamplesIs32Bits) {
    Signature s = kernel({scalar_in("x"), {"nsamples", Role::nsamples, Dtype::uint32}});
    std::vector<double> x(3);
    Packed p = pack_named(s, {{"x", array(x)}});
    EXPECT_EQ(read_number<std::uint32_t>(p, 1), 3u);
    ArrayView huge = strided(x, {std::int64_t{1} << 32}, {1});  // never touched: refused before
    expect_words(refusal<LayoutError>([&] { pack_named(s, {{"x", huge}}); }), {"'x'", "4294967296", "4294967295"});
}

}  // namespace
}  // namespace eagle::marshal
