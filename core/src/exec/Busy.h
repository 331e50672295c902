// One caller at a time, refused rather than waited for.
#pragma once
#include <atomic>
#include <cstdint>

namespace eagle::exec {

// Who is inside: nobody (0), or a caller of the process with that number. A fork copies an entry whose caller stays
// behind, so the child gets a number of its own.
using Claim = std::atomic<std::uint32_t>;

// The number of this process: 1, and one more in the child of each fork.
std::uint32_t process_number() noexcept;

// Holds `by` while it lives. Throws Busy when another holds it, or held it when the process was forked; `what` is what
// the object is called.
class Entered {
  public:
    Entered(Claim& by, const char* what) : by_(by) {
        std::uint32_t holder = 0;
        if (!by_.compare_exchange_strong(holder, process_number(), std::memory_order_acquire)) refuse(holder, what);
    }
    ~Entered() { by_.store(0, std::memory_order_release); }
    Entered(const Entered&) = delete;
    Entered& operator=(const Entered&) = delete;

  private:
    [[noreturn]] static void refuse(std::uint32_t holder, const char* what);
    Claim& by_;
};

}  // namespace eagle::exec
