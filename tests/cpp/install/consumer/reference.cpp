// The damped oscillators of examples/cpp/oscillators as a plain loop: the lines that the example must print.
#include <cinttypes>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

// The sum is over words in any order, so planes can be added one after the other.
template <class T>
std::uint64_t checksum(const std::vector<T>& words) {
    std::uint64_t sum = 0, place = 0;
    for (const T& word : words) {
        std::uint64_t z = 0;
        std::memcpy(&z, &word, sizeof z);
        place += 0x9e3779b97f4a7c15u;
        z ^= place;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
        z = (z ^ z >> 27) * 0x94d049bb133111ebu;
        sum += z ^ z >> 31;
    }
    return sum;
}

}  // namespace

int main(int, char** argv) {
    const long n = std::atol(argv[1]);
    const long side = static_cast<long>(std::ceil(std::sqrt(static_cast<double>(n))));
    std::vector<double> xs, vs;
    std::vector<std::int64_t> steps;
    std::int64_t total = 0, finished = 0;
    for (long i = 0; i < n; ++i) {
        const double omega = 3.0 + 27.0 * (static_cast<double>(i % side) / static_cast<double>(side));
        const double zeta = 0.05 + 1.95 * (static_cast<double>(i / side) / static_cast<double>(side));
        const double stiffness = omega * omega;
        double x = 1.0, v = 0.0;
        std::int64_t made = 0;
        bool rest = false;
        while (!rest && made < 20'000) {
            v = v - 0.01 * (2.0 * zeta * omega * v + stiffness * x);
            x = x + 0.01 * v;
            rest = v * v + stiffness * x * x <= 1e-4 * stiffness;
            ++made;
        }
        xs.push_back(x);
        vs.push_back(v);
        steps.push_back(made);
        total += made;
        finished += rest;
    }
    std::printf("samples  %ld\nfinished %" PRId64 "\nsteps    %" PRId64 "\nchecksum %016" PRIx64 "\n", n, finished,
                total, checksum(xs) + checksum(vs) + checksum(steps));
}
