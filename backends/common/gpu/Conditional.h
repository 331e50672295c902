// Conditional nodes: bodies that are recorded on streams of their own, and run or not as a kernel before them decides.
#pragma once
#include <memory>
#include <vector>

#include "../host/GuardDesc.h"
#include "Capture.h"

namespace eagle::gpu {

// How the kernels see what a description asks for.
GuardCells cells_of(const host::Guard& guard);

class Conditional {
  public:
    static constexpr std::uint8_t tag = 'O';
    static constexpr char name[] = "conditional";

    // Makes the arms' streams and loads what decides. All throw Failure.
    Conditional(const host::Guard& guard, RawStream origin, int device);
    ~Conditional();
    Conditional(const Conditional&) = delete;
    Conditional& operator=(const Conditional&) = delete;

    // Puts the node behind the origin's tip; work on the arms' streams goes into the bodies from here on.
    void begin();
    // Leaves the bodies open when one of them is empty or not whole.
    void end();
    bool is_loop() const { return guard_.is_loop(); }
    RawStream stream(std::uint64_t arm) const;
    // Of the bodies begun last. arm -1: the nodes that set the guard.
    std::vector<RawNode> nodes(std::int64_t arm) const;
    int device() const { return device_; }

  private:
    void add_node(const Place& from);
    void open_bodies(const Place& from);
    Place require_open(std::size_t arm) const;
    void require_whole(std::size_t arm) const;
    void add_tail(std::size_t arm);

    host::Guard guard_;
    RawStream origin_;
    int device_;
    std::vector<RawStream> streams_;
    std::vector<std::weak_ptr<Record>> bodies_;
    std::shared_ptr<GuardNodes> setters_;
};

}  // namespace eagle::gpu
