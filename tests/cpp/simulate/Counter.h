// A batch of counters, and what they must come to: written as a loop over one sample, apart from everything tested.
#pragma once
#include <eagle/Simulate.h>

#include <cstdint>
#include <span>
#include <vector>

#include "Handmade.h"

inline constexpr double counter_a = 0.999, counter_b = 0.01;

struct Counter {
    explicit Counter(std::size_t count) : n(count), x(count), fault_at(count, 0.0), limit(count), done(count, 0) {
        for (std::size_t i = 0; i < count; ++i) {
            x[i] = 0.25 * static_cast<double>(i % 17) - 1.0;
            limit[i] = static_cast<double>(1 + (i * 7919) % 613);  // stops between 1 and 613, in no order
        }
    }
    eagle::Arguments arguments(bool with_mask = true) {
        eagle::Arguments out = {
            {"n", handmade::view(n)},         {"x", handmade::view(x)}, {"fault_at", handmade::view(fault_at)},
            {"limit", handmade::view(limit)}, {"a", counter_a},         {"b", counter_b}};
        if (with_mask) out.emplace_back("done", eagle::ArrayView::of(std::span<std::uint8_t>(done)));
        return out;
    }
    // Advances every live sample by at most `cap` steps, one after the other. The steps of each.
    std::vector<std::int64_t> advance(std::int64_t cap) {
        std::vector<std::int64_t> steps(n.size(), 0);
        for (std::size_t i = 0; i < n.size(); ++i)
            while (!done[i] && steps[i] < cap) {
                n[i] += 1;
                x[i] = counter_a * x[i] + counter_b;
                steps[i] += 1;
                done[i] = static_cast<double>(n[i]) >= limit[i];
            }
        return steps;
    }
    bool same_state(const Counter& other) const { return n == other.n && x == other.x && done == other.done; }

    std::vector<std::int64_t> n;
    std::vector<double> x, fault_at, limit;
    std::vector<std::uint8_t> done;
};

inline std::vector<std::int64_t> steps_of(const eagle::SimResult& result) {
    const auto steps = result.steps_per_sample.as<std::int64_t>();
    return {steps.begin(), steps.end()};
}

inline eagle::SimulateOptions steps_at_most(std::int64_t max_steps, int threads = 0) {
    eagle::SimulateOptions options;
    options.max_steps = max_steps;
    options.team.threads = threads;
    return options;
}
