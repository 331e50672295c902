// The branches of a fork: streams that go on from one stream's tip side by side and come back to it.
#pragma once
#include <cstdint>
#include <vector>

#include "Capture.h"

namespace eagle::host {

class Branches {
  public:
    static constexpr std::uint8_t tag = 'F';
    static constexpr char name[] = "fork";

    // Makes the branches' streams. All throw Failure.
    Branches(std::uint64_t origin, std::uint64_t count, std::uint64_t marks);
    ~Branches();
    Branches(const Branches&) = delete;
    Branches& operator=(const Branches&) = delete;

    void fork();
    void join();
    // Marks a branch's tip; returns the number of the mark.
    std::uint64_t mark(std::uint64_t producer);
    void wait(std::uint64_t waiter, std::uint64_t mark);
    bool is_forked() const;
    std::uint64_t stream(std::uint64_t branch) const;
    std::uint64_t origin() const { return origin_; }
    std::uint64_t count() const { return streams_.size(); }

  private:
    Tip& open_tip(std::uint64_t branch) const;
    void require_branch(std::uint64_t branch) const;
    void release_streams();

    std::uint64_t origin_, most_marks_;
    std::vector<std::uint64_t> streams_;
    std::uint64_t marked_graph_ = 0;  // the graph that the marks are places of
    std::vector<std::vector<std::uint32_t>> marks_;
};

}  // namespace eagle::host
