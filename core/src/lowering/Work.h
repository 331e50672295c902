// One node as it is recorded, and as its executable is changed afterwards.
#pragma once
#include <eagle/Launcher.h>
#include <eagle/graph/Node.h>
#include <eagle/marshal/Pack.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace eagle::lowering {

struct Frame;
struct Site;
class Recorder;
class Tracing;

class Work {
  public:
    Work() = default;
    virtual ~Work() = default;
    Work(const Work&) = delete;
    Work& operator=(const Work&) = delete;

    static constexpr std::int64_t only_the_backend_knows = -1;
    // How many native nodes record() makes.
    virtual std::int64_t native_nodes() const = 0;
    // Works with the same one make as many native nodes, where only the backend knows; 0: like no other.
    virtual std::uint64_t shape() const { return 0; }
    // Before the capture: what a capture may not make. `stream` is what it is recorded on.
    virtual void prepare(Recorder& recorder, std::uint64_t stream);
    virtual void record(Recorder& recorder, std::uint64_t stream) = 0;
    // The capture is over: gives back what prepare() made.
    virtual void release();
    // The planes of its frame have moved.
    virtual void readdress() = 0;
    // Makes the executable do what record() would; false when only another capture can.
    virtual bool repoint(Launcher& launcher) = 0;
    // Takes the number of that name, where it has one. What it says is `repoint`ed by the caller.
    virtual bool set_number(std::string_view name, const marshal::Value& value);
    virtual bool set_bytes(std::string_view name, std::span<const std::byte> bytes);
    // Takes back the last set_number().
    virtual void undo();
    // A trace sees each of its runs by the work itself, so that it needs no marks around it.
    virtual bool notes_itself(Tracing& tracing) const;
    // Of a child node: its description.
    virtual Frame* inside() { return nullptr; }

    // Of what was captured last; none where the backend names no nodes.
    std::vector<std::uint64_t> handles;
    std::vector<std::uint64_t> marks;  // of the trace, around it
};

// Children and their frames are made before the arena is planned: its size follows from theirs.
std::unique_ptr<Work> make_child_work(const graph::Child& child, Site& site);
// The others are made when planes have addresses.
std::unique_ptr<Work> make_work(Frame& frame, Site& site, std::uint32_t node);

// Scratch that the backend wants for a compaction of n samples.
std::uint64_t compact_workspace(const Site& site, std::int64_t n);

}  // namespace eagle::lowering
