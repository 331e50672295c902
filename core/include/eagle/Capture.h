// Recording what is put on a stream instead of running it.
#pragma once
#include <eagle/Stream.h>
#include <eagle/detail/SeamHandle.h>
#include <eagle/export.h>

#include <cstdint>
#include <exception>
#include <utility>
#include <vector>

namespace eagle {

// What a capture recorded; becomes a NativeGraph, or updates a Launcher. Move-only.
class EAGLE_API Captured {
  public:
    // Whether it holds a graph: false once it was consumed or moved from.
    bool valid() const;
    const Backend& backend() const { return handle_.backend(); }
    std::int32_t device() const { return device_; }

    detail::SeamHandle& handle() { return handle_; }
    const detail::SeamHandle& handle() const { return handle_; }

  private:
    friend class CaptureScope;
    Captured(const Backend& backend, void* handle, std::int32_t device);
    detail::SeamHandle handle_;
    std::int32_t device_;
};

// An open capture of one stream, which always ends: by end(), or with the object, which throws away what was recorded.
// One a thread, begun and ended on the same one. Forks, conditionals, modules and memory that the recording needs are
// made before it; what is destroyed meanwhile on this thread is freed when it ends.
class EAGLE_API CaptureScope {
  public:
    // Opens it. Throws BackendUnavailable when the backend has no group `capturer`, Error with the backend's words when
    // this thread has a capture open.
    explicit CaptureScope(const Stream& stream);
    ~CaptureScope();
    CaptureScope(const CaptureScope&) = delete;
    CaptureScope& operator=(const CaptureScope&) = delete;

    std::uint64_t stream() const { return stream_; }  // raw
    // The device's own handle of the graph that is recorded.
    std::uint64_t graph() const;
    // Does `work`, unless something failed before. What it throws is kept for end(): of several errors the first one is
    // the cause, the others follow from it.
    template <class Work>
    void record(Work&& work) {
        if (error_ || !is_open_) return;
        try {
            std::forward<Work>(work)();
        } catch (...) {
            error_ = std::current_exception();
        }
    }
    bool failed() const { return error_ != nullptr; }
    // Closes the capture. Throws the first error that record() kept; without one, the backend's (a fork that was not
    // joined, a body left open).
    Captured end();

  private:
    std::int32_t close(void** captured) noexcept;
    detail::SeamHandle capturer_;
    std::uint64_t stream_;
    std::int32_t device_;
    std::exception_ptr error_;
    bool is_open_ = false;
};

// Nodes recorded so far where the work of `stream` (raw, in a capture) goes, in order: the graph of the capture, or the
// body of a conditional. Throws BackendUnavailable when the backend has no group `attribution`.
EAGLE_API std::vector<std::uint64_t> captured_nodes(const Backend& backend, std::uint64_t stream);
// Whether Launcher::set_enabled takes the node.
EAGLE_API bool is_toggleable(const Backend& backend, std::uint64_t node);
// Puts a foreign graph (its device's own handle) as one node on `stream`, which is in a capture. In a conditional body
// node types that it may not hold are refused by name.
EAGLE_API void add_child_graph(const Backend& backend, std::uint64_t stream, std::uint64_t graph,
                               bool conditional_body);

// A function to run in the order of `stream` (raw), recorded when that is in a capture. `context` stays alive until the
// last run. It must not call the backend. Which thread runs it, and with which signal mask: GraphDescription::host().
EAGLE_API void host_function(const Backend& backend, std::uint64_t stream, void (*function)(void* context),
                             void* context);
// Fills with zero bytes in the order of `stream` (raw).
EAGLE_API void clear(const Backend& backend, std::uint64_t to, std::uint64_t bytes, std::uint64_t stream);

}  // namespace eagle
