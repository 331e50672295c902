// How a program is made and changed. ProgramReplay.cpp runs it.
#include "Program.h"

#include <algorithm>
#include <cstring>

#include "Streams.h"

namespace eagle::host {
namespace {

using Places = std::vector<std::uint32_t>;

void nothing(const Op&) {}
void call_here(const Op& op) { op.call.entry(op.call.params, op.call.base, op.call.count, op.call.n_samples); }
void call_shared(const Op& op) { run_kernel(op.call); }
void call_on_host(const Op& op) { call_host_function(op.fn, op.ctx); }
void call_work(const Op& op) { (*static_cast<const std::function<void()>*>(op.ctx))(); }
void copy(const Op& op) {
    if (op.dst != op.src) std::memmove(reinterpret_cast<void*>(op.dst), reinterpret_cast<void*>(op.src), op.bytes);
}
Decision& decision(const Op& op) { return *static_cast<Decision*>(op.ctx); }
void set_first_arm(const Op& op) { decision(op).arm = decision(op).guard.first(); }
void set_next_turn(const Op& op) { decision(op).arm = decision(op).guard.next(); }
// The tail of a loop's body says whether there is a next turn; the other kinds run one arm.
void run_arms(const Op& op) {
    Decision& d = decision(op);
    if (d.arm == Guard::no_arm) return;
    do {
        d.bodies[d.arm]->replay();
    } while (d.guard.is_loop() && d.arm != Guard::no_arm);
}
void fill(const Op& op) { std::memset(reinterpret_cast<void*>(op.dst), 0, op.bytes); }

void sort_out(Places& places) {
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
}

}  // namespace

Program::Program(const RecordedGraph& source, const RecordedGraph& names, bool fits_sizes, const Schedule& schedule,
                 Decision* loop)
    : loop_(loop), schedule_(schedule) {
    take_in(source, names, {}, fits_sizes, true);
    link();
}

// Puts the nodes of a graph behind the ops `entry`, and returns the ops that nothing in it waits for. Nodes of a graph
// that came in as a foreign child have no names here: the same graph may come in twice.
Places Program::take_in(const RecordedGraph& source, const RecordedGraph& names, Places entry, bool fits_sizes,
                        bool has_names) {
    const auto& nodes = source.nodes();
    std::vector<Places> exits(nodes.size());
    std::vector<bool> is_waited_for(nodes.size(), false);
    entry = joined(std::move(entry));
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const Node &node = nodes[i], &named = names.nodes()[i];
        Places after;
        for (std::uint32_t before : node.after) {
            is_waited_for[before] = true;
            after.insert(after.end(), exits[before].begin(), exits[before].end());
        }
        if (node.after.empty()) after = entry;
        sort_out(after);
        if (node.kind == NodeKind::child) {
            exits[i] = take_in(*node.child, *named.child, after, fits_sizes, has_names && !node.is_foreign);
        } else {
            exits[i] = {add_op(node, has_names ? named.handle : 0, after, fits_sizes)};
            if (Decision* d = decision_of(node, named, exits, has_names)) ops_[exits[i][0]].ctx = d;
        }
    }
    Places leaves;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (!is_waited_for[i]) leaves.insert(leaves.end(), exits[i].begin(), exits[i].end());
    }
    if (nodes.empty()) return entry;
    sort_out(leaves);
    return leaves;
}

// Of a head a decision of its own, of a conditional that of its head, of a tail that of the loop around it.
Decision* Program::decision_of(const Node& node, const Node& named, const std::vector<Places>& exits, bool has_names) {
    if (node.kind == NodeKind::guard_setter && node.is_tail) return loop_;
    if (node.kind == NodeKind::guard_setter) {
        decisions_.push_back(std::make_unique<Decision>());
        decisions_.back()->guard = node.guard;
        return decisions_.back().get();
    }
    if (node.kind != NodeKind::conditional) return nullptr;
    auto* made = static_cast<Decision*>(ops_[exits[node.head][0]].ctx);
    for (std::size_t i = 0; i < node.arms.size(); ++i) {
        Schedule schedule = schedule_;
        if (schedule.is_random) schedule.seed = schedule_.draw(~std::uint64_t(0));
        made->bodies.push_back(std::make_unique<Program>(*node.arms[i], *named.arms[i], false, schedule, made));
        if (!has_names) made->bodies.back()->forget_names();
    }
    return made;
}

// One op that stands for many, so that many behind many are not the product in edges.
Places Program::joined(Places many) {
    if (many.size() < 2) return many;
    return {add_op(Node{}, 0, many, false)};
}

