// A timeline of what ran, in the Chrome trace format, which Perfetto (ui.perfetto.dev) and chrome://tracing open.
#pragma once
#include <eagle/export.h>

#include <cstdint>
#include <filesystem>
#include <memory>

namespace eagle {

struct TraceOptions {
    // Events kept, at least 1; what comes after them is dropped and counted. A part of a kernel takes 56 bytes of
    // memory, a span of the host some hundred more.
    std::uint64_t max_events = 1'000'000;
};

struct TraceSummary {
    std::uint64_t events = 0;   // kept
    std::uint64_t dropped = 0;  // beyond max_events
};

// One recording, of the whole process, from the constructor to stop(). The file holds:
//  - a row a thread, by its number in the system: copies, fills, launches of plans, replays and captures of graphs,
//    loads of backends and modules, the phases of simulate, waits, as spans of the thread that called; and the parts of
//    kernels (their samples [base, base + count)) on the thread that computed them;
//  - a row a stream of a graph: replays, and every node each time it ran (in a loop once an iteration), with its
//    kind, planes, bytes, kernel, file and line;
//  - an arrow from a launch to each part that it came to, through the node that the part is of; and one from the launch
//    of a graph to its replay.
// Nodes and parts are seen on kinds that are given the host files of artifacts (Backend::takes_host_files). There a
// graph is captured once more at its first replay inside the recording, with an entry of eagle's own in front of each
// kernel and a mark before and after each other node, and once more without them at its first replay after it. A node
// between marks is shown from when it could begin to when it had ended. Of other kinds the file has what the host did,
// and says so (otherData.kinds); nothing is approximated. Results are the same to the bit.
// Times are of std::chrono::steady_clock, in microseconds since the recording began.
class EAGLE_API Trace {
  public:
    // Opens the file and begins. Throws Error naming the path when it cannot be written, InvalidArgument for no path or
    // no events, Busy when a recording runs in this process; nothing has begun then.
    explicit Trace(const std::filesystem::path& file, const TraceOptions& options = {});
    // stop(), and whatever goes wrong there stays unsaid. An exception that passes by leaves a whole file.
    ~Trace();
    Trace(Trace&&) noexcept;
    Trace& operator=(Trace&&) noexcept;

    // Ends the recording and writes the file; a second call does nothing. Work on a device that is not done by then is
    // not in it: synchronize first. Throws Error when the file cannot be written. A file that was there keeps its
    // content until then. In the child of a fork nothing is recorded, and stop() writes nothing.
    TraceSummary stop();
    // What stop() has written; before it, what is recorded so far.
    TraceSummary summary() const;
    bool running() const;
    const std::filesystem::path& file() const;
    // Whether any recording runs in this process.
    static bool active();

    struct State;

  private:
    State& state() const;
    std::unique_ptr<State> state_;
};

}  // namespace eagle
