// Branches of a fork share nothing that one of them writes, but for planes that one has given up at a mark: a program
// has one result, whatever order its edges leave open.
#include "Generate.h"

#include <algorithm>
#include <utility>

namespace eagle::conformance::random {
namespace {

using Planes = std::vector<std::uint32_t>;

// SplitMix64: the same numbers with every compiler and library.
class Numbers {
  public:
    explicit Numbers(std::uint64_t seed) : state_(seed) {}
    std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>((next() >> 16u) % bound); }
    bool one_in(std::uint32_t n) { return below(n) == 0; }

  private:
    std::uint64_t next() {
        std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
        z = (z ^ (z >> 30u)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27u)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31u);
    }
    std::uint64_t state_;
};

// Where a block stands: what it may write and read, the whiles around it, and how deep it is.
struct Place {
    Planes owned, readable;
    std::vector<std::uint32_t> loops;
    std::uint32_t depth = 0;
    bool is_in_body = false;
};

class Generator {
  public:
    Generator(std::uint64_t seed, const Abilities& abilities) : numbers_(seed), abilities_(abilities) {}

    Program make() {
        program_.planes = 4 + numbers_.below(9);
        program_.words = numbers_.one_in(8) ? 2000 + numbers_.below(4000) : 1 + numbers_.below(70);
        Place whole;
        for (std::uint32_t p = 0; p < program_.planes; ++p) whole.owned.push_back(p);
        program_.block.push_back(mix(whole));
        fill_up(program_.block, whole, 4 + numbers_.below(8));
        return std::move(program_);
    }

  private:
    std::uint32_t pick(const Planes& from) { return from[numbers_.below(static_cast<std::uint32_t>(from.size()))]; }
    std::uint32_t source(const Place& at) {
        return !at.readable.empty() && numbers_.one_in(2) ? pick(at.readable) : pick(at.owned);
    }

    Statement mix(const Place& at) {
        Statement s;
        s.to = pick(at.owned);
        s.from = source(at);
        s.k = numbers_.below(1000);
        return s;
    }
    Statement simple(const Place& at) {
        Statement s = mix(at);
        switch (numbers_.below(7)) {
            case 0:
                s.what = Do::copy;
                break;
            case 1:
                if (!abilities_.fills) break;
                s.what = Do::fill;
                s.k = 1 + numbers_.below(program_.words);
                break;
            case 2:
                if (at.loops.empty()) break;
                s.what = Do::note;
                s.number = at.loops[numbers_.below(static_cast<std::uint32_t>(at.loops.size()))];
                break;
            case 3:
                if (abilities_.hosts && !at.is_in_body) s.what = Do::host;
                break;
            default:
                break;
        }
        return s;
    }

    void fill_up(Block& block, const Place& at, std::uint32_t steps) {
        for (; steps > 0 && budget_ > 0; --steps) {
            --budget_;
            const std::uint32_t kind = at.depth < 3 ? numbers_.below(10) : 9;
            if (kind == 0 && abilities_.forks && at.owned.size() >= 4) {
                block.push_back(fork(at));
            } else if (kind <= 2 && abilities_.ifs) {
                block.push_back(conditional(at));
            } else {
                block.push_back(simple(at));
            }
        }
    }

    Statement fork(const Place& at) {
        Statement s;
        s.what = Do::fork;
        const std::uint32_t branches =
            2 + numbers_.below(static_cast<std::uint32_t>(std::min<std::size_t>(at.owned.size() / 2, 4)) - 1);
        std::vector<Planes> parts(branches);
        for (std::size_t i = 0; i < at.owned.size(); ++i) parts[i % branches].push_back(at.owned[i]);
        Planes given_up;  // by mark number
        for (std::uint32_t b = 0; b < branches; ++b) {
            Place inner = at;
            inner.owned = std::move(parts[b]);
            ++inner.depth;
            Block& block = s.blocks.emplace_back();
            wait_for_some(block, inner, given_up);
            fill_up(block, inner, 1 + numbers_.below(4));
            if (abilities_.marks && inner.owned.size() > 1 && numbers_.one_in(2)) {
                block.push_back(numbered(Do::mark, static_cast<std::uint32_t>(given_up.size())));
                given_up.push_back(inner.owned.back());
                inner.owned.pop_back();
                fill_up(block, inner, numbers_.below(3));
            }
        }
        return s;
    }
    void wait_for_some(Block& block, Place& at, const Planes& given_up) {
        for (std::uint32_t mark = 0; mark < given_up.size(); ++mark) {
            if (numbers_.one_in(3)) continue;
            block.push_back(numbered(Do::wait, mark));
            at.readable.push_back(given_up[mark]);
        }
    }
    static Statement numbered(Do what, std::uint32_t number) {
        Statement s;
        s.what = what;
        s.number = number;
        return s;
    }

    Do some_conditional() {
        switch (numbers_.below(5)) {
            case 0:
                return abilities_.if_else ? Do::two_arms : Do::one_arm;
            case 1:
                return abilities_.switches ? Do::one_of_many : Do::one_arm;
            case 2:
                return Do::one_arm;
            default:
                return Do::loop;
        }
    }
    Statement conditional(const Place& at) {
        Statement s;
        s.what = some_conditional();
        s.number = program_.conditionals++;
        s.from = source(at);
        std::uint32_t arms = s.what == Do::two_arms ? 2 : s.what == Do::one_of_many ? 1 + numbers_.below(4) : 1;
        s.decision = decision(s.what, arms);
        Place inner = at;
        ++inner.depth;
        inner.is_in_body = true;
        if (s.what == Do::loop) inner.loops.push_back(s.number);
        for (std::uint32_t arm = 0; arm < arms; ++arm) {
            Block& block = s.blocks.emplace_back();
            block.push_back(mix(inner));
            fill_up(block, inner, numbers_.below(4));
        }
        return s;
    }
    Decision decision(Do what, std::uint32_t arms) {
        Decision d;
        if (what == Do::one_of_many) {
            d.modulus = arms + 2;
            return d;
        }
        d.modulus = what == Do::loop ? 6 : 3;
        d.is_negated = numbers_.one_in(4);
        if ((d.has_baseline = numbers_.one_in(3))) d.baseline = numbers_.below(3);
        if (what != Do::loop) return d;
        d.cap = 1 + numbers_.below(5);
        if ((d.has_limit = numbers_.one_in(4))) d.limit = numbers_.below(5);
        if ((d.has_break = numbers_.one_in(4))) d.break_at = numbers_.below(4);
        // Without a cap it is the count, the limit or the break that ends it.
        bool ends = (!d.is_negated && !d.has_baseline) || d.has_limit || d.has_break;
        if (ends && numbers_.one_in(3)) d.cap = 0xffffffffu;
        return d;
    }

    Numbers numbers_;
    const Abilities& abilities_;
    Program program_;
    int budget_ = 45;
};

}  // namespace

Program generate(std::uint64_t seed, const Abilities& abilities) { return Generator(seed, abilities).make(); }

}  // namespace eagle::conformance::random
