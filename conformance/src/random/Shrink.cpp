#include "Shrink.h"

#include <algorithm>

namespace eagle::conformance::random {
namespace {

bool is_order(const Statement& s) { return s.what == Do::mark || s.what == Do::wait; }
// A fork is no node: with empty branches it leaves nothing in a body.
bool is_work(const Statement& s) { return !is_order(s) && s.what != Do::fork; }

// Takes statement n out of the block, or counts n down by what the block holds. `keeps_work`: work has to remain.
bool take_out(Block& block, std::size_t& n, bool keeps_work, bool& is_out) {
    for (std::size_t i = 0; i < block.size(); ++i) {
        if (n == 0) {
            const auto work = std::count_if(block.begin(), block.end(), is_work);
            is_out = !is_order(block[i]) && !(keeps_work && is_work(block[i]) && work == 1);
            if (is_out) block.erase(block.begin() + static_cast<std::ptrdiff_t>(i));
            return true;
        }
        --n;
        for (Block& inner : block[i].blocks) {
            if (take_out(inner, n, is_conditional(block[i].what), is_out)) return true;
        }
    }
    return false;
}

}  // namespace

std::optional<Program> without(const Program& program, std::size_t n) {
    Program smaller = program;
    bool is_out = false;
    take_out(smaller.block, n, true, is_out);
    if (!is_out) return std::nullopt;
    return smaller;
}

// Statements that hold others come first in the text, so that whole trees go before their leaves are looked at.
Program shrink(Program program, std::size_t most, const std::function<bool(const Program&)>& fails) {
    for (bool has_changed = true; has_changed;) {
        has_changed = false;
        for (std::size_t n = 0; n < size_of(program.block);) {
            std::optional<Program> smaller = without(program, n);
            if (!smaller) {
                ++n;
                continue;
            }
            if (most-- == 0) return program;
            if (fails(*smaller)) {
                program = std::move(*smaller);
                has_changed = true;
            } else {
                ++n;
            }
        }
    }
    return program;
}

}  // namespace eagle::conformance::random
