// The functions of hawk/math.h against the C library in long double: at most one unit in the last place over the whole
// domain, the special values of C99, and the same bits in every width and level.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "arrays.h"

namespace hawk_test {
namespace {

using Reference = std::function<long double(long double, long double)>;

template <class T>
struct Domain {
    std::string name;
    Values<T> x, y;
};

constexpr std::size_t points = 120000;

template <class T>
Domain<T> one(const char* name, Values<T> x) {
    Values<T> y(x.size(), T(1));
    return {name, std::move(x), std::move(y)};
}
template <class T>
Values<T> absolute(Values<T> v) {
    for (T& x : v) x = std::fabs(x);
    return v;
}

template <class T>
std::vector<Domain<T>> unary_domains(double reach) {
    Random g(31);
    return {one("[-1, 1]", between<T>(g, points, -1, 1)),
            one("wide", between<T>(g, points, -reach, reach)),
            one("[0.5, 2]", between<T>(g, points, 0.5, 2)),
            one("any bits", any_bits<T>(g, points)),
            one("any positive bits", absolute(any_bits<T>(g, points))),
            one("special", special<T>())};
}

template <class T>
void check(const std::string& function, const std::vector<Domain<T>>& domains, const Reference& reference,
           double most_ulps = 1.0) {
    const bool single = sizeof(T) == 4;
    const std::string symbol = function + (single ? "_f32" : "_f64");
    const std::string best = levels().back();
    for (const Domain<T>& d : domains) {
        const Values<T> got = evaluate("pack_" + symbol, best, d.x, d.y);
        double worst = 0;
        std::size_t at = 0;
        for (std::size_t i = 0; i < got.size(); i++) {
            const double u = ulps(got[i], reference(d.x[i], d.y[i]));
            if (u > worst) worst = u, at = i;
        }
        EXPECT_LE(worst, most_ulps) << symbol << " over " << d.name << " at " << d.x[at] << ", " << d.y[at] << ": got "
                                    << got[at] << ", want " << reference(d.x[at], d.y[at]);
        testing::Test::RecordProperty(symbol + " " + d.name, std::to_string(worst));
        // The same bits elsewhere. Without an fma instruction it is slow, so fewer points there.
        for (const std::string& level : levels()) {
            const bool slow = level == "x86-64" || level == "x86-64-v2";
            const std::size_t few = slow ? std::min<std::size_t>(d.x.size(), 20003) : d.x.size();
            const Values<T> x(d.x.begin(), d.x.begin() + static_cast<std::ptrdiff_t>(few)),
                y(d.y.begin(), d.y.begin() + static_cast<std::ptrdiff_t>(few));
            std::vector<std::string> forms{"pack_" + symbol, "lane_" + symbol};
            if (single) forms.push_back("pack_" + symbol + "_narrow");
            for (const std::string& form : forms) {
                const Values<T> other = evaluate(form, level, x, y);
                std::size_t differ = 0;
                for (std::size_t i = 0; i < few; i++) differ += !same(other[i], got[i]);
                EXPECT_EQ(differ, 0u) << form << " " << level << " over " << d.name;
            }
        }
    }
}

template <class T>
class Math : public testing::Test {};
using Types = testing::Types<double, float>;
TYPED_TEST_SUITE(Math, Types);

// Arguments near multiples of pi, where the result is all rest.
template <class T>
Values<T> near_pi(std::size_t n) {
    Random g(32);
    Values<T> v = between<T>(g, n, -1e6, 1e6);
    for (T& x : v) x = static_cast<T>(std::round(static_cast<double>(x)) * 1.57079632679489661923);
    return v;
}

TYPED_TEST(Math, Exp) {
    const double reach = sizeof(TypeParam) == 8 ? 745 : 104;
    check<TypeParam>("exp", unary_domains<TypeParam>(reach), [](long double x, long double) { return std::exp(x); });
}
TYPED_TEST(Math, Log) {
    check<TypeParam>("log", unary_domains<TypeParam>(1000), [](long double x, long double) { return std::log(x); });
}
TYPED_TEST(Math, Sin) {
    auto domains = unary_domains<TypeParam>(1e5);
    domains.push_back(one("near k pi / 2", near_pi<TypeParam>(points)));
    check<TypeParam>("sin", domains, [](long double x, long double) { return std::sin(x); });
}
TYPED_TEST(Math, Cos) {
    auto domains = unary_domains<TypeParam>(1e5);
    domains.push_back(one("near k pi / 2", near_pi<TypeParam>(points)));
    check<TypeParam>("cos", domains, [](long double x, long double) { return std::cos(x); });
}
TYPED_TEST(Math, Tanh) {
    check<TypeParam>("tanh", unary_domains<TypeParam>(20), [](long double x, long double) { return std::tanh(x); });
}
TYPED_TEST(Math, Atan) {
    check<TypeParam>("atan", unary_domains<TypeParam>(50), [](long double x, long double) { return std::atan(x); });
}

template <class T>
std::vector<Domain<T>> special_pairs() {
    Domain<T> d{"special pairs", {}, {}};
    pairs(special<T>(), d.x, d.y);
    return {d};
}

TYPED_TEST(Math, Atan2) {
    using T = TypeParam;
    Random g(33);
    auto domains = special_pairs<T>();
    domains.push_back({"[-1, 1] both", between<T>(g, points, -1, 1), between<T>(g, points, -1, 1)});
    domains.push_back({"near a diagonal", between<T>(g, points, 0.99, 1.01), between<T>(g, points, -1.01, -0.99)});
    domains.push_back({"around one half", between<T>(g, points, 0.49, 0.51), between<T>(g, points, 0.99, 1.01)});
    domains.push_back({"steep", between<T>(g, points, -100, 100), between<T>(g, points, -1e-3, 1e-3)});
    domains.push_back({"any bits", any_bits<T>(g, points), any_bits<T>(g, points)});
    check<T>("atan2", domains, [](long double y, long double x) { return std::atan2(y, x); });
}

TYPED_TEST(Math, Pow) {
    using T = TypeParam;
    Random g(34);
    const double high = sizeof(T) == 8 ? 30 : 3.5;
    auto domains = special_pairs<T>();
    domains.push_back({"small", between<T>(g, points, 0.1, 10), between<T>(g, points, -high, high)});
    domains.push_back({"wide", between<T>(g, points, 0, 1e3), between<T>(g, points, -80, 80)});
    const double near = sizeof(T) == 8 ? 1e-6 : 1e-3;
    domains.push_back({"near 1, huge exponent", between<T>(g, points, 1 - near, 1 + near),
                       between<T>(g, points, -600 / near, 600 / near)});
    domains.push_back({"any bits", any_bits<T>(g, points), any_bits<T>(g, points)});
    Domain<T> whole{"integer exponent", any_bits<T>(g, points), between<T>(g, points, -9, 9)};
    for (T& y : whole.y) y = std::round(y);
    domains.push_back(whole);
    check<T>("pow", domains, [](long double x, long double y) { return std::pow(x, y); });
}

}  // namespace
}  // namespace hawk_test
