// One caller at a time, refused rather than waited for.
#pragma once
#include <eagle/Error.h>

#include <atomic>
#include <string>

namespace eagle::exec {

// Holds `flag` while it lives. Throws Busy when another holds it; `what` is what the object is called.
class Entered {
  public:
    Entered(std::atomic<bool>& flag, const char* what) : flag_(flag) {
        if (flag_.exchange(true, std::memory_order_acquire)) refuse(what);
    }
    ~Entered() { flag_.store(false, std::memory_order_release); }
    Entered(const Entered&) = delete;
    Entered& operator=(const Entered&) = delete;

  private:
    [[noreturn]] __attribute__((noinline)) static void refuse(const char* what) {
        throw Busy(std::string("this ") + what +
                   " is running on another thread, and serves one caller at a time; wait for it, "
                   "or make one for each thread");
    }
    std::atomic<bool>& flag_;
};

}  // namespace eagle::exec
