// Handles of the seam that are given back when the object goes, whatever ends the row.
#pragma once
#include <utility>

#include "Context.h"

namespace eagle::conformance {

// A description with its size set and everything else zero.
template <class T>
T make() {
    T desc{};
    desc.struct_size = sizeof desc;
    return desc;
}

template <class Handle>
class Owned {
  public:
    using Release = void (*)(Handle);
    explicit Owned(Release release, Handle handle = nullptr) : release_(release), handle_(handle) {}
    Owned(Owned&& other) noexcept : release_(other.release_), handle_(std::exchange(other.handle_, nullptr)) {}
    Owned& operator=(Owned&& other) noexcept {
        std::swap(release_, other.release_);
        std::swap(handle_, other.handle_);
        return *this;
    }
    ~Owned() { reset(); }
    Handle get() const { return handle_; }
    // Where a creating call writes.
    Handle* out() { return &handle_; }
    // Gives it back at once.
    void reset() {
        if (handle_) release_(std::exchange(handle_, nullptr));
    }
    // Somebody else has it: a call consumed it.
    Handle drop() { return std::exchange(handle_, nullptr); }

  private:
    Release release_;
    Handle handle_;
};

struct Capturer : Owned<eagle_backend_capturer> {
    explicit Capturer(const Context& c) : Owned(c.seam.capturer_release) {}
};
struct Captured : Owned<eagle_backend_captured> {
    explicit Captured(const Context& c) : Owned(c.seam.captured_release) {}
};
struct Fork : Owned<eagle_backend_fork> {
    explicit Fork(const Context& c) : Owned(c.seam.fork_release) {}
};
struct Conditional : Owned<eagle_backend_conditional> {
    explicit Conditional(const Context& c) : Owned(c.seam.conditional_release) {}
};
struct Graph : Owned<eagle_backend_graph> {
    explicit Graph(const Context& c) : Owned(c.seam.graph_release) {}
};
struct Launcher : Owned<eagle_backend_launcher> {
    explicit Launcher(const Context& c) : Owned(c.seam.launcher_release) {}
};

// A stream of the judged device.
class StreamHandle {
  public:
    explicit StreamHandle(Context& c, std::uint32_t flags = EAGLE_BACKEND_STREAM_NON_BLOCKING);
    eagle_backend_stream get() const { return handle_.get(); }
    std::uint64_t raw() const { return raw_; }
    // The row ends where the stream's work failed.
    void synchronize() const;
    void reset() { handle_.reset(); }

  private:
    Context& c_;
    Owned<eagle_backend_stream> handle_;
    std::uint64_t raw_ = 0;
};

}  // namespace eagle::conformance
