// Every float: the functions of one argument over all 2^32 bit patterns, those of two over all first arguments beside a
// handful of second ones, at most one unit in the last place.
#include <gtest/gtest.h>

#include <algorithm>
#include <mutex>
#include <thread>

#include "arrays.h"

namespace hawk_test {
namespace {

using Reference = double (*)(double, double);

struct Worst {
    std::mutex lock;
    double ulps = 0;
    float x = 0, got = 0;
};

void sweep(ArrayFunction<float>* f, float y, const Reference& reference, std::uint64_t from, std::uint64_t to,
           Worst& worst) {
    constexpr std::size_t block = 1 << 14;
    Values<float> x(block), second(block, y), got(block);
    for (std::uint64_t b = from; b < to; b += block) {
        for (std::size_t i = 0; i < block; i++) {
            const auto bits = static_cast<std::uint32_t>(b + i);
            std::memcpy(&x[i], &bits, 4);
        }
        f(x.data(), second.data(), got.data(), block);
        for (std::size_t i = 0; i < block; i++) {
            const double want = reference(x[i], y);
            if (got[i] == static_cast<float>(want) && got[i] != 0) continue;  // correctly rounded
            const double u = ulps(got[i], static_cast<long double>(want));
            if (u <= worst.ulps) continue;
            const std::lock_guard hold(worst.lock);
            if (u > worst.ulps) worst.ulps = u, worst.x = x[i], worst.got = got[i];
        }
    }
}

void all_floats(const std::string& function, const Reference& reference, const Values<float>& seconds = {1.0f}) {
    ArrayFunction<float>* f = entry<ArrayFunction<float>>("functions", levels().back(), "pack_" + function + "_f32");
    for (const float y : seconds) {
        Worst worst;
        const unsigned workers = std::max(1u, std::thread::hardware_concurrency());
        std::vector<std::thread> threads;
        for (unsigned k = 0; k < workers; k++) {
            const std::uint64_t step = (std::uint64_t{1} << 32) >> 14, from = step * k / workers << 14,
                                to = step * (k + 1) / workers << 14;
            threads.emplace_back([&, from, to] { sweep(f, y, reference, from, to, worst); });
        }
        for (auto& t : threads) t.join();
        EXPECT_LE(worst.ulps, 1.0) << function << " of " << worst.x << ", " << y << ": got " << worst.got;
        testing::Test::RecordProperty(function + " " + std::to_string(y), std::to_string(worst.ulps));
    }
}

TEST(AllFloats, Exp) {
    all_floats("exp", [](double x, double) { return std::exp(x); });
}
TEST(AllFloats, Log) {
    all_floats("log", [](double x, double) { return std::log(x); });
}
TEST(AllFloats, Sin) {
    all_floats("sin", [](double x, double) { return std::sin(x); });
}
TEST(AllFloats, Cos) {
    all_floats("cos", [](double x, double) { return std::cos(x); });
}
TEST(AllFloats, Tanh) {
    all_floats("tanh", [](double x, double) { return std::tanh(x); });
}
TEST(AllFloats, Atan) {
    all_floats("atan", [](double x, double) { return std::atan(x); });
}
TEST(AllFloats, Atan2) {
    all_floats("atan2", [](double y, double x) { return std::atan2(y, x); }, {0.7f, -3.0f, 1e-30f});
}
TEST(AllFloats, Pow) {
    all_floats("pow", [](double x, double y) { return std::pow(x, y); }, {0.5f, 3.0f, -7.3f});
}

}  // namespace
}  // namespace hawk_test
