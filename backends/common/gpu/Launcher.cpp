#include "Launcher.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>

#include "../host/Check.h"
#include "Capture.h"
#include "Conditional.h"
#include "Current.h"

namespace eagle::gpu {

using host::refuse;

namespace {

void require_type(NodeType found, NodeType wanted, const char* call_does) {
    if (found == wanted) return;
    refuse("the node is of type " + std::string(name_of(found)) + "; " + call_does + " one of type " + name_of(wanted));
}

// The nodes of both records in one order; empty where their shapes differ.
void pair_up(const Record& a, const Record& b, std::map<RawNode, RawNode>& pairs) {
    for (std::size_t i = 0; i < std::min(a.nodes().size(), b.nodes().size()); ++i) {
        pairs[a.nodes()[i].node] = b.nodes()[i].node;
    }
    for (std::size_t i = 0; i < std::min(a.inner().size(), b.inner().size()); ++i) {
        pair_up(*a.inner()[i], *b.inner()[i], pairs);
    }
}

}  // namespace

Launcher::Launcher(std::shared_ptr<Record> graph, Names names, std::vector<RawNode> fitted, RawStream stream)
    : graph_(std::move(graph)), names_(std::move(names)), fitted_(std::move(fitted)), stream_(stream) {
    const Current current(device());
    const Relaxed relaxed;
    exec_ = driver().instantiate(graph_->graph());
}

Launcher::~Launcher() {
    put_off(device(), [exec = exec_] { driver().destroy_exec(exec); });
}

void Launcher::launch() {
    const Current current(device());
    require_no_capture(stream_, "a launch of a graph on");
    require_apart_from_captures(stream_, device());
    driver().launch(exec_, stream_);
}

void Launcher::synchronize() const {
    const Current current(device());
    require_no_capture(stream_, "synchronize of");
    require_apart_from_captures(stream_, device());
    driver().synchronize(stream_);
}

void Launcher::set_stream(RawStream stream) {
    device_of(device(), stream);
    stream_ = stream;
}

RawNode Launcher::name_of_node(RawNode node) const {
    auto found = names_.find(node);
    return found == names_.end() ? node : found->second;
}

const Node& Launcher::require(RawNode node) const {
    Record::known(node);
    if (const Node* found = graph_->find(node)) return *found;
    refuse("the node belongs to another graph than the launcher's");
}

RawNode Launcher::source_of(RawNode node) const {
    if (!updated_from_) return name_of_node(node);
    std::map<RawNode, RawNode> pairs;
    pair_up(*graph_, *updated_from_, pairs);
    auto found = pairs.find(node);
    return found == pairs.end() ? name_of_node(node) : found->second;
}

Launcher::Values Launcher::values_of(RawNode node) const {
    auto changed = values_.find(node);
    if (changed != values_.end()) return changed->second;
    const KernelNode from = driver().kernel_node(source_of(node));
    auto sizes = driver().parameter_sizes(from.function);
    if (!sizes && !require(node).sizes.empty()) sizes = require(node).sizes;
    if (!sizes) {
        throw Failure(EAGLE_BACKEND_UNAVAILABLE,
                      "this driver does not tell the sizes of a kernel's parameters, and the launch did not give them; "
                      "pass param_sizes when it is recorded, or install a newer driver");
    }
    Values values;
    for (std::size_t i = 0; i < sizes->size(); ++i) {
        const auto* bytes = static_cast<const std::byte*>(from.parameters[i]);
        values.bytes.emplace_back(bytes, bytes + (*sizes)[i]);
    }
    return values;
}

void Launcher::apply(RawNode node, Values values) {
    KernelNode to = driver().kernel_node(source_of(node));
    if (logical_size_ > 0 && std::find(fitted_.begin(), fitted_.end(), node) != fitted_.end() &&
        !require(node).has_fixed_layout) {
        to.shape.grid_x = static_cast<unsigned>((logical_size_ - 1) / to.shape.block_x + 1);
    }
    std::vector<void*> addresses;
    for (auto& bytes : values.bytes) addresses.push_back(bytes.data());
    if (!values.bytes.empty()) to.parameters = addresses.data();
    driver().set_kernel(exec_, name_of_node(node), to);
    if (!values.bytes.empty()) values_[node] = std::move(values);
    if (disabled_.count(node)) driver().set_enabled(exec_, name_of_node(node), false);
}

void Launcher::set_logical_size(std::int64_t samples) {
    if (samples < 0) refuse("logical_size is " + std::to_string(samples) + "; it must be 0 (no change) or more");
    if (samples == 0) return;
    if (samples > std::numeric_limits<std::int32_t>::max() * std::int64_t{32}) {
        throw Failure(EAGLE_BACKEND_UNSUPPORTED,
                      "logical_size is " + std::to_string(samples) + "; a grid has at most 2^31 - 1 blocks");
    }
    Lock lock(engine_lock());
    const Current current(device());
    const std::int64_t before = logical_size_;
    logical_size_ = samples;
    try {
        for (RawNode node : fitted_) {
            if (require(node).has_fixed_layout) continue;
            auto changed = values_.find(node);
            apply(node, changed == values_.end() ? Values{} : changed->second);
        }
    } catch (...) {
        logical_size_ = before;
        throw;
    }
}

void Launcher::set_enabled(RawNode node, bool enabled) {
    Lock lock(engine_lock());
    const Node& found = require(node);
    if (!is_toggleable(found)) {
        refuse("the node is of type " + std::string(found.sets_a_guard ? "guard setter" : name_of(found.type)) +
               "; only kernel, copy and fill nodes are enabled and disabled");
    }
    const Current current(device());
    driver().set_enabled(exec_, name_of_node(node), enabled);
    enabled ? static_cast<void>(disabled_.erase(node)) : static_cast<void>(disabled_.insert(node));
}

void Launcher::set_arguments(RawNode node, const std::uint64_t* params, std::int64_t count) {
    Lock lock(engine_lock());
    const Node& found = require(node);
    require_type(found.sets_a_guard ? NodeType::other : found.type, NodeType::kernel, "parameters are set of");
    const Current current(device());
    Values values = values_of(node);
    const std::int64_t most = found.arguments >= 0 ? found.arguments : static_cast<std::int64_t>(values.bytes.size());
    if (count > most) {
        refuse("nparams is " + std::to_string(count) + "; the kernel was recorded with " + std::to_string(most) +
               " arguments");
    }
    for (std::int64_t i = 0; i < count; ++i) {
        auto& bytes = values.bytes[static_cast<std::size_t>(i)];
        if (params[i]) std::memcpy(bytes.data(), reinterpret_cast<const void*>(params[i]), bytes.size());
    }
    apply(node, std::move(values));
}

void Launcher::set_source(RawNode node, std::uint64_t src) {
    Lock lock(engine_lock());
    const Node& found = require(node);
    require_type(found.type, NodeType::copy, "a source is set of");
    if (src == 0) refuse("src is null; pass an address");
    const Current current(device());
    const RawNode source = source_of(node);
    const Node* updated = updated_from_ ? updated_from_->find(source) : nullptr;
    Copy like = updated ? updated->copy : found.copy;
    like.node = source;
    driver().set_copy_source(exec_, name_of_node(node), like, src);
}

void Launcher::set_cells(RawNode node, const GuardCells& cells) {
    Values values;
    const auto* bytes = reinterpret_cast<const std::byte*>(&cells);
    values.bytes.emplace_back(bytes, bytes + sizeof cells);
    apply(node, std::move(values));
}

void Launcher::set_guard(RawNode node, const host::Guard& guard) {
    Lock lock(engine_lock());
    const Node& found = require(node);
    require_type(found.type, NodeType::conditional, "cells are set of");
    const GuardNodes& setters = *found.guard;
    GuardCells cells = cells_of(guard);
    if (cells.kind != setters.cells.kind || cells.arms != setters.cells.arms) {
        refuse("desc is of another kind or number of arms than the node, which keeps its own");
    }
    cells.handle = Record::known(source_of(node)).guard->cells.handle;  // of the capture taken over last
    const Current current(device());
    set_cells(setters.head, cells);
    if (setters.tail) set_cells(setters.tail, cells);
}

bool Launcher::update(std::shared_ptr<Record> graph) {
    Lock lock(engine_lock());
    const Current current(device());
    if (!driver().update(exec_, graph->graph())) return false;
    updated_from_ = std::move(graph);
    values_.clear();
    for (RawNode node : disabled_) driver().set_enabled(exec_, name_of_node(node), false);
    const std::int64_t size = logical_size_;
    logical_size_ = 0;
    set_logical_size(size);
    return true;
}

}  // namespace eagle::gpu
