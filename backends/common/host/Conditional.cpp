#include "Conditional.h"

#include <string>

#include "Check.h"

namespace eagle::host {
namespace {

using Lock = std::lock_guard<std::recursive_mutex>;

[[noreturn]] void fail_with(std::string text) { throw Failure(EAGLE_BACKEND_ERROR, std::move(text)); }

}  // namespace

Conditional::Conditional(const Guard& guard, std::uint64_t origin) : guard_(guard), origin_(origin) {
    Streams& streams = Streams::of_process();
    const std::int32_t device = streams.of_handle(origin).device;
    try {
        for (std::uint32_t i = 0; i < guard.arms; ++i) {
            streams_.push_back(0);
            streams_.back() = streams.create(false, device);
        }
    } catch (...) {
        release_streams();
        throw;
    }
}

Conditional::~Conditional() {
    try {
        release_streams();
    } catch (...) {  // the caller released an arm's stream itself
    }
}

void Conditional::release_streams() {
    Streams& streams = Streams::of_process();
    Lock lock(graph_lock());
    for (std::uint64_t handle : streams_) {
        if (handle == 0) continue;
        if (Tip* tip = tip_of(streams.of_handle(handle))) {
            Capture& capture = *tip->capture;
            capture.trouble = "a conditional was released while its body was open; nothing is kept of the capture";
            capture.leave(*tip);
        }
        streams.release(handle);
    }
}

std::uint64_t Conditional::stream(std::uint64_t arm) const {
    if (arm < streams_.size()) return streams_[arm];
    throw Failure(EAGLE_BACKEND_INDEX,
                  "arm " + std::to_string(arm) + " of a conditional of " + std::to_string(streams_.size()));
}

Tip* Conditional::open_tip(std::size_t arm) const { return tip_of(Streams::of_process().of_handle(streams_[arm])); }

Tip& Conditional::require_open(std::size_t arm) const {
    if (Tip* tip = open_tip(arm)) return *tip;
    fail_with("the body is not open; call eagle_backend_conditional_begin first");
}

void Conditional::begin() {
    Streams& streams = Streams::of_process();
    Lock lock(graph_lock());
    Tip* from = tip_of(streams.of_raw(origin_));
    if (!from) fail_with("the conditional's origin is in no capture; begin one with eagle_backend_capturer_begin");
    if (open_tip(0)) fail_with("the body is open already; call eagle_backend_conditional_end first");
    Node head, node;
    head.kind = NodeKind::guard_setter;
    node.kind = NodeKind::conditional;
    head.guard = node.guard = guard_;
    for (std::uint32_t i = 0; i < guard_.arms; ++i) node.arms.push_back(std::make_shared<RecordedGraph>());
    std::vector<std::shared_ptr<RecordedGraph>> arms = node.arms;
    record_at(*from, std::move(head));
    setters_ = {from->into->nodes()[from->after[0]].handle};
    node.head = from->after[0];
    record_at(*from, std::move(node));
    bodies_.assign(arms.begin(), arms.end());
    for (std::size_t i = 0; i < arms.size(); ++i) {
        Tip& tip = from->capture->enter(streams.of_handle(streams_[i]), *arms[i], {});
        tip.outer = from->into;
    }
}

void Conditional::require_whole(std::size_t arm) const {
    const Tip& tip = require_open(arm);
    if (tip.into->nodes().empty()) {
        refuse("the body of arm " + std::to_string(arm) + " of " + std::to_string(guard_.arms) +
               " is empty; put work on its stream before eagle_backend_conditional_end");
    }
    std::string unjoined = tip.capture->unjoined_branch(*tip.into);
    if (!unjoined.empty()) fail_with(unjoined);
    if (tip.capture->has_open_body_in(*tip.into)) {
        fail_with("a conditional inside the body is open; call eagle_backend_conditional_end for it first");
    }
}

void Conditional::end() {
    Lock lock(graph_lock());
    for (std::size_t i = 0; i < streams_.size(); ++i) require_whole(i);
    for (std::size_t i = 0; i < streams_.size(); ++i) {
        Tip& tip = require_open(i);
        if (guard_.is_loop()) {
            Node tail;
            tail.kind = NodeKind::guard_setter;
            tail.is_tail = true;
            tail.guard = guard_;
            record_at(tip, std::move(tail));
            setters_.push_back(tip.into->nodes().back().handle);
        }
        tip.capture->leave_all(*tip.into);
    }
}

std::vector<std::uint64_t> Conditional::nodes(std::int64_t arm) const {
    Lock lock(graph_lock());
    if (arm < -1 || arm >= static_cast<std::int64_t>(streams_.size())) {
        throw Failure(EAGLE_BACKEND_INDEX, "arm " + std::to_string(arm) + " of a conditional of " +
                                               std::to_string(streams_.size()) + "; -1 asks for the guard's setters");
    }
    auto body = bodies_.empty() ? nullptr : bodies_[arm < 0 ? 0 : static_cast<std::size_t>(arm)].lock();
    if (!body) fail_with("the conditional has no body; call eagle_backend_conditional_begin first");
    if (arm < 0) return setters_;
    std::vector<std::uint64_t> handles;
    for (const Node& node : body->nodes()) handles.push_back(node.handle);
    return handles;
}

}  // namespace eagle::host
