// Puts a frame on streams: forks from the width of its bodies, marks and waits for its edges, bodies nested.
#pragma once
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "lowering/Frame.h"
#include "lowering/Tracing.h"

namespace eagle::lowering {

class Recorder {
  public:
    // `careful`: asks the backend after every node which native nodes it became; otherwise once a body, which is right
    // where native_nodes() says the truth.
    Recorder(Site& site, bool careful) : site_(site), careful_(careful), tracing_(site) {}

    // Before the capture begins: makes forks and conditionals.
    void prepare(Frame& frame, std::uint32_t body, std::uint64_t origin);
    // Inside it. `origin` is the stream of prepare(). begin_graph() and end_graph() stand around what goes into one
    // native graph: the whole, and each body of a conditional.
    void record(Frame& frame, std::uint32_t body, std::uint64_t origin);
    // The whole: the frame's body 0, between the marks of a trace.
    void record_graph(Frame& frame, std::uint64_t origin);
    void begin_graph(std::uint64_t stream);
    void end_graph();

    // It is known of every node which native nodes it became.
    bool named_all() const { return named_all_; }
    // Tells them. Not where an executable took the capture over: it knows the nodes of the one that it was made of.
    void name_all();
    Site& site() { return site_; }
    Tracing& tracing() { return tracing_; }

  private:
    struct Entry {
        Work* work;  // null: of nobody's node
        std::int64_t nodes;
        bool is_mark;
    };
    struct Ledger {
        std::uint64_t stream;
        std::vector<Entry> entries;
    };
    void record_node(Frame& frame, std::uint32_t body, const Step& step, std::uint64_t stream);
    void record_work(Frame& frame, std::uint32_t node, std::uint64_t stream);
    // A pair of marks stands around what `record` puts on the stream: of a node, or, without its work, of the whole.
    template <class Record>
    void between_marks(Work* work, std::uint64_t stream, const Record& record) {
        const std::uint32_t subject = tracing_.marked();
        if (work == nullptr) site_.replays = subject;
        tracing_.put_mark(subject, trace::EventKind::begin_mark, stream);
        ledgers_.back().entries.push_back({work, 1, true});
        record();
        tracing_.put_mark(subject, trace::EventKind::end_mark, stream);
        ledgers_.back().entries.push_back({work, 1, true});
    }
    std::int64_t nodes_so_far(std::uint64_t stream) const;
    std::int64_t known_nodes(const Work& work) const;

    Site& site_;
    bool careful_, named_all_ = true;
    struct Name {
        Work* work;
        bool is_mark;
        std::vector<std::uint64_t> handles;
    };
    std::vector<Name> names_;
    std::vector<Ledger> ledgers_;
    std::map<std::uint64_t, std::int64_t> nodes_of_shapes_;
    Tracing tracing_;
};

// After the capture: gives back forks and conditionals.
void release(Frame& frame);

}  // namespace eagle::lowering
