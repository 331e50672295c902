// Nodes of a graph that decide, where the work runs, whether and how often their body runs.
#pragma once
#include <eagle/detail/SeamHandle.h>
#include <eagle/export.h>

#include <cstdint>
#include <vector>

namespace eagle {

enum class ConditionalKind : std::uint32_t { if_ = 1, if_else = 2, while_ = 3, switch_ = 4 };

// What a conditional looks at. Cells are addresses of uint32 where the graph runs, owned by the caller.
struct ConditionalCells {
    ConditionalKind kind = ConditionalKind::if_;
    std::uint64_t guard = 0;     // the body runs while *guard != *baseline; of a switch, the arm to run
    std::uint64_t baseline = 0;  // 0: compare with zero
    bool negate = false;         // run while they are equal instead
    std::uint32_t arms = 0;      // of a switch; outside them none runs
    // Of a while. `counter` is uint32[2], {remaining, ran}: the node sets {cap, 0} before the first turn, and `ran` is
    // the index of the turn while the body runs.
    std::uint32_t cap = 0;      // most turns; 0 is refused
    std::uint64_t counter = 0;  // needed
    std::uint64_t limit = 0;    // go on while ran < *limit; 0: none
    std::uint64_t brk = 0;      // set to 0 before the first turn; not 0 after a turn ends the loop; 0: none
};
inline constexpr std::uint32_t uncapped = 0xffffffffu;

// Move-only. Made before the capture begins; begun and ended while it is open.
class EAGLE_API Conditional {
  public:
    // `origin` (raw) is the stream that it is recorded on. Throws BackendUnavailable("... does not provide
    // conditional") when the backend has no such group, or not this kind of it ("... does not provide conditional
    // switch").
    Conditional(const Backend& backend, std::int32_t device, std::uint64_t origin, const ConditionalCells& cells);

    // Opens the bodies of all arms; returns the raw stream of the first.
    std::uint64_t begin();
    // Closes them; an empty one is refused.
    void end();
    // Raw stream of an arm, from construction on; 0 is the body. Throws IndexError outside the arms.
    std::uint64_t stream(std::uint64_t arm = 0) const;
    bool is_loop() const;
    // Nodes of an arm's body, from begin() on.
    std::vector<std::uint64_t> nodes(std::uint64_t arm) const;
    // The nodes that set the guard: the one before the conditional, and of a loop the last one of its body.
    std::vector<std::uint64_t> setters() const;

    // Throws what the constructor would for want of the group or of the kind. Nothing is made.
    static void require(const Backend& backend, ConditionalKind kind);

  private:
    std::vector<std::uint64_t> nodes_of(std::int64_t arm) const;
    detail::SeamHandle handle_;
};

}  // namespace eagle
