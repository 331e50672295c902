// The thread that raises stop flags, so that a long launch comes back now and then.
#pragma once
#include <chrono>
#include <cstdint>

namespace eagle::sim {

// While it lives, the flag is set to 1 once `after` has passed. The thread behind it is made at first use, again in the
// child of a fork, and sleeps while nobody asks for anything.
class StopAfter {
  public:
    StopAfter(std::int64_t* flag, std::chrono::steady_clock::duration after);
    ~StopAfter();
    StopAfter(const StopAfter&) = delete;
    StopAfter& operator=(const StopAfter&) = delete;

  private:
    std::int64_t* flag_;
};

}  // namespace eagle::sim
