// What a conditional node looks at when the work before it is done, and how it decides.
#pragma once
#include <cstdint>

namespace eagle::host {

enum class GuardKind : std::uint8_t { one_arm, two_arms, loop, one_of_many };

// Cells are addresses of uint32_t that the caller owns; 0 = none.
struct Guard {
    GuardKind kind = GuardKind::one_arm;
    std::uint32_t arms = 1;
    bool is_negated = false;
    std::uint32_t most_turns = 0;  // of a loop; EAGLE_BACKEND_LOOP_UNCAPPED is no bound
    std::uint64_t count = 0, baseline = 0;
    std::uint64_t counter = 0;  // of a loop: {remaining, ran}
    std::uint64_t brk = 0, limit = 0;

    bool is_loop() const { return kind == GuardKind::loop; }
    // Before the node: the arm that runs first, or no_arm. A loop's cells are set up.
    std::uint32_t first() const;
    // Behind one turn of a loop: 0, or no_arm when it was the last.
    std::uint32_t next() const;

    static constexpr std::uint32_t no_arm = 0xffffffffu;

  private:
    bool holds() const;
    bool is_below_limit(std::uint32_t ran) const;
};

}  // namespace eagle::host
