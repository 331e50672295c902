// Functions with one right answer: square root, rounding, fma, signs, extremes. And the operations on int64.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "arrays.h"

namespace hawk_test {
namespace {

template <class T>
class Exact : public testing::Test {};
using Types = testing::Types<double, float>;
TYPED_TEST_SUITE(Exact, Types);

template <class T>
void expect_exactly(const std::string& function, const std::function<T(T, T)>& want) {
    const bool single = sizeof(T) == 4;
    const std::string symbol = function + (single ? "_f32" : "_f64");
    Random g(41);
    Values<T> x = any_bits<T>(g, 20000), y = any_bits<T>(g, 20000);
    pairs(special<T>(), x, y);
    for (const double reach : {2.0, 100.0, sizeof(T) == 8 ? 0x1p53 : 0x1p24}) {
        const Values<T> a = between<T>(g, 5000, -reach, reach), b = between<T>(g, 5000, -reach, reach);
        x.insert(x.end(), a.begin(), a.end());
        y.insert(y.end(), b.begin(), b.end());
    }
    std::vector<std::string> forms{"pack_" + symbol, "lane_" + symbol};
    if (single) forms.push_back("pack_" + symbol + "_narrow");
    for (const std::string& level : levels())
        for (const std::string& form : forms) {
            const Values<T> got = evaluate(form, level, x, y);
            for (std::size_t i = 0; i < x.size(); i++)
                ASSERT_TRUE(same(got[i], want(x[i], y[i]))) << form << " " << level << " of " << x[i] << ", " << y[i]
                                                            << ": got " << got[i] << ", want " << want(x[i], y[i]);
        }
}

TYPED_TEST(Exact, SquareRoot) {
    expect_exactly<TypeParam>("sqrt", [](TypeParam x, TypeParam) { return std::sqrt(x); });
}
TYPED_TEST(Exact, Rounding) {
    using T = TypeParam;
    expect_exactly<T>("floor", [](T x, T) { return std::floor(x); });
    expect_exactly<T>("ceil", [](T x, T) { return std::ceil(x); });
    expect_exactly<T>("trunc", [](T x, T) { return std::trunc(x); });
    expect_exactly<T>("rint", [](T x, T) { return std::nearbyint(x); });
}
TYPED_TEST(Exact, FusedMultiplyAdd) {
    using T = TypeParam;
    expect_exactly<T>("fma_sum", [](T x, T y) { return std::fma(x, y, y); });
    expect_exactly<T>("fma_rest", [](T x, T y) { return std::fma(x, y, -(x * y)); });
}
TYPED_TEST(Exact, Signs) {
    using T = TypeParam;
    expect_exactly<T>("abs", [](T x, T) { return std::fabs(x); });
    expect_exactly<T>("copysign", [](T x, T y) { return std::copysign(x, y); });
}

// As a person orders them: -0 before +0, a NaN first of all or not at all.
template <class T>
T extreme(T a, T b, bool high, bool nan_wins) {
    if (std::isnan(a)) return nan_wins ? a : b;
    if (std::isnan(b)) return nan_wins ? b : a;
    if (a == b) return (std::signbit(a) != high) ? a : b;
    return (a < b) != high ? a : b;
}
TYPED_TEST(Exact, Extremes) {
    using T = TypeParam;
    expect_exactly<T>("minimum", [](T a, T b) { return extreme(a, b, false, true); });
    expect_exactly<T>("maximum", [](T a, T b) { return extreme(a, b, true, true); });
    expect_exactly<T>("fmin", [](T a, T b) { return extreme(a, b, false, false); });
    expect_exactly<T>("fmax", [](T a, T b) { return extreme(a, b, true, false); });
}

// ---------------------------------------------------------------- int64

using Ints = Values<std::int64_t>;
using IntFunction = void(const std::int64_t*, const std::int64_t*, std::int64_t*, std::int32_t*, std::int64_t);
constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
__extension__ typedef __int128 Wide;

void int_pairs(Ints& x, Ints& y) {
    Random g(42);
    pairs(Ints{0, 1, -1, 2, -2, 3, -3, 7, -7, 63, 64, 65, -64, 1000, least, least + 1, most, most - 1, 1LL << 32}, x,
          y);
    for (int i = 0; i < 20000; i++) {
        x.push_back(static_cast<std::int64_t>(g()) >> (g() % 64));
        y.push_back(static_cast<std::int64_t>(g()) >> (g() % 64));
    }
}
std::int64_t wrapped(Wide v) { return static_cast<std::int64_t>(static_cast<std::uint64_t>(v)); }

struct Expected {
    std::int64_t value;
    std::int32_t code;
};

void expect_integers(const std::string& function, const std::function<Expected(std::int64_t, std::int64_t)>& want) {
    Ints x, y;
    int_pairs(x, y);
    for (const std::string& level : levels())
        for (const std::string form : {"pack_", "lane_"}) {
            Ints got(x.size());
            std::vector<std::int32_t> code(x.size(), 9);
            entry<IntFunction>("integers", level, form + function)(x.data(), y.data(), got.data(), code.data(),
                                                                   static_cast<std::int64_t>(x.size()));
            for (std::size_t i = 0; i < x.size(); i++) {
                const Expected e = want(x[i], y[i]);
                ASSERT_EQ(got[i], e.value) << form << function << " " << level << " of " << x[i] << ", " << y[i];
                ASSERT_EQ(code[i], e.code) << form << function << " " << level << " of " << x[i] << ", " << y[i];
            }
        }
}
void expect_integers(const std::string& function, std::int64_t (*want)(std::int64_t, std::int64_t)) {
    expect_integers(function, [want](std::int64_t a, std::int64_t b) { return Expected{want(a, b), 0}; });
}

TEST(Integer, DivisionFloors) {
    const auto floored = [](Wide a, Wide b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); };
    expect_integers("floor_div", [&](std::int64_t a, std::int64_t b) {
        if (b == 0) return Expected{0, -1};
        if (a == least && b == -1) return Expected{0, -2};
        return Expected{wrapped(floored(a, b)), 0};
    });
    expect_integers("floor_mod", [&](std::int64_t a, std::int64_t b) {
        if (b == 0) return Expected{0, -1};
        return Expected{wrapped(a - floored(a, b) * b), 0};
    });
}
TEST(Integer, ArithmeticWraps) {
    expect_integers("add", [](std::int64_t a, std::int64_t b) { return wrapped(static_cast<Wide>(a) + b); });
    expect_integers("subtract", [](std::int64_t a, std::int64_t b) { return wrapped(static_cast<Wide>(a) - b); });
    expect_integers("multiply", [](std::int64_t a, std::int64_t b) { return wrapped(static_cast<Wide>(a) * b); });
    expect_integers("negate", [](std::int64_t a, std::int64_t) { return wrapped(-static_cast<Wide>(a)); });
    expect_integers("magnitude",
                    [](std::int64_t a, std::int64_t) { return wrapped(a < 0 ? -static_cast<Wide>(a) : a); });
}
TEST(Integer, ShiftsTakeTheAmountModulo64) {
    const auto amount = [](std::int64_t b) { return static_cast<int>(((b % 64) + 64) % 64); };
    expect_integers("shl", [&](std::int64_t a, std::int64_t b) {
        return Expected{wrapped(static_cast<Wide>(a) * (static_cast<Wide>(1) << amount(b))), 0};
    });
    expect_integers("shr", [&](std::int64_t a, std::int64_t b) {
        const Wide p = static_cast<Wide>(1) << amount(b), q = a / p;
        return Expected{wrapped(q - (a < 0 && q * p != a)), 0};
    });
}
TEST(Integer, Extremes) {
    expect_integers("minimum", [](std::int64_t a, std::int64_t b) { return std::min(a, b); });
    expect_integers("maximum", [](std::int64_t a, std::int64_t b) { return std::max(a, b); });
}

template <class T>
std::int64_t saturated(T x) {
    if (std::isnan(x)) return 0;
    if (x >= static_cast<T>(0x1p63)) return most;
    if (x < static_cast<T>(-0x1p63)) return least;
    return static_cast<std::int64_t>(x);
}
template <class T>
void expect_conversions(const std::string& type) {
    Random g(43);
    Values<T> x = any_bits<T>(g, 16000);
    for (const T s : special<T>()) x.push_back(s);
    for (const double s : {0x1p63, -0x1p63, 0x1p62, 0x1.fffffep62, -0x1.000002p63, 0x1p31, -1.75, 1.75})
        x.push_back(static_cast<T>(s));
    while (x.size() % 16) x.push_back(T(-2.5));
    Ints n, unused;
    int_pairs(n, unused);
    while (n.size() % 16) n.push_back(0);
    for (const std::string& level : levels())
        for (const std::string form : {"pack_", "lane_"}) {
            Ints whole(x.size());
            entry<void(const T*, std::int64_t*, std::int64_t)>("integers", level, form + "to_int_" + type)(
                x.data(), whole.data(), static_cast<std::int64_t>(x.size()));
            for (std::size_t i = 0; i < x.size(); i++) ASSERT_EQ(whole[i], saturated(x[i])) << form << level << x[i];
            Values<T> real(n.size());
            entry<void(const std::int64_t*, T*, std::int64_t)>("integers", level, form + "to_real_" + type)(
                n.data(), real.data(), static_cast<std::int64_t>(n.size()));
            for (std::size_t i = 0; i < n.size(); i++)
                ASSERT_EQ(real[i], static_cast<T>(n[i])) << form << level << n[i];
        }
}
TEST(Integer, ConversionSaturates) {
    expect_conversions<double>("f64");
    expect_conversions<float>("f32");
}

}  // namespace
}  // namespace hawk_test
