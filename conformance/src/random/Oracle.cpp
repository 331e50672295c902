// The backend works plane by plane, in any order that the edges allow. Here each word goes through the whole program by
// itself: word 0 takes the decisions and writes them down, the other words follow them.
#include "Oracle.h"

#include <cstddef>

namespace eagle::conformance::random {
namespace {

constexpr std::uint32_t none = 0xffffffffu, uncapped = 0xffffffffu;

class Word {
  public:
    Word(State& state, std::vector<std::uint32_t>& decisions, std::size_t at)
        : cells_(state.cells), planes_(state.planes), decisions_(decisions), at_(at) {}

    void go(const Block& block) {
        for (const Statement& s : block) go(s);
    }

  private:
    std::uint64_t& word(std::uint32_t plane) { return planes_[plane][at_]; }
    std::uint32_t& cell(const Statement& s, std::uint32_t which) {
        return cells_[std::size_t(s.number) * CellsOf::each + which];
    }

    void go(const Statement& s) {
        switch (s.what) {
            case Do::mix:
                word(s.to) = 3 * word(s.to) + 5 * word(s.from) + s.k;
                return;
            case Do::copy:
                word(s.to) = word(s.from);
                return;
            case Do::fill:
                if (at_ < s.k) word(s.to) = 0;
                return;
            case Do::note:
                word(s.to) = 3 * word(s.to) + turns_.at(s.number);
                return;
            case Do::host:
                word(s.to) = 7 * word(s.to) + s.k;
                return;
            case Do::mark:
            case Do::wait:
                return;
            case Do::fork:
                for (const Block& branch : s.blocks) go(branch);
                return;
            case Do::loop:
                return turns(s);
            default:
                break;
        }
        std::uint32_t arm = decide([&] { return arm_of(s); });
        if (arm != none) go(s.blocks[arm]);
    }

    // Word 0 asks and writes down; the others read.
    std::uint32_t decide(auto&& ask) {
        if (at_ == 0) decisions_.push_back(ask());
        return decisions_[next_++];
    }

    bool guard(const Statement& s) {
        const std::uint32_t against = s.decision.has_baseline ? s.decision.baseline : 0;
        return (cell(s, CellsOf::count) != against) != s.decision.is_negated;
    }
    std::uint32_t arm_of(const Statement& s) {
        const auto count = static_cast<std::uint32_t>(word(s.from) % s.decision.modulus);
        cell(s, CellsOf::count) = count;
        if (s.what == Do::one_of_many) return count < s.blocks.size() ? count : none;
        if (guard(s)) return 0;
        return s.what == Do::two_arms ? 1 : none;
    }

    bool goes_on(const Statement& s) {
        const Decision& d = s.decision;
        if (d.cap != uncapped && cell(s, CellsOf::ran) >= d.cap) return false;
        if (d.has_limit && cell(s, CellsOf::ran) >= d.limit) return false;
        if (d.has_break && cell(s, CellsOf::brk) != 0) return false;
        return guard(s);
    }
    void begin_loop(const Statement& s) {
        cell(s, CellsOf::count) = static_cast<std::uint32_t>(word(s.from) % s.decision.modulus);
        cell(s, CellsOf::remaining) = s.decision.cap;
        cell(s, CellsOf::ran) = 0;
        if (s.decision.has_break) cell(s, CellsOf::brk) = 0;
    }
    void end_turn(const Statement& s) {
        std::uint32_t& count = cell(s, CellsOf::count);
        if (count > 0) --count;
        if (s.decision.has_break && cell(s, CellsOf::ran) == s.decision.break_at) cell(s, CellsOf::brk) = 1;
        ++cell(s, CellsOf::ran);
        --cell(s, CellsOf::remaining);
    }
    void turns(const Statement& s) {
        if (turns_.size() <= s.number) turns_.resize(s.number + 1);
        turns_[s.number] = 0;
        if (at_ == 0) begin_loop(s);
        while (decide([&] { return goes_on(s) ? 1u : 0u; }) == 1u) {
            go(s.blocks[0]);
            ++turns_[s.number];
            if (at_ == 0) end_turn(s);
        }
    }

    std::vector<std::uint32_t>& cells_;
    std::vector<std::vector<std::uint64_t>>& planes_;
    std::vector<std::uint32_t>& decisions_;
    std::size_t at_, next_ = 0;
    std::vector<std::uint64_t> turns_;  // of each while, so far
};

}  // namespace

void run(const Program& program, State& state) {
    std::vector<std::uint32_t> decisions;
    for (std::size_t i = 0; i < program.words; ++i) Word(state, decisions, i).go(program.block);
}

}  // namespace eagle::conformance::random
