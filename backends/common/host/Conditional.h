// Conditional nodes: bodies that are recorded on streams of their own, and run or not as the guard says at each replay.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "Capture.h"
#include "Guard.h"

namespace eagle::host {

class Conditional {
  public:
    static constexpr std::uint8_t tag = 'O';
    static constexpr char name[] = "conditional";

    // Makes the arms' streams. All throw Failure.
    Conditional(const Guard& guard, std::uint64_t origin);
    ~Conditional();
    Conditional(const Conditional&) = delete;
    Conditional& operator=(const Conditional&) = delete;

    // Puts the node behind the origin's tip; work on the arms' streams goes into the bodies from here on.
    void begin();
    // Leaves the bodies open when one of them is empty or not whole.
    void end();
    bool is_loop() const { return guard_.is_loop(); }
    std::uint64_t stream(std::uint64_t arm) const;
    // Of the bodies begun last. arm -1: the nodes that set the guard.
    std::vector<std::uint64_t> nodes(std::int64_t arm) const;

  private:
    Tip* open_tip(std::size_t arm) const;
    Tip& require_open(std::size_t arm) const;
    void require_whole(std::size_t arm) const;
    void release_streams();

    Guard guard_;
    std::uint64_t origin_;
    std::vector<std::uint64_t> streams_;
    std::vector<std::weak_ptr<RecordedGraph>> bodies_;
    std::vector<std::uint64_t> setters_;
};

}  // namespace eagle::host
