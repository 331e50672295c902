#include "lowering/Recorder.h"

#include <eagle/Capture.h>

#include "graph/Text.h"

namespace eagle::lowering {
namespace {

std::uint64_t stream_of(const BodyPlan& plan, const Step& step, std::uint64_t origin) {
    return plan.fork ? plan.fork->branch(step.branch) : origin;
}

}  // namespace

void Recorder::prepare(Frame& frame, std::uint32_t body, std::uint64_t origin) {
    BodyPlan& plan = frame.bodies[body];
    plan.fork.reset();
    if (plan.width > 1) plan.fork.emplace(site_.backend(), site_.device(), origin, plan.width, plan.marks);
    for (const Step& step : plan.steps) {
        const graph::Node& node = frame.node(step.node);
        graph::at_line(node.where, "node " + graph::in_quotes(node.name),
                       [&] { frame.works[step.node]->prepare(*this, stream_of(plan, step, origin)); });
    }
}

void Recorder::record(Frame& frame, std::uint32_t body, std::uint64_t origin) {
    BodyPlan& plan = frame.bodies[body];
    std::vector<std::uint64_t> marks;
    if (plan.fork) plan.fork->fork();
    for (const Step& step : plan.steps) {
        for (const std::uint32_t mark : step.waits) plan.fork->wait(step.branch, marks[mark]);
        record_node(frame, body, step, stream_of(plan, step, origin));
        if (step.is_marked) marks.push_back(plan.fork->mark(step.branch));
    }
    if (plan.fork) plan.fork->join();
}

void Recorder::record_graph(Frame& frame, std::uint64_t origin) {
    begin_graph(origin);
    site_.replays = 0;
    if (tracing_.is_on()) {
        tracing_.at_graph(frame);
        between_marks(nullptr, origin, [&] { record(frame, 0, origin); });
    } else {
        record(frame, 0, origin);
    }
    end_graph();
}

void Recorder::record_node(Frame& frame, std::uint32_t body, const Step& step, std::uint64_t stream) {
    if (!tracing_.is_on()) return record_work(frame, step.node, stream);
    tracing_.at_node(frame, body, step);
    Work& work = *frame.works[step.node];
    if (work.notes_itself(tracing_)) return record_work(frame, step.node, stream);
    between_marks(&work, stream, [&] { record_work(frame, step.node, stream); });
}

void Recorder::record_work(Frame& frame, std::uint32_t index, std::uint64_t stream) {
    const graph::Node& node = frame.node(index);
    Work& work = *frame.works[index];
    const bool names = site_.backend().provides(Group::attribution);
    const std::int64_t known = known_nodes(work);
    const bool counts = careful_ || known == Work::only_the_backend_knows;
    // A child's nodes stand in the ledger themselves.
    const bool asks = names && counts && work.inside() == nullptr;
    const std::int64_t before = asks ? nodes_so_far(stream) : 0;
    graph::at_line(node.where, "node " + graph::in_quotes(node.name), [&] { work.record(*this, stream); });
    if (work.inside() != nullptr) return;
    const std::int64_t nodes = asks ? nodes_so_far(stream) - before : known;
    if (asks && work.shape() != 0) nodes_of_shapes_[work.shape()] = nodes;
    ledgers_.back().entries.push_back({&work, nodes, false});
}

// The backend is asked once for works of one shape: its answer is as long as what was recorded so far.
std::int64_t Recorder::known_nodes(const Work& work) const {
    const std::int64_t said = work.native_nodes();
    if (said != Work::only_the_backend_knows) return said;
    const auto found = nodes_of_shapes_.find(work.shape());
    return found == nodes_of_shapes_.end() ? said : found->second;
}

void Recorder::name_all() {
    for (Name& name : names_)
        if (name.work != nullptr) name.work->marks.clear();
    for (Name& name : names_) {
        if (name.work == nullptr) continue;
        if (name.is_mark)
            name.work->marks.insert(name.work->marks.end(), name.handles.begin(), name.handles.end());
        else
            name.work->handles = std::move(name.handles);
    }
}

void release(Frame& frame) {
    for (BodyPlan& plan : frame.bodies) plan.fork.reset();
    for (const auto& work : frame.works) work->release();
}

std::int64_t Recorder::nodes_so_far(std::uint64_t stream) const {
    return static_cast<std::int64_t>(captured_nodes(site_.backend(), stream).size());
}

void Recorder::begin_graph(std::uint64_t stream) { ledgers_.push_back({stream, {}}); }

void Recorder::end_graph() {
    const Ledger ledger = std::move(ledgers_.back());
    ledgers_.pop_back();
    if (!site_.backend().provides(Group::attribution)) return;
    const std::vector<std::uint64_t> nodes = captured_nodes(site_.backend(), ledger.stream);
    std::int64_t counted = 0;
    for (const Entry& entry : ledger.entries) counted += entry.nodes;
    if (counted != static_cast<std::int64_t>(nodes.size())) {
        named_all_ = false;
        return;
    }
    auto next = nodes.begin();
    for (const Entry& entry : ledger.entries) {
        names_.push_back({entry.work, entry.is_mark, std::vector<std::uint64_t>(next, next + entry.nodes)});
        next += entry.nodes;
    }
}

}  // namespace eagle::lowering
