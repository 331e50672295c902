#include "Branches.h"

#include <algorithm>
#include <string>

#include "LastError.h"

namespace eagle::host {
namespace {

using Lock = std::lock_guard<std::recursive_mutex>;

[[noreturn]] void fail_with(std::string text) { throw Failure(EAGLE_BACKEND_ERROR, std::move(text)); }

void merge(std::vector<std::uint32_t>& into, const std::vector<std::uint32_t>& more) {
    into.insert(into.end(), more.begin(), more.end());
    std::sort(into.begin(), into.end());
    into.erase(std::unique(into.begin(), into.end()), into.end());
}

}  // namespace

Branches::Branches(std::uint64_t origin, std::uint64_t count, std::uint64_t marks)
    : origin_(origin), most_marks_(marks) {
    Streams& streams = Streams::of_process();
    const std::int32_t device = streams.of_handle(origin).device;
    try {
        for (std::uint64_t i = 0; i < count; ++i) {
            streams_.push_back(0);
            streams_.back() = streams.create(false, device);
        }
    } catch (...) {
        release_streams();
        throw;
    }
}

Branches::~Branches() {
    try {
        release_streams();
    } catch (...) {  // the caller released a branch's stream itself
    }
}

void Branches::release_streams() {
    Streams& streams = Streams::of_process();
    Lock lock(graph_lock());
    for (std::uint64_t handle : streams_) {
        if (handle == 0) continue;
        Stream& stream = streams.of_handle(handle);
        if (Tip* tip = tip_of(stream)) {
            Capture& capture = *tip->capture;
            if (capture.trouble.empty()) capture.trouble = capture.unjoined_branch(*tip->into);
            capture.leave(*tip);
        }
        streams.release(handle);
    }
}

void Branches::require_branch(std::uint64_t branch) const {
    if (branch < streams_.size()) return;
    throw Failure(EAGLE_BACKEND_INDEX,
                  "branch " + std::to_string(branch) + " of a fork of " + std::to_string(streams_.size()));
}

std::uint64_t Branches::stream(std::uint64_t branch) const {
    require_branch(branch);
    return streams_[branch];
}

bool Branches::is_forked() const {
    Lock lock(graph_lock());
    const Tip* tip = tip_of(Streams::of_process().of_handle(streams_.front()));
    return tip && tip->is_forked;
}

Tip& Branches::open_tip(std::uint64_t branch) const {
    require_branch(branch);
    Tip* tip = tip_of(Streams::of_process().of_handle(streams_[branch]));
    if (!tip || !tip->is_forked) fail_with("the fork is not open; call eagle_backend_fork_fork first");
    return *tip;
}

void Branches::fork() {
    Streams& streams = Streams::of_process();
    Lock lock(graph_lock());
    Tip* from = tip_of(streams.of_raw(origin_));
    if (!from) fail_with("the fork's origin is in no capture; begin one on it with eagle_backend_capturer_begin");
    if (is_forked()) fail_with("the fork is open already; call eagle_backend_fork_join first");
    for (std::uint64_t i = 0; i < streams_.size(); ++i) {
        const Tip* tip = tip_of(streams.of_handle(streams_[i]));
        if (tip && tip->has_unjoined_work) fail_with(tip->capture->unjoined_branch(*tip->into));
    }
    const std::vector<std::uint32_t> after = from->after;
    for (std::uint64_t i = 0; i < streams_.size(); ++i) {
        Stream& stream = streams.of_handle(streams_[i]);
        Tip* tip = tip_of(stream);
        if (!tip) tip = &from->capture->enter(stream, *from->into, {});
        tip->into = from->into;
        tip->after = after;
        tip->branch = i;
        tip->branches = streams_.size();
        tip->is_forked = true;
    }
}

void Branches::join() {
    Lock lock(graph_lock());
    Tip* to = tip_of(Streams::of_process().of_raw(origin_));
    for (std::uint64_t i = 0; i < streams_.size(); ++i) open_tip(i);
    if (!to) fail_with("the fork's origin is in no capture any more");
    for (std::uint64_t i = 0; i < streams_.size(); ++i) {
        Tip& tip = open_tip(i);
        merge(to->after, tip.after);
        to->has_unjoined_work = to->has_unjoined_work || tip.has_unjoined_work;
        tip.is_forked = tip.has_unjoined_work = false;
    }
}

std::uint64_t Branches::mark(std::uint64_t producer) {
    Lock lock(graph_lock());
    Tip& tip = open_tip(producer);
    if (marked_graph_ != tip.into->handle()) {
        marked_graph_ = tip.into->handle();
        marks_.clear();
    }
    if (marks_.size() >= most_marks_) {
        throw Failure(EAGLE_BACKEND_INDEX, "mark " + std::to_string(marks_.size()) + " of a fork that was made with " +
                                               std::to_string(most_marks_) + " waits; raise desc->waits");
    }
    marks_.push_back(tip.after);
    return marks_.size() - 1;
}

void Branches::wait(std::uint64_t waiter, std::uint64_t mark) {
    Lock lock(graph_lock());
    Tip& tip = open_tip(waiter);
    std::uint64_t made = marked_graph_ == tip.into->handle() ? marks_.size() : 0;
    if (mark >= made) {
        throw Failure(EAGLE_BACKEND_INDEX,
                      "mark " + std::to_string(mark) + " of " + std::to_string(made) + " that were made in this graph");
    }
    merge(tip.after, marks_[mark]);
}

}  // namespace eagle::host
