#include "Capture.h"

#include <algorithm>
#include <map>
#include <new>
#include <optional>
#include <set>
#include <utility>

#include "../host/Check.h"
#include "Branches.h"
#include "Current.h"
#include "Streams.h"

namespace eagle::gpu {
namespace {

[[noreturn]] void fail_with(std::string text) { throw Failure(EAGLE_BACKEND_ERROR, std::move(text)); }

// Every capture that is open, and the one that this thread opened last.
std::set<std::shared_ptr<Capture>>& open_captures() {
    static auto& all = *new std::set<std::shared_ptr<Capture>>;
    return all;
}
thread_local std::shared_ptr<Capture> opened_here;

// Graphs that others capture: what is known of their nodes, until the same number names another.
std::map<RawGraph, std::shared_ptr<Record>>& foreign_records() {
    static auto& all = *new std::map<RawGraph, std::shared_ptr<Record>>;
    return all;
}

Place require_place(RawStream stream) {
    Place place = place_of(stream);
    if (!place.is_captured()) fail_with("the stream is in no capture; begin one with eagle_backend_capturer_begin");
    require_alive(place);
    return place;
}

std::shared_ptr<Record> record_of(const Place& place) {
    if (place.part) return place.part->into;
    auto& record = foreign_records()[place.info.graph];
    record = std::make_shared<Record>(place.info.graph, 0, false);
    return record;
}

}  // namespace

const Part* Capture::part(std::uint64_t id) const {
    auto found = std::find_if(parts.begin(), parts.end(), [&](const Part& p) { return p.id == id; });
    return found == parts.end() ? nullptr : &*found;
}

const Part* Capture::part_from(RawStream stream) const {
    auto found = std::find_if(parts.begin(), parts.end(), [&](const Part& p) { return p.stream == stream; });
    return found == parts.end() ? nullptr : &*found;
}

bool Capture::has_open_body_in(RawGraph outer) const {
    return std::any_of(parts.begin(), parts.end(), [&](const Part& p) { return p.is_body && p.outer == outer; });
}

std::string Capture::unjoined_branch(RawGraph graph) const {
    std::string open;
    for (const Branches* fork : forks) {
        std::string behind = fork->work_behind_join(graph);
        if (!behind.empty()) return behind;
        if (open.empty()) open = fork->open_branch(graph);
    }
    return open;
}

RawGraph Capture::end_part(RawStream stream) {
    auto part = std::find_if(parts.begin(), parts.end(), [&](const Part& p) { return p.stream == stream; });
    std::shared_ptr<Record> into = part->into;
    if (part->is_body) {
        try {
            into->find_others();
        } catch (const Failure&) {  // the end says what is wrong
        }
        parts.erase(part);
    }
    return driver().end_capture(stream);
}

// Of a stream that the backend made; another's may be gone by then, and is not named to a driver.
void Capture::end_later(RawStream stream, bool owns_graph) noexcept {
    if (Streams::of_process().device_of(stream) < 0) return;
    try {
        unended.push_back({device, [stream, owns_graph] {
                               const RawGraph graph = driver().end_capture(stream);
                               if (owns_graph && graph != 0) driver().destroy_graph(graph);
                           }});
    } catch (const std::bad_alloc&) {  // the stream stays as it is
    }
}

RawGraph Capture::close() noexcept {
    const auto current = current_if_possible(device);
    while (parts.size() > 1) {
        const RawStream stream = parts.back().stream;
        try {
            end_part(stream);
        } catch (const Failure& e) {
            if (!current) end_later(stream, false);
            if (trouble.empty()) trouble = e.what();
        }
    }
    try {
        if (trouble.empty()) parts.front().into->find_others();
    } catch (const Failure& e) {
        trouble = e.what();
    }
    RawGraph graph = 0;
    try {
        graph = driver().end_capture(parts.front().stream);
    } catch (const Failure& e) {
        if (!current) end_later(parts.front().stream, true);
        if (trouble.empty()) trouble = e.what();
    }
    is_open = false;
    for (Branches* fork : forks) fork->forget();
    forks.clear();
    for (auto alive = open_captures().begin(); alive != open_captures().end(); ++alive) {
        if (alive->get() != this) continue;
        open_captures().erase(alive);
        break;
    }
    unended.splice(unended.end(), put_off);
    keep_for_later(std::move(unended));
    return graph;
}

Place place_of(RawStream stream) {
    Place place;
    if (stream < 2) return place;
    place.info = driver().capture_info(stream);
    if (!place.is_captured()) return place;
    Lock lock(engine_lock());
    for (const auto& capture : open_captures()) {
        // Of a capture that is over the driver tells no id; its parts are still known by their streams.
        const bool has_id = place.info.state == CaptureInfo::active;
        const Part* part = has_id ? capture->part(place.info.id) : capture->part_from(stream);
        if (!part) continue;
        place.capture = capture.get();
        place.part = part;
    }
    return place;
}

void require_alive(const Place& place) {
    if (place.info.state != CaptureInfo::invalid) return;
    fail_with("the stream's capture was ended by a call that no capture survives; end it and begin another");
}

void note_tip(RawStream stream, Node node) {
    const Place place = place_of(stream);
    if (!place.part || place.info.tip.size() != 1) return;
    Lock lock(engine_lock());
    node.node = place.info.tip.front();
    place.part->into->note(std::move(node));
}

void require_no_capture(RawStream stream, const char* what) {
    if (!place_of(stream).is_captured()) return;
    fail_with(std::string(what) + " a stream in a capture is refused; end the capture first");
}

void require_no_capture_here(const char* what) {
    Lock lock(engine_lock());
    if (!is_capture_open_here()) return;
    fail_with(std::string(what) +
              " is refused while a capture is open on this thread; do it before eagle_backend_capturer_begin");
}

void require_apart_from_captures(RawStream stream, int device) {
    if (stream > 1) return;
    Lock lock(engine_lock());
    for (const auto& capture : open_captures()) {
        if (capture->device != device || !capture->is_blocking) continue;
        fail_with(
            "the default stream waits for blocking streams, and one of them is in a capture, which it would end; "
            "capture a stream made with EAGLE_BACKEND_STREAM_NON_BLOCKING, or wait for the end of the capture");
    }
}

bool is_capture_open_here() { return opened_here && opened_here->is_open && !opened_here->is_abandoned; }

void put_off(int device, std::function<void()> work, Capture* capture) noexcept {
    Late late{device, std::move(work)};
    Lates one;
    try {
        one.push_back(std::move(late));
    } catch (...) {  // no memory for a note: a capture that fails is better than a leak
        give_back(late);
        return;
    }
    {
        Lock lock(engine_lock());
        if (!capture && is_capture_open_here()) capture = opened_here.get();
        if (capture) return capture->put_off.splice(capture->put_off.end(), one);
    }
    if (is_something_kept() || !give_back(one.front())) keep_for_later(std::move(one));
}

std::vector<std::uint64_t> nodes_at(RawStream stream) {
    Lock lock(engine_lock());
    const std::shared_ptr<Record> record = record_of(require_place(stream));
    record->find_others();
    std::vector<std::uint64_t> handles;
    for (const Node& node : record->nodes()) handles.push_back(node.node);
    return handles;
}

void add_child(RawStream stream, RawGraph child, bool is_in_body) {
    Lock lock(engine_lock());
    const Place place = require_place(stream);
    for (const auto& capture : open_captures()) {
        for (const Part& part : capture->parts) {
            if (part.into->graph() == child) fail_with("the graph is still recorded; end its capture first");
        }
    }
    is_in_body = is_in_body || (place.part && place.part->is_body);
    const NodeType unfit = is_in_body ? type_unfit_for_bodies(child) : NodeType::empty;
    if (unfit != NodeType::empty) {
        throw Failure(EAGLE_BACKEND_UNSUPPORTED,
                      "the child holds a " + std::string(name_of(unfit)) + " node, which a conditional body may not");
    }
    if (holds_conditional(child)) {
        throw Failure(EAGLE_BACKEND_UNSUPPORTED,
                      "the child holds a conditional node, and a graph with one is not copied into another by the "
                      "driver; record its work into the capture itself");
    }
    Node node;
    node.type = NodeType::child;
    node.node = driver().add_child(place.info.graph, place.info.tip, child, false);
    driver().set_tip(stream, node.node);
    if (place.part) place.part->into->note(std::move(node));
}

Capturer::~Capturer() {
    Lock lock(engine_lock());
    if (!is_open()) return;
    if (open_->owner != std::this_thread::get_id()) {
        open_->is_abandoned = true;
        return;
    }
    open_->trouble = "its capturer was released";
    const RawGraph graph = open_->close();
    const Record unwanted(graph, device_, graph != 0);
}

void Capturer::begin() {
    Lock lock(engine_lock());
    if (opened_here && opened_here->is_open && opened_here->is_abandoned) {
        opened_here->trouble = "its capturer was released";
        const RawGraph graph = opened_here->close();
        const Record unwanted(graph, opened_here->device, graph != 0);
    }
    if (is_open()) fail_with("the capturer's capture is open already; end it first");
    if (is_capture_open_here()) {
        fail_with("a capture is open on this thread already, and one at a time is; end it first (it goes on unharmed)");
    }
    if (place_of(stream_).is_captured()) fail_with("the stream is in another capture already; end that first");
    auto capture = std::make_shared<Capture>();
    capture->device = device_;
    capture->is_blocking = Streams::of_process().is_blocking(stream_);
    driver().begin_capture(stream_);
    try {
        const CaptureInfo info = driver().capture_info(stream_);
        Part part;
        part.id = info.id;
        part.stream = stream_;
        part.into = std::make_shared<Record>(info.graph, device_, false);
        capture->parts.push_back(std::move(part));
        open_captures().insert(capture);
    } catch (...) {
        try {
            const Record unwanted(driver().end_capture(stream_), device_, true);
        } catch (const Failure&) {
        }
        throw;
    }
    open_ = opened_here = std::move(capture);
}

std::shared_ptr<Record> Capturer::end() {
    Lock lock(engine_lock());
    if (!is_open()) fail_with("no capture is open; begin one with eagle_backend_capturer_begin");
    if (open_->owner != std::this_thread::get_id()) {
        fail_with("the capture was begun on another thread; end it on that thread");
    }
    const std::shared_ptr<Capture> capture = std::move(open_);
    const RawGraph recorded = capture->outermost().into->graph();
    const std::shared_ptr<Record> record = capture->outermost().into;
    std::optional<Current> current;
    try {
        current.emplace(device_);
    } catch (const Failure& e) {  // it is over all the same
        if (capture->trouble.empty()) capture->trouble = e.what();
    }
    if (capture->trouble.empty() && capture->has_open_body_in(recorded)) {
        capture->trouble = "the body of a conditional is open; call eagle_backend_conditional_end before the end";
    }
    try {
        if (capture->trouble.empty()) capture->trouble = capture->unjoined_branch(recorded);
    } catch (const Failure& e) {
        capture->trouble = e.what();
    }
    const RawGraph graph = capture->close();
    opened_here.reset();
    if (graph) record->take_over();
    if (!capture->trouble.empty()) fail_with(capture->trouble);
    return record;
}

RawGraph Capturer::open_graph() const {
    Lock lock(engine_lock());
    return is_open() ? open_->outermost().into->graph() : 0;
}

}  // namespace eagle::gpu
