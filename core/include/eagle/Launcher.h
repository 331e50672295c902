// What replays a graph.
#pragma once
#include <eagle/Conditional.h>
#include <eagle/NativeGraph.h>
#include <eagle/export.h>

#include <cstdint>
#include <span>

namespace eagle {

// Move-only; it outlives the graph that made it. Changes hold for the launches to come. One thread at a time.
class EAGLE_API Launcher {
  public:
    // An executable of the graph as it is, launched on `stream` (raw), which outlives it. A graph that holds a
    // conditional gives one and no second.
    Launcher(NativeGraph& graph, std::uint64_t stream);

    // Puts one replay on the stream.
    void launch() {
        if (!is_ready()) refuse();
        const std::int32_t status = launch_(raw_);
        if (status != 0) backend().check(status, "launcher_launch");
    }
    // Returns when the stream has done all that was put on it; raises what that work reported.
    void synchronize() {
        if (!is_ready()) refuse();
        const std::int32_t status = synchronize_(raw_);
        if (status != 0) backend().check(status, "launcher_synchronize");
    }
    void set_stream(std::uint64_t stream);
    // Kernels that came in by NativeGraph::add are made to fit n samples; 0 changes nothing.
    void set_logical_size(std::int64_t samples);
    std::int64_t kernel_node_count() const;

    // A kernel, copy or fill node takes part in replays or is left out.
    void set_enabled(std::uint64_t node, bool enabled);
    // Addresses of the new values of a kernel node's arguments, copied at the call; null keeps one, and so do arguments
    // past the span.
    void set_kernel_params(std::uint64_t node, std::span<const void* const> params);
    // A copy node reads from `source` from here on.
    void set_memcpy_source(std::uint64_t node, std::uint64_t source);
    // A conditional node looks at other cells from here on; its kind stays.
    void set_conditional(std::uint64_t node, const ConditionalCells& cells);
    // Takes over a capture of the same shape, which stays the caller's. False, and nothing has changed, when it does
    // not fit.
    bool update(const Captured& captured);

    // Whether the backend has the call of that name; without it the call throws BackendUnavailable.
    bool can_set_kernel_params() const;
    bool can_set_memcpy_source() const;
    bool can_set_conditional() const;
    bool can_update() const;

    Launcher(Launcher&& other) noexcept;
    Launcher& operator=(Launcher&& other) noexcept;
    const Backend& backend() const { return handle_.backend(); }

  private:
    using Call = std::int32_t (*)(void* launcher);
    // False for one that was moved from, and for a device's in the child of a fork.
    bool is_ready() const { return raw_ != nullptr && backend().usable_here(); }
    [[noreturn]] void refuse() const;

    detail::SeamHandle handle_;
    // The two calls of every replay, by address: a lookup would cost as much as an empty replay.
    void* raw_ = nullptr;
    Call launch_ = nullptr, synchronize_ = nullptr;
};

}  // namespace eagle
