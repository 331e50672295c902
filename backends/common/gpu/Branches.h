// The branches of a fork: streams that go on from one stream's tip side by side and come back to it.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "Capture.h"

namespace eagle::gpu {

class Branches {
  public:
    static constexpr std::uint8_t tag = 'F';
    static constexpr char name[] = "fork";

    // Makes the branches' streams and all events. All throw Failure.
    Branches(RawStream origin, int device, std::uint64_t count, std::uint64_t marks);
    ~Branches();
    Branches(const Branches&) = delete;
    Branches& operator=(const Branches&) = delete;

    void fork();
    void join();
    std::uint64_t mark(std::uint64_t producer);  // marks the branch's tip; returns the number of the mark
    void wait(std::uint64_t waiter, std::uint64_t mark);
    bool is_forked() const { return is_forked_; }
    RawStream stream(std::uint64_t branch) const;
    RawStream origin() const { return origin_; }
    std::uint64_t count() const { return streams_.size(); }
    int device() const { return device_; }

    // For the end of a capture, of a fork in that graph: names a branch, or is "".
    std::string work_behind_join(RawGraph graph) const;
    std::string open_branch(RawGraph graph) const;
    void forget();  // the capture is over

  private:
    void require_branch(std::uint64_t branch) const;
    void require_forked() const;
    std::string words(std::uint64_t branch, const char* what) const;
    void release();

    RawStream origin_;
    int device_;
    std::vector<RawStream> streams_;
    std::vector<RawEvent> events_;  // one a branch, then the origin's, then the marks'
    std::uint64_t marks_made_ = 0, most_marks_;
    std::vector<std::vector<RawNode>> tips_;  // of the branches, as the last fork or join left them
    Capture* capture_ = nullptr;              // that it has left in, while that is open
    RawGraph graph_ = 0;                      // that it has left in; 0 = none, or its capture is over
    RawGraph marked_graph_ = 0;               // that the marks are of
    bool is_forked_ = false;
};

}  // namespace eagle::gpu
