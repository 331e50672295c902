// A program run plane by plane, statements of the branches of a fork in a random order that its marks allow.
#pragma once
#include <random>
#include <set>

#include "random/Program.h"

namespace eagle::conformance::random {

class Interleaved {
  public:
    Interleaved(const Program& program, std::uint64_t order, State& state)
        : words_(program.words), random_(order), state_(state) {}

    void run(const Block& block) {
        for (const Statement& s : block) run(s);
    }

  private:
    using Plane = std::vector<std::uint64_t>;
    std::uint32_t& cell(const Statement& s, std::uint32_t which) {
        return state_.cells[std::size_t(s.number) * CellsOf::each + which];
    }

    void run(const Statement& s) {
        if (s.what == Do::fork) return run_fork(s);
        if (is_conditional(s.what)) return run_conditional(s);
        Plane &to = state_.planes[s.to], from = state_.planes[s.from];
        for (std::size_t i = 0; i < words_; ++i) {
            if (s.what == Do::mix) to[i] = 3 * to[i] + 5 * from[i] + s.k;
            if (s.what == Do::copy) to[i] = from[i];
            if (s.what == Do::fill && i < s.k) to[i] = 0;
            if (s.what == Do::note) to[i] = 3 * to[i] + cell(s, CellsOf::ran);
            if (s.what == Do::host) to[i] = 7 * to[i] + s.k;
        }
    }

    void run_fork(const Statement& s) {
        std::vector<std::size_t> at(s.blocks.size(), 0);
        std::set<std::uint32_t> made;
        for (;;) {
            std::vector<std::size_t> ready;
            for (std::size_t b = 0; b < at.size(); ++b) {
                if (at[b] == s.blocks[b].size()) continue;
                const Statement& next = s.blocks[b][at[b]];
                if (next.what != Do::wait || made.count(next.number)) ready.push_back(b);
            }
            if (ready.empty()) return;
            const std::size_t b = ready[random_() % ready.size()];
            const Statement& next = s.blocks[b][at[b]++];
            if (next.what == Do::mark) made.insert(next.number);
            if (next.what != Do::mark && next.what != Do::wait) run(next);
        }
    }

    bool holds(const Statement& s) {
        const bool differs = cell(s, CellsOf::count) != (s.decision.has_baseline ? s.decision.baseline : 0);
        return differs != s.decision.is_negated;
    }
    void run_conditional(const Statement& s) {
        std::uint32_t& count = cell(s, CellsOf::count);
        count = static_cast<std::uint32_t>(state_.planes[s.from][0] % s.decision.modulus);
        if (s.what == Do::loop) return run_loop(s);
        std::size_t arm = s.what == Do::one_of_many ? count : holds(s) ? 0 : 1;
        if (arm < s.blocks.size()) run(s.blocks[arm]);
    }
    void run_loop(const Statement& s) {
        const Decision& d = s.decision;
        std::uint32_t &remaining = cell(s, CellsOf::remaining), &ran = cell(s, CellsOf::ran);
        remaining = d.cap;
        ran = 0;
        bool is_broken = false;
        while (holds(s) && remaining > 0 && !(d.has_limit && ran >= d.limit) && !is_broken) {
            run(s.blocks[0]);
            std::uint32_t& count = cell(s, CellsOf::count);
            count -= count > 0;
            is_broken = d.has_break && ran == d.break_at;
            ++ran;
            --remaining;
        }
        if (d.has_break) cell(s, CellsOf::brk) = is_broken;
    }

    std::size_t words_;
    std::mt19937_64 random_;
    State& state_;
};

inline void run_interleaved(const Program& program, std::uint64_t order, State& state) {
    Interleaved(program, order, state).run(program.block);
}

}  // namespace eagle::conformance::random
