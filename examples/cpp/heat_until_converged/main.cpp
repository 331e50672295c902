// A rod that is hot at one end, relaxed until it has come to rest: a loop, a switch and a host function in one graph,
// and one launch for the whole run. Where it goes on and which arm it takes is decided where the work runs.
//
// heat_until_converged [points] [tolerance]
#include <eagle/eagle.h>

#include <array>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace {

using eagle::graph::CellRef;
using eagle::graph::FunctionArgument;
using eagle::graph::Mode;
using eagle::graph::PlaneRef;

FunctionArgument plane(PlaneRef which, Mode mode) {
    FunctionArgument argument;
    argument.plane = which;
    argument.mode = mode;
    argument.whole = mode == Mode::write;
    return argument;
}

FunctionArgument number(double value, std::string name) {
    FunctionArgument argument;
    argument.bytes.resize(sizeof value);
    std::memcpy(argument.bytes.data(), &value, sizeof value);
    argument.updatable_as = std::move(name);  // may be given anew between launches
    return argument;
}

// What the run reads and writes, and what it says at its end.
struct Rod {
    explicit Rod(std::size_t points) : temperature(points, 0.0) { temperature.front() = 100.0; }
    std::vector<double> temperature;
    std::array<std::uint32_t, 3> steps{};  // in each phase: far, near, nearly there
    std::uint32_t last_turn = 0, reported = 0;
};

eagle::GraphDescription describe(Rod& rod, const eagle::Module& kernels, double tolerance) {
    const auto n = static_cast<std::int64_t>(rod.temperature.size());
    eagle::GraphDescription g("heat");
    const PlaneRef u = g.plane("u", eagle::ArrayView::of(std::span(rod.temperature)));
    const PlaneRef steps = g.plane("steps", eagle::ArrayView::of(std::span(rod.steps)));
    const PlaneRef turn = g.plane("turn", eagle::ArrayView::of(std::span(&rod.last_turn, 1)));
    const PlaneRef next = g.scratch("next", {n}, eagle::Dtype::float64);
    const PlaneRef change = g.scratch("change", {n}, eagle::Dtype::float64);
    const PlaneRef worst = g.scratch("worst", {1}, eagle::Dtype::float64);
    const CellRef going = g.cell("going"), phase = g.cell("phase");

    g.fill(going, 1);
    g.fill(steps, 0);
    {
        const auto loop = g.while_(going, {.cap = 1'000'000});
        g.function(kernels.function("relax"), n,
                   {plane(u, Mode::read), plane(next, Mode::write), plane(change, Mode::write), number(0.25, "rate")},
                   "relax");
        g.reduce(eagle::graph::Fold::max, change, worst);
        g.copy(u, next);
        g.function(kernels.function("judge"), 1,
                   {plane(worst, Mode::read), plane(going, Mode::write), plane(phase, Mode::write),
                    number(tolerance, "tolerance")},
                   "judge");
        auto which = g.switch_(phase, 3);
        for (std::uint32_t arm = 0; arm < 3; ++arm) {
            const auto scope = which.arm(arm);
            const CellRef counter = g.cell("steps of phase " + std::to_string(arm), steps, arm);
            g.function(kernels.function("count_step"), 1, {plane(counter, Mode::read_write)},
                       "count " + std::to_string(arm));
        }
        g.copy(turn, loop.iteration());
    }
    g.host([&rod] { rod.reported = rod.last_turn + 1; }, {turn}, {}, "report");
    return g;
}

int run(std::size_t points, double tolerance) {
    const auto kernels = std::make_shared<eagle::Module>(
        eagle::Module::load(eagle::Backend::load(eagle::cpu::Graph::kind), HEAT_KERNELS));
    Rod rod(points);
    eagle::LowerOptions options;
    options.owners = {kernels};
    eagle::BuiltGraph graph = eagle::lower(describe(rod, *kernels, tolerance), eagle::cpu::Graph(), options);
    graph.launch();  // the whole run

    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < points; ++i) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, &rod.temperature[i], sizeof bits);
        sum = sum * 31 + bits;
    }
    std::printf("steps    %" PRIu32 " (%" PRIu32 " far, %" PRIu32 " near, %" PRIu32
                " nearly there)\nchecksum %016" PRIx64 "\n",
                rod.reported, rod.steps[0], rod.steps[1], rod.steps[2], sum);
    std::printf("%s\n%s\n", graph.report().text().c_str(), graph.memory_report().text().c_str());
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    const long long points = argc > 1 ? std::atoll(argv[1]) : 1000;
    const double tolerance = argc > 2 ? std::atof(argv[2]) : 1e-3;
    if (argc > 3 || points < 3 || !(tolerance > 0)) {
        std::fprintf(stderr, "usage: heat_until_converged [points, at least 3] [tolerance, more than 0]\n");
        return 2;
    }
    try {
        return run(static_cast<std::size_t>(points), tolerance);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "heat_until_converged: %s\n", error.what());
        return 1;
    }
}
