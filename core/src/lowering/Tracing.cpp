#include "lowering/Tracing.h"

#include <vector>

namespace eagle::lowering {
namespace {

std::string name_of(const GraphDescription& description) {
    return description.name().empty() ? "graph" : std::string(description.name());
}

void add_planes(trace::Subject& subject, const GraphDescription& description, const graph::Node& node) {
    for (const graph::Access& access : node.accesses) {
        const graph::Plane& plane = description.planes()[access.plane];
        if (plane.hidden) continue;
        subject.bytes += plane.bytes;
        if (graph::reads(access.mode)) subject.reads.push_back(plane.name);
        if (graph::writes(access.mode)) subject.writes.push_back(plane.name);
    }
}

std::string kernel_of(const graph::Node& node) {
    if (const auto* launch = std::get_if<graph::Launch>(&node.work)) return launch->plan.kernel().name();
    if (const auto* function = std::get_if<graph::Function>(&node.work)) return trace::symbol_of(function->function);
    return {};
}

}  // namespace

bool can_trace(const Backend& backend) { return backend.takes_host_files() && backend.provides(Group::exec); }

std::uint32_t Tracing::row(const Frame& frame, std::uint32_t body, std::uint32_t branch) const {
    const GraphDescription& description = *frame.description;
    std::string name = name_of(description);
    if (body != 0) {
        const graph::Body& of = description.bodies()[body];
        name += ": " + frame.node(of.owner).name + ", " + of.label;
    }
    if (frame.bodies[body].width > 1) name += ", branch " + std::to_string(branch);
    const std::string key = std::to_string(site_.number) + " " +
                            std::to_string(reinterpret_cast<std::uintptr_t>(&frame)) + " " + std::to_string(body) +
                            " " + std::to_string(branch);
    const std::string device = site_.backend().kind() + ":" + std::to_string(site_.device());
    return trace::Session::of_process().row(site_.trace, key, {device, name});
}

void Tracing::at_node(const Frame& frame, std::uint32_t body, const Step& step) {
    const graph::Node& node = frame.node(step.node);
    subject_ = {};
    subject_.name = node.name;
    subject_.kind = node.kind();
    subject_.graph = name_of(*frame.description);
    subject_.kernel = kernel_of(node);
    subject_.file = node.where.file;
    subject_.line = node.where.line;
    subject_.row = row(frame, body, step.branch);
    subject_.replays = site_.replays;
    add_planes(subject_, *frame.description, node);
}

void Tracing::at_graph(const Frame& frame) {
    subject_ = {};
    subject_.name = subject_.graph = name_of(*frame.description);
    subject_.kind = "graph";
    subject_.file = frame.description->where().file;
    subject_.line = frame.description->where().line;
    subject_.row = row(frame, 0, 0);
}

bool Tracing::is_code(std::uint64_t function) {
    const auto [it, is_new] = known_code_.emplace(function, false);
    if (is_new) it->second = trace::is_code(function);
    return it->second;
}

std::optional<trace::Ticket> Tracing::ticket(const KernelCall& call, std::size_t index, std::size_t calls) {
    if (!is_on() || !is_code(call.function)) return std::nullopt;
    trace::Subject subject = subject_;
    subject.call = static_cast<std::uint32_t>(index);
    subject.calls = static_cast<std::uint32_t>(calls);
    subject.samples = call.part.count * (call.grid == 0 ? 1 : std::int64_t{call.grid});
    const std::uint32_t number = trace::Session::of_process().add(site_.trace, std::move(subject));
    return trace::Ticket{call.function, site_.trace, 0, number, trace::EventKind::part};
}

std::optional<trace::Ticket> Tracing::host_ticket() {
    if (!is_on()) return std::nullopt;
    trace::Subject subject = subject_;
    subject.samples = 1;
    const std::uint32_t number = trace::Session::of_process().add(site_.trace, std::move(subject));
    return trace::Ticket{0, site_.trace, 0, number, trace::EventKind::part};
}

void Tracing::put_mark(std::uint32_t subject, trace::EventKind kind, std::uint64_t stream) const {
    const trace::Ticket ticket{0, site_.trace, 0, subject, kind};
    const void* param = &ticket;
    const std::uint64_t size = sizeof ticket;
    KernelCall call;
    call.function = trace::mark_entry();
    call.part = Partition::whole(1);
    call.params = &param;
    call.sizes = &size;
    call.count = 1;
    call.put(site_.backend(), site_.device(), stream);
}

void put_traced(const KernelCall& call, const trace::Ticket& ticket, const Backend& backend, std::int32_t device,
                std::uint64_t stream) {
    std::vector<const void*> params{&ticket};
    std::vector<std::uint64_t> sizes{sizeof ticket};
    params.insert(params.end(), call.params, call.params + call.count);
    sizes.insert(sizes.end(), call.sizes, call.sizes + call.count);
    KernelCall traced = call;
    traced.function = trace::entry_before(call.function);
    traced.params = params.data();
    traced.sizes = sizes.data();
    traced.count = params.size();
    traced.put(backend, device, stream);
}

}  // namespace eagle::lowering
