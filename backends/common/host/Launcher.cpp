#include "Launcher.h"

#include <string>

#include "Capture.h"
#include "Check.h"
#include "DeviceMemory.h"
#include "FloatEnvironment.h"

namespace eagle::host {
namespace {

using Lock = std::lock_guard<std::recursive_mutex>;

void run(Program& program) {
    FloatEnvironment plain;
    program.replay();
}

void require_kind(NodeKind found, NodeKind wanted, const char* call_does) {
    if (found == wanted) return;
    refuse("the node is of type " + std::string(name_of(found)) + "; " + call_does + " one of type " + name_of(wanted));
}

}  // namespace

Launcher::Launcher(std::shared_ptr<const RecordedGraph> graph, bool fits_sizes, std::uint64_t stream)
    : names_(graph),
      source_(std::move(graph)),
      fits_sizes_(fits_sizes),
      schedule_(Schedule::of_environment()),
      stream_(stream),
      program_(make(*source_)) {}

std::shared_ptr<Program> Launcher::make(const RecordedGraph& source) const {
    auto program = std::make_shared<Program>(source, *names_, fits_sizes_, schedule_);
    for (const auto& [node, change] : changes_) apply(program->find(node), change);
    if (logical_size_ > 0) program->set_logical_size(logical_size_);
    return program;
}

void Launcher::apply(Program::Place place, const Change& change) {
    if (change.arguments) place.program->set_arguments(place.op, change.arguments);
    if (change.src != 0) place.program->set_source(place.op, change.src);
    if (change.guard) place.program->set_guard(place.op, *change.guard);
    if (change.enabled) place.program->set_enabled(place.op, *change.enabled);
}

// Holds a program for a replay that runs later, or never.
Task Launcher::queued() const {
    struct Ticket {
        std::shared_ptr<Program> program;
        std::shared_ptr<Count> count;
        std::shared_ptr<const RecordedGraph> source;
        Ticket(std::shared_ptr<Program> p, std::shared_ptr<Count> c, std::shared_ptr<const RecordedGraph> s)
            : program(std::move(p)), count(std::move(c)), source(std::move(s)) {
            count->fetch_add(1, std::memory_order_relaxed);
        }
        ~Ticket() { count->fetch_sub(1, std::memory_order_release); }
        Ticket(const Ticket&) = delete;
        Ticket& operator=(const Ticket&) = delete;
    };
    auto ticket = std::make_shared<Ticket>(program_, queued_, source_);
    return [ticket] { run(*ticket->program); };
}

void Launcher::launch() {
    Streams& streams = Streams::of_process();
    Stream& stream = streams.of_raw(stream_, device());
    require_no_capture(stream, "a launch of a graph on");
    if (program_->has_host_functions()) return streams.submit_with_host_functions(stream, queued());
    streams.submit(stream, [this] { run(*program_); }, [this] { return queued(); });
}

void Launcher::synchronize() const {
    Streams& streams = Streams::of_process();
    Stream& stream = streams.of_raw(stream_, device());
    require_no_capture(stream, "synchronize of");
    streams.synchronize(stream);
}

// Replays of one launcher follow each other; on one stream they do so by themselves.
void Launcher::set_stream(std::uint64_t stream) {
    Streams::of_process().of_raw(stream, device());
    if (stream != stream_ && queued_->load(std::memory_order_acquire) != 0) {
        throw Failure(EAGLE_BACKEND_ERROR,
                      "a replay is still on the launcher's stream; call eagle_backend_launcher_synchronize before it "
                      "moves to another");
    }
    stream_ = stream;
}

void Launcher::make_editable() {
    if (queued_->load(std::memory_order_acquire) != 0) program_ = make(*source_);
}

Program::Place Launcher::place_of(std::uint64_t node) {
    RecordedGraph::kind_of(node);
    if (!program_->find(node).program) refuse("the node belongs to another graph than the launcher's");
    make_editable();
    return program_->find(node);
}

void Launcher::set_logical_size(std::int64_t samples) {
    if (samples < 0) refuse("logical_size is " + std::to_string(samples) + "; it must be 0 (no change) or more");
    if (samples == 0) return;
    make_editable();
    logical_size_ = samples;
    program_->set_logical_size(samples);
}

void Launcher::set_enabled(std::uint64_t node, bool enabled) {
    Program::Place place = place_of(node);
    NodeKind kind = place.program->kind(place.op);
    if (!is_toggleable(kind)) {
        refuse("the node is of type " + std::string(name_of(kind)) +
               "; only kernel, copy and fill nodes are enabled and disabled");
    }
    changes_[node].enabled = enabled;
    place.program->set_enabled(place.op, enabled);
}

void Launcher::set_arguments(std::uint64_t node, const std::uint64_t* params, std::int64_t count) {
    Program::Place place = place_of(node);
    require_kind(place.program->kind(place.op), NodeKind::kernel, "parameters are set of");
    const KeptArguments& old = place.program->arguments(place.op);
    if (count > old.count()) {
        refuse("nparams is " + std::to_string(count) + "; the kernel was recorded with " + std::to_string(old.count()) +
               " arguments");
    }
    auto arguments = std::make_shared<const KeptArguments>(old.with(params, count));
    require_arguments(device(), arguments->params(), arguments->sizes(), arguments->count());
    changes_[node].arguments = arguments;
    place.program->set_arguments(place.op, std::move(arguments));
}

void Launcher::set_source(std::uint64_t node, std::uint64_t src) {
    Program::Place place = place_of(node);
    require_kind(place.program->kind(place.op), NodeKind::copy, "a source is set of");
    if (src == 0) refuse("src is null; pass an address");
    const Program& program = *place.program;
    this_kind.memory().require_copy(device(), program.destination(place.op), src, program.bytes(place.op),
                                    program.copy_kind(place.op));

    changes_[node].src = src;
    place.program->set_source(place.op, src);
}

void Launcher::set_guard(std::uint64_t node, const Guard& guard) {
    Program::Place place = place_of(node);
    require_kind(place.program->kind(place.op), NodeKind::conditional, "cells are set of");
    const Guard& old = place.program->guard(place.op);
    if (guard.kind != old.kind || guard.arms != old.arms) {
        refuse("desc is of another kind or number of arms than the node, which keeps its own");
    }
    changes_[node].guard = guard;
    place.program->set_guard(place.op, guard);
}

bool Launcher::update(std::shared_ptr<const RecordedGraph> graph) {
    if (!graph->has_shape_of(*names_)) return false;
    auto changes = changes_;
    for (auto& [node, change] : changes) change = {change.enabled, nullptr, 0, {}};
    std::swap(changes, changes_);
    try {
        program_ = make(*graph);
    } catch (...) {
        changes_ = std::move(changes);
        throw;
    }
    source_ = std::move(graph);
    return true;
}

Graph::Graph(std::int32_t device) : built_(std::make_shared<RecordedGraph>()) {
    Lock lock(graph_lock());
    built_->set_device(device);
    built_->add({});
}

void Graph::set_stream(std::uint64_t stream) {
    Streams::of_process().of_raw(stream, graph().device());
    stream_ = stream;
}

void Graph::add(std::shared_ptr<const RecordedGraph> captured) {
    if (!built_) {
        throw Failure(EAGLE_BACKEND_ERROR,
                      "the graph is a capture as it is; nodes are added to one made by eagle_backend_graph_create");
    }
    if (captured->device() != built_->device()) {
        refuse("the capture is of device " + std::to_string(captured->device()) + " and the graph of device " +
               std::to_string(built_->device()) + "; a graph runs on one device");
    }
    Lock lock(graph_lock());
    if (is_shared_) {
        auto copy = std::make_shared<RecordedGraph>();
        copy->set_device(built_->device());
        for (const Node& node : built_->nodes()) copy->add(node);
        built_ = std::move(copy);
        is_shared_ = false;
    }
    Node child;
    child.kind = NodeKind::child;
    child.after = {static_cast<std::uint32_t>(built_->nodes().size() - 1)};
    child.child = std::move(captured);
    built_->add(std::move(child));
}

std::int64_t Graph::last_node() const { return static_cast<std::int64_t>(graph().nodes().size()) - 1; }

std::unique_ptr<Launcher> Graph::launcher() {
    std::shared_ptr<const RecordedGraph> graph = captured_ ? captured_ : built_;
    if (had_launcher_ && graph->holds_conditional()) {
        throw Failure(EAGLE_BACKEND_ERROR,
                      "the graph holds a conditional node, of which one launcher is made and no second; capture again");
    }
    auto launcher = std::make_unique<Launcher>(std::move(graph), !captured_, stream_);
    is_shared_ = had_launcher_ = true;
    return launcher;
}

}  // namespace eagle::host
