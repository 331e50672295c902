// What examples/cpp/heat_until_converged must print first, by a plain loop: heat <points> <tolerance>.
#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

int main(int, char** argv) {
    const auto n = static_cast<std::size_t>(std::atoll(argv[1]));
    const double tolerance = std::atof(argv[2]);
    std::vector<double> u(n, 0.0);
    u[0] = 100.0;
    std::uint32_t steps[3] = {};
    for (double worst = 1e300; worst > tolerance;) {
        std::vector<double> next = u;
        for (std::size_t i = 1; i + 1 < n; ++i) next[i] = u[i] + 0.25 * (u[i - 1] - 2.0 * u[i] + u[i + 1]);
        worst = 0;
        for (std::size_t i = 0; i < n; ++i) worst = std::max(worst, std::fabs(next[i] - u[i]));
        ++steps[worst > 100.0 * tolerance ? 0 : worst > 10.0 * tolerance ? 1 : 2];
        u = next;
    }
    std::uint64_t sum = 0;
    for (const double x : u) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, &x, sizeof bits);
        sum = sum * 31 + bits;
    }
    std::printf("steps    %" PRIu32 " (%" PRIu32 " far, %" PRIu32 " near, %" PRIu32
                " nearly there)\nchecksum %016" PRIx64 "\n",
                steps[0] + steps[1] + steps[2], steps[0], steps[1], steps[2], sum);
}
