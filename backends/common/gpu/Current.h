// The calling thread's current context, for the time of a call: the caller finds its own again.
#pragma once
#include <optional>

#include "Kind.h"

namespace eagle::gpu {

class Current {
  public:
    explicit Current(int device);
    ~Current();
    Current(Current&& other) noexcept;
    Current(const Current&) = delete;
    Current& operator=(const Current&) = delete;

  private:
    RawContext before_;
    bool has_changed_ = false;
};

// For what gives something back and has nobody to tell of a failure: asked for twice, since a driver also reports by
// any call what went wrong earlier. Empty where that fails too.
std::optional<Current> current_if_possible(int device) noexcept;

// While it lives, calls that wait for the device do not end a capture that is open on this thread.
class Relaxed {
  public:
    Relaxed() : before_(driver().relax_captures()) {}
    ~Relaxed() { driver().restore_captures(before_); }
    Relaxed(const Relaxed&) = delete;
    Relaxed& operator=(const Relaxed&) = delete;

  private:
    int before_;
};

inline bool is_default(RawStream stream) { return stream <= 2; }

// The device that a description means: its own number; -1 is that of the stream or, with a default stream, of the
// thread's current context, else 0. Throws Failure (INVALID_ARGUMENT), also where the stream is of another device.
int device_of(std::int32_t device, RawStream stream = 0);

}  // namespace eagle::gpu
