#include "lowering/Frame.h"

#include <eagle/Conditional.h>
#include <eagle/marshal/Control.h>

#include "graph/Text.h"

namespace eagle::lowering {
namespace {

ConditionalKind kind_of(const graph::Node& node) {
    if (const auto* chosen = std::get_if<graph::If>(&node.work))
        return chosen->otherwise == graph::none ? ConditionalKind::if_ : ConditionalKind::if_else;
    return std::holds_alternative<graph::While>(node.work) ? ConditionalKind::while_ : ConditionalKind::switch_;
}

// Refused before anything is made, and never approximated.
void check_conditionals(const GraphDescription& description, const Backend& backend) {
    for (const graph::Node& node : description.nodes())
        if (node.conditional())
            graph::at_line(node.where, "node " + graph::in_quotes(node.name),
                           [&] { Conditional::require(backend, kind_of(node)); });
}

// Sizes that a backend or a child says, instead of the described ones.
std::vector<std::uint64_t> sizes_of(const Frame& frame, const Site& site) {
    std::vector<std::uint64_t> sizes(frame.description->planes().size());
    for (std::size_t i = 0; i < sizes.size(); ++i) sizes[i] = frame.description->planes()[i].bytes;
    for (std::size_t i = 0; i < frame.works.size(); ++i) {
        const graph::Node& node = frame.node(static_cast<std::uint32_t>(i));
        if (const auto* compact = std::get_if<graph::Compact>(&node.work))
            sizes[compact->workspace.index] = graph::at_line(node.where, "node " + graph::in_quotes(node.name), [&] {
                return compact_workspace(site, frame.plane(compact->mask).size());
            });
        else if (const auto* child = std::get_if<graph::Child>(&node.work); child != nullptr && child->arena)
            sizes[child->arena.index] = frame.works[i]->inside()->arena.bytes;
    }
    return sizes;
}

// Where a kernel says that it met a fault; its own plane a launch, so that the fault is that of a node.
void reserve_controls(Frame& frame, Site& site) {
    frame.controls.resize(frame.works.size());
    for (std::size_t i = 0; i < frame.works.size(); ++i) {
        const auto* launch = std::get_if<graph::Launch>(&frame.description->nodes()[i].work);
        if (launch == nullptr || launch->plan.kernel().signature().find("__control") < 0) continue;
        frame.controls[i] = site.executor.reserve(marshal::Control::size * sizeof(std::int64_t), 64);
        site.faults.push_back({frame.controls[i], &frame.description->nodes()[i], &launch->plan.kernel().signature()});
    }
}

}  // namespace

ArrayView Frame::array(graph::PlaneRef ref, const graph::Device& device) const {
    ArrayView view = plane(ref).view(at(ref));
    view.device_type = device.type;
    view.device_id = device.id;
    return view;
}

std::unique_ptr<Frame> make_frame(std::shared_ptr<const GraphDescription> description, Site& site) {
    auto frame = std::make_unique<Frame>();
    frame->description = std::move(description);
    const GraphDescription& graph = *frame->description;
    frame->analysis = analyze(graph);
    check_conditionals(graph, site.backend());
    frame->works.resize(graph.nodes().size());
    for (std::uint32_t i = 0; i < graph.nodes().size(); ++i)
        if (const auto* child = std::get_if<graph::Child>(&graph.nodes()[i].work))
            frame->works[i] = make_child_work(*child, site);
    reserve_controls(*frame, site);
    frame->arena = plan_arena(graph, frame->analysis, sizes_of(*frame, site));
    for (std::uint32_t body = 0; body < graph.bodies().size(); ++body)
        frame->bodies.push_back(plan_branches(graph, frame->analysis, body, site.most_branches));
    return frame;
}

void place(Frame& frame, Site& site, std::uint64_t base) {
    const auto planes = frame.description->planes();
    frame.addresses.resize(planes.size());
    for (std::size_t i = 0; i < planes.size(); ++i)
        frame.addresses[i] = !planes[i].scratch                             ? planes[i].address
                             : frame.arena.offsets[i] == ArenaPlan::nowhere ? 0
                                                                            : base + frame.arena.offsets[i];
    for (std::uint32_t i = 0; i < frame.works.size(); ++i) {
        const graph::Node& node = frame.node(i);
        graph::at_line(node.where, "node " + graph::in_quotes(node.name), [&] {
            if (const auto* child = std::get_if<graph::Child>(&node.work))
                place(*frame.works[i]->inside(), site, child->arena ? frame.at(child->arena) : 0);
            else
                frame.works[i] = make_work(frame, site, i);
        });
    }
}

}  // namespace eagle::lowering
