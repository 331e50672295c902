#include "Program.h"

#include <algorithm>

namespace eagle::conformance::random {
namespace {

void visit(const Block& block, auto&& each) {
    for (const Statement& s : block) {
        each(s);
        for (const Block& inner : s.blocks) visit(inner, each);
    }
}

std::string plane(std::uint32_t number) { return "p" + std::to_string(number); }

std::string decision_of(const Statement& s) {
    const Decision& d = s.decision;
    std::string text = " " + std::to_string(s.number) + " (" + plane(s.from) + "[0] % " + std::to_string(d.modulus);
    if (s.what != Do::one_of_many) {
        text += std::string(d.is_negated ? " == " : " != ") + (d.has_baseline ? std::to_string(d.baseline) : "0");
    }
    if (s.what == Do::loop) {
        text += d.cap == 0xffffffffu ? ", uncapped" : ", cap " + std::to_string(d.cap);
        if (d.has_limit) text += ", limit " + std::to_string(d.limit);
        if (d.has_break) text += ", break in turn " + std::to_string(d.break_at);
    }
    return text + ")";
}

const char* name_of(Do what) {
    switch (what) {
        case Do::fork:
            return "fork";
        case Do::one_arm:
            return "if";
        case Do::two_arms:
            return "if_else";
        case Do::loop:
            return "while";
        case Do::one_of_many:
            return "switch";
        default:
            return "";
    }
}

std::string line_of(const Statement& s) {
    const std::string to = plane(s.to), k = std::to_string(s.k);
    switch (s.what) {
        case Do::mix:
            return to + " = 3 " + to + " + 5 " + plane(s.from) + " + " + k;
        case Do::copy:
            return to + " = " + plane(s.from);
        case Do::fill:
            return to + "[0.." + k + ") = 0";
        case Do::note:
            return to + " = 3 " + to + " + turns of while " + std::to_string(s.number);
        case Do::host:
            return "host: " + to + " = 7 " + to + " + " + k;
        case Do::mark:
            return "mark " + std::to_string(s.number);
        case Do::wait:
            return "wait for mark " + std::to_string(s.number);
        case Do::fork:
            return name_of(s.what);
        default:
            return name_of(s.what) + decision_of(s);
    }
}

void write(std::string& text, const Block& block, const std::string& indent) {
    for (const Statement& s : block) {
        text += indent + line_of(s) + "\n";
        for (std::size_t i = 0; i < s.blocks.size(); ++i) {
            text += indent + "  " + (s.what == Do::fork ? "branch " : "arm ") + std::to_string(i) + ":\n";
            write(text, s.blocks[i], indent + "    ");
        }
    }
}

}  // namespace

// Values that fill all their bits, so that no byte of a plane may be left out unseen.
State first_state(const Program& program) {
    State state;
    for (std::uint64_t p = 0; p < program.planes; ++p) {
        auto& words = state.planes.emplace_back(program.words);
        for (std::uint64_t i = 0; i < program.words; ++i) words[i] = (p * 1000003 + i * 17 + 1) * 0x9e3779b97f4a7c15u;
    }
    state.cells.assign(std::size_t(program.conditionals) * CellsOf::each, 0);
    visit(program.block, [&](const Statement& s) {
        if (!is_conditional(s.what)) return;
        const std::size_t at = std::size_t(s.number) * CellsOf::each;
        state.cells[at + CellsOf::baseline] = s.decision.baseline;
        state.cells[at + CellsOf::limit] = s.decision.limit;
        state.cells[at + CellsOf::brk] = 9;  // the while clears it
    });
    return state;
}

std::string text_of(const Program& program, const std::string& margin) {
    std::string text =
        margin + std::to_string(program.planes) + " planes p0.. of " + std::to_string(program.words) + " words\n";
    write(text, program.block, margin);
    return text;
}

std::string difference(const State& found, const State& wanted) {
    for (std::size_t p = 0; p < wanted.planes.size(); ++p) {
        for (std::size_t i = 0; i < wanted.planes[p].size(); ++i) {
            const std::uint64_t a = found.planes[p][i], b = wanted.planes[p][i];
            if (a != b)
                return "p" + std::to_string(p) + "[" + std::to_string(i) + "] is " + std::to_string(a) + ", wanted " +
                       std::to_string(b);
        }
    }
    static constexpr const char* names[] = {"count", "baseline", "remaining", "ran", "break", "limit"};
    for (std::size_t c = 0; c < wanted.cells.size(); ++c) {
        if (found.cells[c] == wanted.cells[c]) continue;
        return std::string("cell ") + names[c % CellsOf::each] + " of conditional " +
               std::to_string(c / CellsOf::each) + " is " + std::to_string(found.cells[c]) + ", wanted " +
               std::to_string(wanted.cells[c]);
    }
    return "";
}

std::size_t size_of(const Block& block) {
    std::size_t n = 0;
    visit(block, [&](const Statement&) { ++n; });
    return n;
}

bool holds(const Block& block, bool (*is_one)(const Statement&)) {
    bool found = false;
    visit(block, [&](const Statement& s) { found = found || is_one(s); });
    return found;
}

}  // namespace eagle::conformance::random
