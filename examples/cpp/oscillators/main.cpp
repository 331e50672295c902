// A batch of damped oscillators, each run until it has come to rest. The kernel is an artifact on disk, whoever built
// it: oscillators <folder> [samples] [threads].
//
// The kernel `oscillator` takes omega and zeta of each sample, dt and rest, and changes x, v and terminated.
#include <eagle/eagle.h>

#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <span>
#include <string>
#include <vector>

namespace {

struct Batch {
    explicit Batch(std::size_t samples)
        : omega(samples), zeta(samples), x(samples, 1.0), v(samples, 0.0), done(samples) {
        const auto side = static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(samples))));
        for (std::size_t i = 0; i < samples; ++i) {
            omega[i] = 3.0 + 27.0 * (static_cast<double>(i % side) / static_cast<double>(side));
            zeta[i] = 0.05 + 1.95 * (static_cast<double>(i / side) / static_cast<double>(side));
        }
    }
    eagle::Arguments arguments() {
        using eagle::ArrayView;
        return {{"omega", ArrayView::of(std::span<const double>(omega))},
                {"zeta", ArrayView::of(std::span<const double>(zeta))},
                {"x", ArrayView::of(std::span(x))},
                {"v", ArrayView::of(std::span(v))},
                {"terminated", ArrayView::of(std::span(done))},
                {"dt", 0.01},
                {"rest", 1e-4}};
    }
    std::vector<double> omega, zeta, x, v;
    std::vector<std::uint8_t> done;
};

// A sum over 8-byte words, each scrambled together with its place: any order of computing gives the same, so that an
// array language can do it too.
std::uint64_t checksum(std::uint64_t from, const void* data, std::size_t words) {
    for (std::size_t i = 0; i < words; ++i) {
        std::uint64_t z = 0;
        std::memcpy(&z, static_cast<const char*>(data) + 8 * i, 8);
        z ^= (i + 1) * 0x9e3779b97f4a7c15u;
        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
        z = (z ^ z >> 27) * 0x94d049bb133111ebu;
        from += z ^ z >> 31;
    }
    return from;
}

int run(const char* folder, std::size_t samples, int threads) {
    const eagle::Kernel kernel = eagle::Artifact::load(folder).kernel("oscillator");
    Batch batch(samples);
    eagle::SimulateOptions options;
    options.max_steps = 20'000;
    options.team.threads = threads;
    const eagle::SimResult result = eagle::simulate(kernel, batch.arguments(), options);

    std::uint64_t sum = checksum(0, batch.x.data(), samples);
    sum = checksum(sum, batch.v.data(), samples);
    sum = checksum(sum, result.steps_per_sample.view().data, samples);
    std::printf("samples  %zu\nfinished %" PRId64 "\nsteps    %" PRId64 "\nchecksum %016" PRIx64 "\n", samples,
                result.done, result.steps, sum);
    std::printf("seconds  %.4f\nrate     %.4g steps/s\n%s\n", result.wall_s,
                static_cast<double>(result.steps) / result.wall_s, result.report.c_str());
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    const long long samples = argc > 2 ? std::atoll(argv[2]) : 1'000'000;
    const int threads = argc > 3 ? std::atoi(argv[3]) : 0;
    if (argc < 2 || argc > 4 || samples < 1) {
        std::fprintf(stderr, "usage: oscillators <artifact folder> [samples, at least 1] [threads, 0 for all]\n");
        return 2;
    }
    try {
        return run(argv[1], static_cast<std::size_t>(samples), threads);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "oscillators: %s\n", error.what());
        return 1;
    }
}
