#include "Capture.h"

#include <algorithm>

#include "Check.h"
#include "DeviceMemory.h"

namespace eagle::host {
namespace {

using Lock = std::lock_guard<std::recursive_mutex>;

// The capture that this thread opened last. It may be over: another thread may have released its capturer.
thread_local std::shared_ptr<Capture> opened_here;

bool is_open_here() { return opened_here && opened_here->is_open; }

[[noreturn]] void fail_with(std::string text) { throw Failure(EAGLE_BACKEND_ERROR, std::move(text)); }

}  // namespace

Tip& Capture::enter(Stream& stream, RecordedGraph& into, std::vector<std::uint32_t> after) {
    tips.push_back(std::make_unique<Tip>(Tip{this, &into, &stream, std::move(after)}));
    stream.tip.store(tips.back().get(), std::memory_order_release);
    return *tips.back();
}

void Capture::leave(Tip& tip) {
    if (tip.stream) tip.stream->tip.store(nullptr, std::memory_order_release);
    tips.erase(std::find_if(tips.begin(), tips.end(), [&](const auto& owned) { return owned.get() == &tip; }));
}

void Capture::leave_all(const RecordedGraph& into) {
    auto goes_there = [&](const auto& tip) { return tip->into == &into; };
    for (auto& tip : tips) {
        if (goes_there(tip) && tip->stream) tip->stream->tip.store(nullptr, std::memory_order_release);
    }
    std::erase_if(tips, goes_there);
}

bool Capture::has_open_body_in(const RecordedGraph& outer) const {
    return std::any_of(tips.begin(), tips.end(), [&](const auto& tip) { return tip->outer == &outer; });
}

std::string Capture::unjoined_branch(const RecordedGraph& into) const {
    const Tip* found = nullptr;
    for (const auto& tip : tips) {
        if (tip->into != &into || tip->branches == 0 || !(tip->is_forked || tip->has_unjoined_work)) continue;
        if (!found || (tip->has_unjoined_work && !found->has_unjoined_work)) found = tip.get();
    }
    if (!found) return "";
    return "branch " + std::to_string(found->branch) + " of a fork of " + std::to_string(found->branches) +
           (found->is_forked ? " was not joined" : " has work behind its join") +
           "; call eagle_backend_fork_join once all its work is there";
}

void Capture::close() {
    for (auto& tip : tips) {
        if (tip->stream) tip->stream->tip.store(nullptr, std::memory_order_release);
    }
    tips.clear();
    is_open = false;
    graph->finish();
    for (std::uint64_t address : frees) this_kind.memory().free(address);
    frees.clear();
}

void record_at(Tip& tip, Node node) {
    if (node.kind == NodeKind::host_function && tip.capture->is_body(*tip.into)) {
        throw Failure(EAGLE_BACKEND_UNSUPPORTED, "a host function node may not be in a conditional body");
    }
    node.after = tip.after;
    tip.after.assign(1, tip.into->add(std::move(node)));
    tip.has_unjoined_work = true;
}

void require_no_capture(const Stream& stream, const char* what) {
    if (!is_in_capture(stream)) return;
    fail_with(std::string(what) + " a stream in a capture is refused; end the capture first");
}

void require_no_capture_here(const char* what) {
    Lock lock(graph_lock());
    if (!is_open_here()) return;
    fail_with(std::string(what) +
              " is refused while a capture is open on this thread; do it before "
              "eagle_backend_capturer_begin");
}

bool put_off_free(const Stream& stream, std::uint64_t address) {
    Lock lock(graph_lock());
    Tip* tip = tip_of(stream);
    Capture* capture = is_open_here() ? opened_here.get() : tip ? tip->capture : nullptr;
    if (!capture) return false;
    auto& frees = capture->frees;
    if (std::find(frees.begin(), frees.end(), address) != frees.end()) {
        refuse("the address is freed already when the open capture ends; free it once");
    }
    frees.push_back(address);
    return true;
}

void stream_goes(Stream& stream) {
    if (!is_in_capture(stream)) return;
    Lock lock(graph_lock());
    Tip* tip = tip_of(stream);
    if (!tip) return;
    tip->capture->trouble = "a stream was released while it was in the capture; nothing is kept of it";
    tip->stream = nullptr;
    stream.tip.store(nullptr, std::memory_order_release);
}

static Tip& require_tip(const Stream& stream) {
    if (Tip* tip = tip_of(stream)) return *tip;
    fail_with("the stream is in no capture; begin one with eagle_backend_capturer_begin");
}

std::vector<std::uint64_t> nodes_at(const Stream& stream) {
    Lock lock(graph_lock());
    std::vector<std::uint64_t> handles;
    for (const Node& node : require_tip(stream).into->nodes()) handles.push_back(node.handle);
    return handles;
}

void add_child(const Stream& stream, std::shared_ptr<const RecordedGraph> child, bool is_in_body) {
    Lock lock(graph_lock());
    Tip& tip = require_tip(stream);
    is_in_body = is_in_body || tip.capture->is_body(*tip.into);
    NodeKind unfit = is_in_body ? child->kind_unfit_for_bodies() : NodeKind::empty;
    if (unfit != NodeKind::empty) {
        throw Failure(EAGLE_BACKEND_UNSUPPORTED,
                      "the child holds a " + std::string(name_of(unfit)) + " node, which a conditional body may not");
    }
    Node node;
    node.kind = NodeKind::child;
    node.is_foreign = true;
    node.child = std::move(child);
    record_at(tip, std::move(node));
}

Capturer::~Capturer() {
    Lock lock(graph_lock());
    if (is_open()) open_->close();
}

void Capturer::begin() {
    Streams& streams = Streams::of_process();
    Lock lock(graph_lock());
    if (is_open()) fail_with("the capturer's capture is open already; end it first");
    if (is_open_here()) {
        fail_with("a capture is open on this thread already, and one at a time is; end it first (it goes on unharmed)");
    }
    Stream& stream = streams.of_handle(stream_);
    if (is_in_capture(stream)) fail_with("the stream is in another capture already; end that first");
    auto capture = std::make_shared<Capture>();
    capture->graph->set_device(stream.device);
    capture->enter(stream, *capture->graph, {});
    open_ = opened_here = std::move(capture);
}

void Capturer::require_ending_here() const {
    Lock lock(graph_lock());
    if (!is_open()) fail_with("no capture is open; begin one with eagle_backend_capturer_begin");
    if (open_->owner != std::this_thread::get_id()) {
        fail_with("the capture was begun on another thread; end it on that thread");
    }
}

std::shared_ptr<const RecordedGraph> Capturer::end() {
    require_ending_here();
    Lock lock(graph_lock());
    std::shared_ptr<Capture> capture = std::move(open_);
    opened_here.reset();
    if (capture->trouble.empty() && capture->has_open_body_in(*capture->graph)) {
        capture->trouble = "the body of a conditional is open; call eagle_backend_conditional_end before the end";
    }
    if (capture->trouble.empty()) capture->trouble = capture->unjoined_branch(*capture->graph);
    capture->close();
    if (!capture->trouble.empty()) fail_with(capture->trouble);
    return capture->graph;
}

std::uint64_t Capturer::open_graph() const {
    Lock lock(graph_lock());
    return is_open() ? open_->graph->handle() : 0;
}

}  // namespace eagle::host
