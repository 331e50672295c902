// A graph of a device, as it was captured or put together of captures.
#pragma once
#include <eagle/Capture.h>
#include <eagle/export.h>

#include <cstdint>

namespace eagle {

// Move-only. What makes Launchers; they outlive it.
class EAGLE_API NativeGraph {
  public:
    // The capture as it is, which is consumed. An empty one is refused (InvalidArgument), and is still the caller's
    // then.
    explicit NativeGraph(Captured& captured);
    explicit NativeGraph(Captured&& captured) : NativeGraph(captured) {}
    // One empty root node, to which captures are added.
    explicit NativeGraph(const Backend& backend, std::int32_t device = 0);

    // Appends the capture as one child node behind the last; it is consumed. Refused for a capture as it is.
    void add(Captured& captured);
    void add(Captured&& captured) { add(captured); }
    std::int64_t last_node() const;  // number of nodes - 1
    // The stream (raw) that its launchers start on.
    void set_stream(std::uint64_t stream);

    const Backend& backend() const { return handle_.backend(); }
    const detail::SeamHandle& handle() const { return handle_; }

  private:
    detail::SeamHandle handle_;
};

}  // namespace eagle
