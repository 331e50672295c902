#include "Conditional.h"

#include <string>

#include "../host/Check.h"
#include "Current.h"
#include "Kernels.h"
#include "Streams.h"

namespace eagle::gpu {
namespace {

[[noreturn]] void fail_with(std::string text) { throw Failure(EAGLE_BACKEND_ERROR, std::move(text)); }

template <class T>
T* at(std::uint64_t address) {
    return reinterpret_cast<T*>(address);
}

unsigned kind_of(host::GuardKind kind) {
    switch (kind) {
        case host::GuardKind::two_arms:
            return guard_two_arms;
        case host::GuardKind::loop:
            return guard_loop;
        case host::GuardKind::one_of_many:
            return guard_one_of_many;
        case host::GuardKind::one_arm:
            break;
    }
    return guard_one_arm;
}

}  // namespace

GuardCells cells_of(const host::Guard& guard) {
    GuardCells cells{};
    cells.count = at<const unsigned>(guard.count);
    cells.baseline = at<const unsigned>(guard.baseline);
    cells.counter = at<unsigned>(guard.counter);
    cells.brk = at<unsigned>(guard.brk);
    cells.limit = at<const unsigned>(guard.limit);
    cells.kind = kind_of(guard.kind);
    cells.arms = guard.arms;
    cells.is_negated = guard.is_negated;
    cells.most_turns = guard.most_turns;
    return cells;
}

Conditional::Conditional(const host::Guard& guard, RawStream origin, int device)
    : guard_(guard), origin_(origin), device_(device) {
    const Current current(device);
    load_kernels(device);
    try {
        for (unsigned i = 0; i < guard.arms; ++i) {
            streams_.reserve(i + 1);
            streams_.push_back(Streams::of_process().create(device, false));
        }
    } catch (...) {
        for (RawStream stream : streams_) put_off(device_, [stream] { Streams::of_process().destroy(stream); });
        throw;
    }
}

Conditional::~Conditional() {
    Lock lock(engine_lock());
    for (RawStream stream : streams_) {
        try {
            const auto current = current_if_possible(device_);
            if (Capture* capture = place_of(stream).capture) {
                capture->trouble = "a conditional was released while its body was open; nothing is kept of the capture";
                capture->end_part(stream);
            }
        } catch (const Failure&) {  // the capture's end says so again
        }
        put_off(device_, [stream] { Streams::of_process().destroy(stream); });
    }
}

RawStream Conditional::stream(std::uint64_t arm) const {
    if (arm < streams_.size()) return streams_[arm];
    throw Failure(EAGLE_BACKEND_INDEX,
                  "arm " + std::to_string(arm) + " of a conditional of " + std::to_string(streams_.size()));
}

void Conditional::add_node(const Place& from) {
    setters_ = std::make_shared<GuardNodes>();
    setters_->cells = cells_of(guard_);
    setters_->cells.handle = driver().create_condition(from.info.graph);
    launch_kernel(device_, KernelName::eagle_guard_head, 1, 1, origin_, setters_->cells);
    Node head;
    head.type = NodeType::kernel;
    head.sets_a_guard = true;
    note_tip(origin_, head);
    const CaptureInfo behind = driver().capture_info(origin_);
    setters_->head = behind.tip.front();
    ConditionalNode made =
        driver().add_conditional(behind.graph, behind.tip, setters_->cells.handle, setters_->cells.kind, guard_.arms);
    driver().set_tip(origin_, made.node);
    Node node;
    node.type = NodeType::conditional;
    node.node = made.node;
    node.guard = setters_;
    from.part->into->note(std::move(node));
    bodies_.clear();
    for (RawGraph body : made.bodies) {
        auto record = std::make_shared<Record>(body, device_, false);
        from.part->into->add_inner(record);
        bodies_.push_back(std::move(record));
    }
}

void Conditional::open_bodies(const Place& from) {
    const RawGraph outer = from.info.graph;
    Capture& capture = *from.capture;  // its parts move as they are added
    for (std::size_t i = 0; i < streams_.size(); ++i) {
        Part part;
        part.stream = streams_[i];
        part.into = bodies_[i].lock();
        part.is_body = true;
        part.outer = outer;
        driver().begin_capture_into(streams_[i], part.into->graph());
        capture.parts.push_back(part);
        capture.parts.back().id = driver().capture_info(streams_[i]).id;
    }
}

void Conditional::begin() {
    Lock lock(engine_lock());
    const Place from = place_of(origin_);
    if (!from.part) fail_with("the conditional's origin is in no capture; begin one with eagle_backend_capturer_begin");
    require_alive(from);
    if (place_of(streams_.front()).is_captured()) {
        fail_with("the body is open already; call eagle_backend_conditional_end first");
    }
    if (from.capture->owner != std::this_thread::get_id()) {
        fail_with("the capture was begun on another thread; its conditionals are begun and ended there");
    }
    Capture& capture = *from.capture;
    try {
        add_node(from);
        open_bodies(from);
    } catch (const Failure& e) {
        capture.trouble = e.what();
        throw;
    }
}

Place Conditional::require_open(std::size_t arm) const {
    const Place place = place_of(streams_[arm]);
    if (place.part && place.part->is_body) return place;
    fail_with("the body is not open; call eagle_backend_conditional_begin first");
}

void Conditional::require_whole(std::size_t arm) const {
    const Place place = require_open(arm);
    const RawGraph body = place.part->into->graph();
    if (driver().nodes(body).empty()) {
        host::refuse("the body of arm " + std::to_string(arm) + " of " + std::to_string(guard_.arms) +
                     " is empty; put work on its stream before eagle_backend_conditional_end");
    }
    const std::string unjoined = place.capture->unjoined_branch(body);
    if (!unjoined.empty()) fail_with(unjoined);
    if (place.capture->has_open_body_in(body)) {
        fail_with("a conditional inside the body is open; call eagle_backend_conditional_end for it first");
    }
    const NodeType unfit = type_unfit_for_bodies(body);
    if (unfit == NodeType::empty) return;
    throw Failure(EAGLE_BACKEND_UNSUPPORTED, "the body of arm " + std::to_string(arm) + " holds a node of type " +
                                                 name_of(unfit) + ", which a conditional body may not");
}

void Conditional::add_tail(std::size_t arm) {
    launch_kernel(device_, KernelName::eagle_guard_tail, 1, 1, streams_[arm], setters_->cells);
    Node tail;
    tail.type = NodeType::kernel;
    tail.sets_a_guard = true;
    note_tip(streams_[arm], tail);
    setters_->tail = driver().capture_info(streams_[arm]).tip.front();
}

void Conditional::end() {
    Lock lock(engine_lock());
    for (std::size_t i = 0; i < streams_.size(); ++i) require_whole(i);
    Capture& capture = *require_open(0).capture;
    if (capture.owner != std::this_thread::get_id()) {
        fail_with("the capture was begun on another thread; its conditionals are begun and ended there");
    }
    try {
        for (std::size_t i = 0; i < streams_.size(); ++i) {
            if (guard_.is_loop()) add_tail(i);
            capture.end_part(streams_[i]);
        }
    } catch (const Failure& e) {
        capture.trouble = e.what();
        throw;
    }
}

std::vector<RawNode> Conditional::nodes(std::int64_t arm) const {
    Lock lock(engine_lock());
    if (arm < -1 || arm >= static_cast<std::int64_t>(streams_.size())) {
        throw Failure(EAGLE_BACKEND_INDEX, "arm " + std::to_string(arm) + " of a conditional of " +
                                               std::to_string(streams_.size()) + "; -1 asks for the guard's setters");
    }
    auto body = bodies_.empty() ? nullptr : bodies_[arm < 0 ? 0 : static_cast<std::size_t>(arm)].lock();
    if (!body) fail_with("the conditional has no body; call eagle_backend_conditional_begin first");
    std::vector<RawNode> found;
    if (arm < 0) {
        found.push_back(setters_->head);
        if (setters_->tail) found.push_back(setters_->tail);
        return found;
    }
    if (place_of(streams_[static_cast<std::size_t>(arm)]).is_captured()) body->find_others();
    for (const Node& node : body->nodes()) found.push_back(node.node);
    return found;
}

}  // namespace eagle::gpu
