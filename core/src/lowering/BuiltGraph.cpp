#include <eagle/BuiltGraph.h>

#include <map>
#include <utility>

#include "capture/OpenCapture.h"
#include "exec/Busy.h"
#include "graph/Text.h"
#include "lowering/GraphState.h"

namespace eagle {
namespace {

using graph::in_quotes;

// Names of numbers, and whether they are a bare function's, which are bytes.
std::map<std::string, bool> numbers_of(const GraphDescription& description) {
    std::map<std::string, bool> names;
    for (const graph::Node& node : description.nodes()) {
        if (const auto* launch = std::get_if<graph::Launch>(&node.work))
            for (const auto& [of, argument] : launch->arguments)
                if (const auto* number = std::get_if<graph::Number>(&argument.value))
                    names.emplace(number->updatable_as, false);
        if (const auto* function = std::get_if<graph::Function>(&node.work))
            for (const auto& argument : function->arguments) names.emplace(argument.updatable_as, true);
    }
    names.erase("");
    return names;
}

// What is said of a name that no node takes a number by.
std::string no_number(const GraphDescription& description, std::string_view name) {
    const std::string graph = "graph " + in_quotes(description.name());
    const auto numbers = numbers_of(description);
    if (const auto found = numbers.find(std::string(name)); found != numbers.end())
        return "number " + in_quotes(name) + " of " + graph +
               (found->second ? " is the bytes of a bare function's argument; update it with bytes"
                              : " is given to a kernel, and not as bytes; update it with a number");
    if (description.find_plane(name))
        return in_quotes(name) + " is a plane of " + graph + ", and update() takes numbers; give an array with bind()";
    std::string all;
    for (const auto& [known, is_bytes] : numbers) all += (all.empty() ? "" : ", ") + in_quotes(known);
    return "no node of " + graph + " uses a number " + in_quotes(name) + ", so that there is none to update; " +
           (all.empty() ? std::string("its nodes use no number that has a name") : "its numbers are " + all) +
           ": record one by giving it to a kernel under a name (in C++ as Number::updatable_as, in Python as a number "
           "given to build())";
}

// `set` tells one node its new number, and whether it has one of that name.
template <class Set>
void update(BuiltGraph::State& s, std::string_view name, const Set& set) {
    const exec::Entered entered(s.busy, "graph");
    std::vector<std::uint32_t> changed;
    std::uint32_t node = 0;
    try {
        for (; node < s.frame->works.size(); ++node)
            if (set(*s.frame->works[node])) changed.push_back(node);
    } catch (...) {
        s.frame->works[node]->undo();
        for (const std::uint32_t done : changed) s.frame->works[done]->undo();
        throw;
    }
    if (changed.empty()) throw ArgumentError(no_number(*s.frame->description, name));
    s.apply(changed, "a new value of '" + std::string(name) + "'");
}

std::string times(std::uint64_t n, const std::string& noun) {
    return std::to_string(n) + " " + noun + (n == 1 ? "" : noun.ends_with("ch") ? "es" : "s");
}

}  // namespace

std::string ReplayReport::text() const {
    const std::string text = times(launches, "launch") + "; " + times(repointed, "node") + " re-pointed in place, " +
                             times(updated, "capture") + " taken over by the executable, " +
                             times(captured, "executable") + " made";
    return last.empty() ? text : text + "; last: " + last;
}

std::string MemoryReport::text() const {
    return "arena of " + graph::bytes_text(arena) + " (scratch without sharing: " + graph::bytes_text(without_sharing) +
           "); planes of the caller's: " + graph::bytes_text(planes) + "; " + times(owners, "owner") + " kept alive";
}

BuiltGraph lower(std::shared_ptr<const GraphDescription> description, Executor executor, const LowerOptions& options) {
    if (!description) throw InvalidArgument("eagle: no description was given to lower(); needs a finished one");
    const trace::Span span([&] {
        return trace::Label{"build",
                            "lower " + std::string(description->name()),
                            {{"nodes", static_cast<std::int64_t>(description->nodes().size())}}};
    });
    description->finish();
    return BuiltGraph(std::make_unique<BuiltGraph::State>(std::move(executor), std::move(description), options));
}

BuiltGraph::BuiltGraph(std::unique_ptr<State> state) : state_(std::move(state)) {}
BuiltGraph::BuiltGraph(BuiltGraph&&) noexcept = default;

BuiltGraph& BuiltGraph::operator=(BuiltGraph&& other) noexcept {
    if (this == &other) return *this;
    const BuiltGraph gone(std::move(*this));
    state_ = std::move(other.state_);
    return *this;
}

BuiltGraph::~BuiltGraph() {
    if (!state_) return;
    const Backend backend = state_->executor.backend();
    const auto destroy = [](const Backend&, std::uint64_t state, std::uint64_t) {
        delete reinterpret_cast<State*>(state);
    };
    if (detail::OpenCapture::is_open())
        detail::OpenCapture::free_when_closed(backend, destroy, reinterpret_cast<std::uint64_t>(state_.release()), 0);
}

BuiltGraph::State& BuiltGraph::state() const {
    if (state_) return *state_;
    throw BadHandle("eagle: this BuiltGraph was moved from; needs one that lower() gave");
}

BuiltGraph& BuiltGraph::launch(std::int64_t count) {
    state().launch(count, nullptr);
    return *this;
}

BuiltGraph& BuiltGraph::launch(std::int64_t count, const Poll& poll) {
    if (state().watchable()) {
        state_->launch_watched(count, poll);
        return *this;
    }
    for (std::int64_t i = 0; i < count; ++i) {
        if (i != 0 && poll()) throw Interrupted(state_->interrupted_text(i, count), i);
        state_->launch(1, nullptr);
    }
    return *this;
}

BuiltGraph& BuiltGraph::launch_on(std::uint64_t stream, std::int64_t count) {
    state().launch(count, &stream);
    return *this;
}

void BuiltGraph::synchronize() { state().synchronize(); }

BuiltGraph& BuiltGraph::bind(std::span<const Binding> bindings) {
    const exec::Entered entered(state().busy, "graph");
    state_->bind(bindings);
    return *this;
}

BuiltGraph& BuiltGraph::bind(std::string_view plane, const ArrayView& array, std::shared_ptr<const void> owner) {
    const Binding binding{plane, array, std::move(owner)};
    return bind({&binding, 1});
}

BuiltGraph& BuiltGraph::keep_until_done(std::shared_ptr<const void> owner) {
    const exec::Entered entered(state().busy, "graph");
    state_->keep_until_done(std::move(owner));
    return *this;
}

BuiltGraph& BuiltGraph::update(std::string_view name, double value) {
    eagle::update(state(), name, [&](lowering::Work& work) { return work.set_number(name, value); });
    return *this;
}

BuiltGraph& BuiltGraph::update(std::string_view name, std::int64_t value) {
    eagle::update(state(), name, [&](lowering::Work& work) { return work.set_number(name, value); });
    return *this;
}

BuiltGraph& BuiltGraph::update(std::string_view name, std::span<const std::byte> bytes) {
    eagle::update(state(), name, [&](lowering::Work& work) { return work.set_bytes(name, bytes); });
    return *this;
}

BuiltGraph& BuiltGraph::set_enabled(std::string_view node, bool enabled) {
    const exec::Entered entered(state().busy, "graph");
    state_->set_enabled(node, enabled);
    return *this;
}

ReplayReport BuiltGraph::report() const {
    const State& s = state();
    const std::lock_guard lock(s.asked);
    ReplayReport report = s.report;
    report.launches = s.launches.load(std::memory_order_relaxed);
    return report;
}

const GraphDescription& BuiltGraph::description() const { return *state().frame->description; }
const GraphAnalysis& BuiltGraph::analysis() const { return state().frame->analysis; }
const Executor& BuiltGraph::executor() const { return state().executor; }

std::uint64_t BuiltGraph::address(graph::PlaneRef plane) const {
    (void)description().plane(plane);
    const std::lock_guard lock(state_->asked);
    return state_->frame->at(plane);
}

ArrayView BuiltGraph::array(graph::PlaneRef plane) const {
    const graph::Plane& of = description().plane(plane);
    ArrayView view = of.view(address(plane));
    if (!of.scratch) return view;
    const graph::Device device = state_->site.place();
    view.device_type = device.type;
    view.device_id = device.id;
    return view;
}

MemoryReport BuiltGraph::memory_report() const {
    const State& s = state();
    MemoryReport report;
    report.arena = s.executor.arena_bytes();
    report.without_sharing = s.frame->arena.without_sharing;
    const auto planes = s.frame->description->planes();
    for (std::uint32_t i = 0; i < planes.size(); ++i)
        if (!planes[i].scratch && !planes[i].hidden && planes[i].root == i && !s.users[i].empty())
            report.planes += planes[i].bytes;
    report.owners = s.owners.size();
    const std::lock_guard lock(s.asked);
    for (const auto& [plane, owner] : s.plane_owners) report.owners += owner ? 1 : 0;
    return report;
}

}  // namespace eagle
