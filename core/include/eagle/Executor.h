// What a graph is lowered onto: one device of a backend, with a stream, a scratch arena and a launcher of its own.
#pragma once
#include <eagle/Capture.h>
#include <eagle/Launcher.h>
#include <eagle/export.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace eagle {

// Bytes of an arena, from its begin; an address once the arena is there.
struct ScratchRef {
    std::uint64_t offset = 0, bytes = 0;
};

// A node of the device, or several that stand for one of the caller's, and what they wait for.
struct NativeNode {
    std::uint32_t node = 0;              // the caller's number
    std::vector<std::uint64_t> handles;  // in order of recording; none where the backend names no nodes
    std::vector<std::uint32_t> after;    // the caller's numbers of what it waits for
};

// Move-only. In order: reserve(), finalize(), capture(), and then launch() and synchronize() as often as wanted. One
// thread at a time. The classes of the kinds (eagle/ExecGraph.h) are this one with their kind fixed.
class EAGLE_API Executor {
  public:
    static constexpr std::uint64_t alignment = 256;

    // Throws BackendUnavailable when the backend has no streams or no usable device.
    explicit Executor(const Backend& backend, std::int32_t device = 0);
    ~Executor();
    Executor(Executor&&) noexcept;
    Executor& operator=(Executor&&) noexcept;

    const Backend& backend() const;
    std::int32_t device() const;
    const Stream& stream() const;  // what it captures, and what its replays run on
    Stream& stream();

    // ---- the scratch arena ----
    // Room of `bytes` bytes for the work of the graph. Throws InvalidArgument after finalize(), or for an alignment
    // that is no power of two up to 256.
    ScratchRef reserve(std::uint64_t bytes, std::uint64_t align = alignment);
    std::uint64_t arena_bytes() const;
    // Commits the arena: one allocation, zero-filled. Once; throws OutOfMemory with the number of bytes.
    void finalize();
    bool finalized() const;
    // Where reserved room lies. Throws InvalidArgument before finalize().
    std::uint64_t address(ScratchRef room) const;

    // ---- recording ----
    // `record` puts the work on the stream that the scope names; it runs inside the capture. Replaces what was captured
    // before: the executable takes the capture over where its shape is the same and the backend can (true), and is made
    // anew otherwise (false, as the first time). On an error what was captured before stays.
    bool capture(const std::function<void(CaptureScope& scope)>& record);
    bool captured() const;
    // The dependency table of what was captured, in the order of the caller's numbers. Whoever records fills it.
    void set_native_nodes(std::vector<NativeNode> nodes);
    std::span<const NativeNode> native_nodes() const;
    // Changes what is replayed. Throws BadHandle before capture().
    Launcher& launcher();

    // ---- replay ----
    // Puts one replay on the stream. Throws BadHandle before capture().
    void launch();
    void synchronize();

  private:
    struct State;
    State& state() const;
    std::unique_ptr<State> state_;
};

}  // namespace eagle
