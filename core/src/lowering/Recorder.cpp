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
        record_node(frame, step.node, stream_of(plan, step, origin));
        if (step.is_marked) marks.push_back(plan.fork->mark(step.branch));
    }
    if (plan.fork) plan.fork->join();
}

void Recorder::record_node(Frame& frame, std::uint32_t index, std::uint64_t stream) {
    const graph::Node& node = frame.node(index);
    Work& work = *frame.works[index];
    const bool names = site_.backend().provides(Group::attribution);
    const bool counts = careful_ || work.native_nodes() == Work::only_the_backend_knows;
    // A child's nodes stand in the ledger themselves.
    const bool asks = names && counts && work.inside() == nullptr;
    const std::int64_t before = asks ? nodes_so_far(stream) : 0;
    graph::at_line(node.where, "node " + graph::in_quotes(node.name), [&] { work.record(*this, stream); });
    if (work.inside() != nullptr) return;
    ledgers_.back().entries.push_back({&work, asks ? nodes_so_far(stream) - before : work.native_nodes()});
}

void Recorder::name_all() {
    for (auto& [work, handles] : names_) work->handles = std::move(handles);
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
        names_.emplace_back(entry.work, std::vector<std::uint64_t>(next, next + entry.nodes));
        next += entry.nodes;
    }
}

}  // namespace eagle::lowering
