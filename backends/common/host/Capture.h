// Captures: while one is open, work put on its streams is recorded instead of run.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "RecordedGraph.h"
#include "Streams.h"

namespace eagle::host {

struct Capture;

// Where work put on one stream of a capture is recorded, and what the next node waits for.
struct Tip {
    Capture* capture = nullptr;
    RecordedGraph* into = nullptr;
    Stream* stream = nullptr;
    std::vector<std::uint32_t> after;
    // Of a branch of a fork: which of how many, whether it is open, and whether the origin does not wait for all of it.
    std::uint64_t branch = 0, branches = 0;
    bool is_forked = false, has_unjoined_work = false;
    // Of an arm of a conditional: the graph that the conditional is in.
    const RecordedGraph* outer = nullptr;
};

struct Capture {
    std::shared_ptr<RecordedGraph> graph = std::make_shared<RecordedGraph>();
    std::thread::id owner = std::this_thread::get_id();
    std::vector<std::unique_ptr<Tip>> tips;  // of the captured stream, and of those that came in later
    std::vector<std::uint64_t> frees;        // memory to free when it is over
    std::string trouble;                     // why it cannot end well
    bool is_open = true;

    // `stream` takes part from here on, behind the nodes `after` of `into`. The caller holds graph_lock() here and
    // below.
    Tip& enter(Stream& stream, RecordedGraph& into, std::vector<std::uint32_t> after);
    void leave(Tip& tip);
    void leave_all(const RecordedGraph& into);  // every stream whose work goes there
    bool has_open_body_in(const RecordedGraph& outer) const;
    bool is_body(const RecordedGraph& into) const { return &into != graph.get(); }
    // Names a branch of a fork of that graph that was not joined; "" where there is none.
    std::string unjoined_branch(const RecordedGraph& into) const;
    // No stream takes part any more, and what was to be freed is.
    void close();
};

// The stream's part in a capture, or null. The caller holds graph_lock().
inline Tip* tip_of(const Stream& stream) { return stream.tip.load(std::memory_order_acquire); }
inline bool is_in_capture(const Stream& stream) { return tip_of(stream) != nullptr; }

void record_at(Tip& tip, Node node);  // the caller holds graph_lock()

// Puts the node that make() gives behind the stream's tip, when the stream is in a capture; false when it is not.
template <class Make>
bool record(const Stream& stream, Make&& make) {
    if (!is_in_capture(stream)) return false;
    std::lock_guard<std::recursive_mutex> lock(graph_lock());
    Tip* tip = tip_of(stream);
    if (!tip) return false;
    record_at(*tip, make());
    return true;
}

// A kernel of the backend's own: a node on a stream in a capture, otherwise put on the stream.
template <class Work>
void submit_built_in(Stream& stream, const Work& work) {
    auto node = [&] {
        Node built_in;
        built_in.kind = NodeKind::built_in;
        built_in.work = std::make_shared<const Task>(work);
        return built_in;
    };
    if (record(stream, node)) return;
    Streams::of_process().submit(stream, work, [&] { return Task(work); });
}

// Throws Failure (ERROR): what the call does, it cannot do to a stream in a capture.
void require_no_capture(const Stream& stream, const char* what);
// Throws Failure (ERROR) when this thread has a capture open.
void require_no_capture_here(const char* what);
// Takes the address into the capture that this thread has open or that the stream is in, to free it when that is over;
// false where there is none.
bool put_off_free(const Stream& stream, std::uint64_t address);
// A stream is released: a capture that it takes part in cannot end well any more.
void stream_goes(Stream& stream);

// Both throw Failure (ERROR) when the stream is in no capture. The handles of the nodes recorded so far where the
// stream's work goes.
std::vector<std::uint64_t> nodes_at(const Stream& stream);
// The graph as one node at the stream's tip.
void add_child(const Stream& stream, std::shared_ptr<const RecordedGraph> child, bool is_in_body);

// A recorder of one stream. Opened and closed on one thread.
class Capturer {
  public:
    static constexpr std::uint8_t tag = 'R';
    static constexpr char name[] = "capturer";

    explicit Capturer(std::uint64_t stream) : stream_(stream) {}
    ~Capturer();
    // Throw Failure.
    void begin();
    void require_ending_here() const;
    std::shared_ptr<const RecordedGraph> end();
    // 0 when none is open.
    std::uint64_t open_graph() const;

  private:
    bool is_open() const { return open_ && open_->is_open; }
    std::uint64_t stream_;
    std::shared_ptr<Capture> open_;
};

// What a capture left: a graph that does not change any more.
struct Captured {
    static constexpr std::uint8_t tag = 'D';
    static constexpr char name[] = "captured";
    std::shared_ptr<const RecordedGraph> graph;
};

}  // namespace eagle::host
