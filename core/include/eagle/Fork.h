// Branches inside a capture: streams that go on side by side and come back together.
#pragma once
#include <eagle/detail/SeamHandle.h>
#include <eagle/export.h>

#include <cstdint>

namespace eagle {

// Move-only. Made before the capture begins; forked, joined, marked and waited on while it is open.
class EAGLE_API Fork {
  public:
    // `origin` (raw) is the stream that the branches leave and return to: the captured one, a branch of another fork,
    // or the body of a conditional. At most `marks` marks are made. Throws BackendUnavailable when the backend has no
    // group `fork` or, with marks, no marks.
    Fork(const Backend& backend, std::int32_t device, std::uint64_t origin, std::uint64_t branches,
         std::uint64_t marks = 0);

    // Every branch goes on from the origin's tip.
    void fork();
    // The origin waits for every branch.
    void join();
    // Raw stream of a branch, from construction on. Throws IndexError outside [0, size()).
    std::uint64_t branch(std::uint64_t index) const;
    std::uint64_t origin() const;
    std::uint64_t size() const;
    bool is_forked() const;
    // Marks the tip of a branch; returns the mark's number.
    std::uint64_t mark(std::uint64_t branch);
    // The branch goes on after that mark: an edge, no node.
    void wait(std::uint64_t branch, std::uint64_t mark);

  private:
    detail::SeamHandle handle_;
};

}  // namespace eagle