std::uint32_t Program::add_op(const Node& node, std::uint64_t name, const Places& after, bool fits_sizes) {
    auto at = static_cast<std::uint32_t>(ops_.size());
    Op op;
    op.call = node.call;
    op.dst = node.dst;
    op.src = node.src;
    op.bytes = node.bytes;
    op.fn = node.fn;
    op.ctx = node.ctx;
    Info info;
    info.kind = node.kind;
    info.block = node.block;
    info.is_tail = node.is_tail;
    info.count = node.call.count;
    info.copy_kind = node.copy_kind;
    info.arguments = node.arguments;
    info.work = node.work;
    if (node.work) op.ctx = const_cast<std::function<void()>*>(node.work.get());
    if (node.kind == NodeKind::kernel && fits_sizes) {
        ++kernels_that_fit_;
        info.fits_sizes = !node.has_fixed_layout;
    }
    if (node.kind == NodeKind::host_function) has_host_functions_ = true;
    ops_.push_back(op);
    infos_.push_back(std::move(info));
    after_.push_back(after);
    if (name != 0) by_handle_.emplace(name, at);
    choose_run(at);
    return at;
}

// From the ops that each waits for, those that wait for it.
void Program::link() {
    const std::size_t n = ops_.size();
    waits_.resize(n);
    first_.assign(n + 1, 0);
    std::vector<std::uint32_t> depth;
    depth.assign(n, 1);  // in the constructor, GCC 12 takes n for a size past all memory and warns
    std::uint32_t longest = 1;
    for (std::size_t i = 0; i < n; ++i) {
        waits_[i] = static_cast<std::uint32_t>(after_[i].size());
        for (std::uint32_t before : after_[i]) {
            ++first_[before + 1];
            depth[i] = std::max(depth[i], depth[before] + 1);
        }
        longest = std::max(longest, depth[i]);
    }
    for (std::size_t i = 0; i < n; ++i) {
        if (first_[i + 1] == 0) ++leaves_;
        first_[i + 1] += first_[i];
    }
    next_.resize(first_[n]);
    std::vector<std::uint32_t> at(first_.begin(), first_.end() - 1);
    for (std::size_t i = 0; i < n; ++i) {
        for (std::uint32_t before : after_[i]) next_[at[before]++] = static_cast<std::uint32_t>(i);
    }
    width_ = double(n) / double(longest);
    after_ = {};
}

void Program::choose_run(std::uint32_t at) {
    const Info& info = infos_[at];
    Op& op = ops_[at];
    op.run = &nothing;
    if (!info.is_enabled) return;
    switch (info.kind) {
        case NodeKind::kernel:
            if (op.call.count > 0) op.run = info.is_small ? &call_here : &call_shared;
            break;
        case NodeKind::built_in:
            op.run = &call_work;
            break;
        case NodeKind::copy:
            op.run = &copy;
            break;
        case NodeKind::fill:
            op.run = &fill;
            break;
        case NodeKind::host_function:
            op.run = &call_on_host;
            break;
        case NodeKind::guard_setter:
            op.run = info.is_tail ? &set_next_turn : &set_first_arm;
            break;
        case NodeKind::conditional:
            op.run = &run_arms;
            break;
        case NodeKind::empty:
        case NodeKind::child:
            break;
    }
}

Program::Place Program::find(std::uint64_t node) {
    auto found = by_handle_.find(node);
    if (found != by_handle_.end()) return {this, found->second};
    for (const auto& made : decisions_) {
        for (const auto& body : made->bodies) {
            if (Place place = body->find(node); place.program) return place;
        }
    }
    return {};
}

void Program::forget_names() {
    by_handle_.clear();
    for (const auto& made : decisions_) {
        for (const auto& body : made->bodies) body->forget_names();
    }
}

void Program::set_arguments(std::uint32_t op, std::shared_ptr<const KeptArguments> arguments) {
    ops_[op].call.params = arguments->params();
    infos_[op].arguments = std::move(arguments);
}

void Program::set_enabled(std::uint32_t op, bool enabled) {
    infos_[op].is_enabled = enabled;
    choose_run(op);
}

// As many blocks as `samples` needs, and never more than was recorded.
void Program::set_logical_size(std::int64_t samples) {
    for (std::uint32_t i = 0; i < ops_.size(); ++i) {
        const Info& info = infos_[i];
        if (!info.fits_sizes) continue;
        std::int64_t blocks = samples / info.block + (samples % info.block != 0);
        ops_[i].call.count = blocks > info.count / info.block ? info.count : blocks * info.block;
        choose_run(i);
    }
}

}  // namespace eagle::host
