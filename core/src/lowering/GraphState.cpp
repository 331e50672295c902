#include "lowering/GraphState.h"

#include <eagle/Fence.h>
#include <eagle/Memory.h>
#include <eagle/marshal/Control.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "exec/Busy.h"
#include "graph/Residency.h"
#include "graph/Text.h"
#include "lowering/Recorder.h"
#include "lowering/Tracing.h"

namespace eagle {

using graph::in_quotes;
using marshal::Control;

void lowering::check_device(const GraphDescription& description, const GraphAnalysis& analysis,
                            const Executor& executor) {
    if (!analysis.device) return;
    const Backend& backend = executor.backend();
    const auto& types = backend.device_types();
    const bool served = std::find(types.begin(), types.end(), analysis.device->type) != types.end();
    if (served && (backend.host_only() || analysis.device->id == executor.device())) return;
    if (analysis.device->host())
        return graph::require_movable(description, backend.kind() + ":" + std::to_string(executor.device()));
    for (const graph::Plane& plane : description.planes())
        if (!plane.scratch && plane.device == *analysis.device)
            throw BufferRefused(description.where().text() + ": graph " + in_quotes(description.name()) + " has " +
                                graph::plane_text(plane) + ", and is lowered onto device " +
                                std::to_string(executor.device()) + " of kind '" + backend.kind() +
                                "'; it needs an executor of the device that its planes live on");
}

BuiltGraph::State::State(Executor of, std::shared_ptr<const GraphDescription> description, const LowerOptions& options)
    : executor(std::move(of)), site(executor), owners(options.owners), host_only(executor.backend().host_only()) {
    site.most_branches = std::max<std::uint32_t>(1, options.branches);
    seen_ = trace::session();
    if (lowering::can_trace(executor.backend())) site.trace = seen_;
    frame = lowering::make_frame(std::move(description), site);
    lowering::check_device(*frame->description, frame->analysis, executor);
    const graph::Device place = site.place();
    if (auto& device = frame->analysis.device; device && device->host() && !place.host()) device = place;
    const ScratchRef arena = executor.reserve(frame->arena.bytes);
    executor.finalize();
    lowering::place(*frame, site, executor.address(arena));
    for (const graph::Node& node : frame->description->nodes())
        has_loops = has_loops || std::holds_alternative<graph::While>(node.work);
    const auto planes = frame->description->planes();
    users.resize(planes.size());
    written.resize(planes.size(), 0);
    for (std::uint32_t i = 0; i < frame->works.size(); ++i)
        for (const graph::Access& access : frame->node(i).accesses) {
            auto& of_root = users[planes[access.plane].root];
            if (of_root.empty() || of_root.back() != i) of_root.push_back(i);
            if (graph::writes(access.mode)) written[access.plane] = 1;
        }
    capture("");
}

BuiltGraph::State::~State() {
    try {
        if (executor.captured() && executor.backend().usable_here()) executor.synchronize();
    } catch (...) {  // nobody is left to be told
    }
    // A module stays loaded while a graph that launches its kernels is alive: what replays goes before what it replays.
    const Executor gone = std::move(executor);
}

bool BuiltGraph::State::record(bool careful) {
    lowering::Recorder recorder(site, careful);
    const std::uint64_t origin = executor.stream().native();
    recorder.prepare(*frame, 0, origin);
    struct Release {
        lowering::Frame& frame;
        ~Release() { lowering::release(frame); }
    } const release{*frame};
    const bool taken_over =
        executor.capture([&](CaptureScope& scope) { recorder.record_graph(*frame, scope.stream()); });
    if (taken_over) {
        const std::lock_guard lock(asked);
        ++report.updated;
        return true;
    }
    // Counts that do not hold are asked for one by one, in another capture.
    if (!recorder.named_all() && !careful) return record(true);
    recorder.name_all();
    const std::lock_guard lock(asked);
    ++report.captured;
    return false;
}

void BuiltGraph::State::say(std::string what) {
    const std::lock_guard lock(asked);
    report.last = std::move(what);
}

void BuiltGraph::State::capture(const std::string& why) {
    const trace::Span span([&] { return trace::Label{"capture", "capture " + called(), {{"why", why}}}; });
    const bool taken_over = record(false);
    stale.clear();
    if (!why.empty())
        say(why + (taken_over ? ": captured again, and the executable took it over"
                              : ": captured again, and the executable was made anew"));
    restore_disabled();
    if (!taken_over) fill_native_nodes();
}

void BuiltGraph::State::fill_native_nodes() {
    std::vector<NativeNode> nodes(frame->works.size());
    for (std::uint32_t i = 0; i < nodes.size(); ++i) {
        nodes[i].node = i;
        nodes[i].handles = frame->works[i]->handles;
        for (const graph::Edge& edge : frame->analysis.into(i)) nodes[i].after.push_back(edge.from);
    }
    executor.set_native_nodes(std::move(nodes));
}

void BuiltGraph::State::apply(const std::vector<std::uint32_t>& changed, const std::string& what) {
    if (!stale.empty()) return;  // the capture to come takes it in
    std::uint32_t refused = graph::none;
    for (const std::uint32_t index : changed)
        if (!frame->works[index]->repoint(executor.launcher())) refused = index;
    if (refused != graph::none) {
        stale = what + ", which " + graph::node_text(frame->node(refused)) + " cannot take in place";
        return;
    }
    const std::lock_guard lock(asked);
    report.repointed += changed.size();
    report.last = what + ": re-pointed in place";
}

// Nodes are seen where they were captured for it.
void BuiltGraph::State::follow_trace() {
    seen_ = trace::session();
    const trace::SessionId wanted = lowering::can_trace(executor.backend()) ? seen_ : 0;
    if (wanted == site.trace) return;
    executor.synchronize();  // what runs still notes
    site.trace = wanted;
    if (stale.empty()) stale = wanted != 0 ? "a trace that began" : "a trace that ended";
}

std::string BuiltGraph::State::called() const {
    const std::string name(frame->description->name());
    return name.empty() ? "graph" : name;
}

std::string BuiltGraph::State::interrupted_text(std::int64_t whole, std::int64_t times) const {
    return "graph '" + called() + "' was interrupted after " + std::to_string(whole) + " of " + std::to_string(times) +
           " replays, which are whole: the arrays hold what they left";
}

void BuiltGraph::State::replay() {
    const trace::Span span([&] {
        return trace::Label{"launch",
                            "launch " + called(),
                            {{"device", executor.backend().kind() + ":" + std::to_string(executor.device())}},
                            0,
                            site.replays};
    });
    executor.launch();
    launches.store(launches.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    if (host_only) executor.synchronize();
}

void BuiltGraph::State::begin_launch() {
    site.errors.raise();
    kept.let_go();
    if (trace::session() != seen_) [[unlikely]]
        follow_trace();
    if (!stale.empty()) capture(std::string(stale));
}

void BuiltGraph::State::launch(std::int64_t times, const std::uint64_t* stream) {
    const exec::Entered entered(busy, "graph");
    begin_launch();
    const std::uint64_t own = executor.stream().native();
    if (!host_only) fence(executor.backend(), executor.device(), 0, own);
    if (stream != nullptr) fence(executor.backend(), executor.device(), *stream, own);
    for (std::int64_t i = 0; i < times; ++i) {
        replay();
        if (!host_only) continue;
        site.errors.raise();
        if (!site.faults.empty()) raise_faults();
    }
    if (stream != nullptr) fence(executor.backend(), executor.device(), own, *stream);
}

void BuiltGraph::State::synchronize() {
    const exec::Entered entered(busy, "graph");
    const trace::Span span([&] { return trace::Label{"wait", "wait for " + called()}; });
    executor.synchronize();
    kept.clear();
    site.errors.raise();
    if (!site.faults.empty()) raise_faults();
}

// On a host kind replays are done when they return.
void BuiltGraph::State::keep_until_done(std::shared_ptr<const void> owner) {
    kept.let_go();
    if (owner && !host_only) kept.until_done(executor.stream(), {std::const_pointer_cast<void>(std::move(owner))});
}

// Throws what the kernel noted; its plane is clean afterwards.
void BuiltGraph::State::raise_faults() {
    for (const lowering::FaultCell& cell : site.faults) {
        const std::uint64_t address = executor.address(cell.control);
        std::array<std::int64_t, Control::size> control{};
        if (host_only) {
            if (reinterpret_cast<const std::int64_t*>(address)[Control::fault] == 0) continue;
            std::memcpy(control.data(), reinterpret_cast<const void*>(address), sizeof control);
            std::memset(reinterpret_cast<void*>(address), 0, sizeof control);
        } else {
            const std::uint64_t stream = executor.stream().native();
            copy(executor.backend(), reinterpret_cast<std::uint64_t>(control.data()), address, sizeof control,
                 CopyKind::device_to_host, stream);
            executor.synchronize();
            if (control[Control::fault] == 0) continue;
            clear(executor.backend(), address, sizeof control, stream);
        }
        graph::at_line(cell.node->where, "node " + in_quotes(cell.node->name),
                       [&] { marshal::raise_fault(*cell.signature, control.data()); });
    }
}

}  // namespace eagle
