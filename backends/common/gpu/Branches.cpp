#include "Branches.h"

#include <algorithm>

#include "Current.h"
#include "Streams.h"

namespace eagle::gpu {
namespace {

[[noreturn]] void fail_with(std::string text) { throw Failure(EAGLE_BACKEND_ERROR, std::move(text)); }

}  // namespace

Branches::Branches(RawStream origin, int device, std::uint64_t count, std::uint64_t marks)
    : origin_(origin), device_(device), most_marks_(marks) {
    const Current current(device);
    try {
        for (std::uint64_t i = 0; i < count; ++i) {
            streams_.reserve(i + 1);
            streams_.push_back(Streams::of_process().create(device, false));
        }
        for (std::uint64_t i = 0; i < count + 1 + marks; ++i) {
            events_.reserve(i + 1);
            events_.push_back(events_of_forks().take(device));
        }
    } catch (...) {
        release();
        throw;
    }
}

Branches::~Branches() { release(); }

void Branches::release() {
    Lock lock(engine_lock());
    if (capture_) {
        try {
            const auto current = current_if_possible(device_);
            if (capture_->trouble.empty()) capture_->trouble = capture_->unjoined_branch(graph_);
        } catch (const Failure& e) {
            capture_->trouble = e.what();
        }
        std::erase(capture_->forks, this);
    }
    for (RawStream stream : streams_) {
        put_off(device_, [stream] { Streams::of_process().destroy(stream); }, capture_);
    }
    for (RawEvent event : events_) events_of_forks().give_back(device_, event);
}

void Branches::require_branch(std::uint64_t branch) const {
    if (branch < streams_.size()) return;
    throw Failure(EAGLE_BACKEND_INDEX,
                  "branch " + std::to_string(branch) + " of a fork of " + std::to_string(streams_.size()));
}

RawStream Branches::stream(std::uint64_t branch) const {
    require_branch(branch);
    return streams_[branch];
}

void Branches::require_forked() const {
    if (!is_forked_) fail_with("the fork is not open; call eagle_backend_fork_fork first");
}

std::string Branches::words(std::uint64_t branch, const char* what) const {
    return "branch " + std::to_string(branch) + " of a fork of " + std::to_string(streams_.size()) + " " + what +
           "; call eagle_backend_fork_join once all its work is there";
}

std::string Branches::work_behind_join(RawGraph graph) const {
    if (graph_ != graph) return "";
    for (std::uint64_t i = 0; i < streams_.size(); ++i) {
        if (driver().capture_info(streams_[i]).tip == tips_[i]) continue;
        return words(i, is_forked_ ? "was not joined" : "has work behind its join");
    }
    return "";
}

std::string Branches::open_branch(RawGraph graph) const {
    return graph_ == graph && is_forked_ ? words(0, "was not joined") : "";
}

void Branches::forget() {
    capture_ = nullptr;
    graph_ = 0;
    is_forked_ = false;
}

void Branches::fork() {
    Lock lock(engine_lock());
    const Place from = place_of(origin_);
    if (!from.part) fail_with("the fork's origin is in no capture; begin one on it with eagle_backend_capturer_begin");
    require_alive(from);
    if (is_forked_) fail_with("the fork is open already; call eagle_backend_fork_join first");
    if (graph_ == from.info.graph) {
        const std::string behind = work_behind_join(graph_);
        if (!behind.empty()) fail_with(behind);
    }
    Capture& capture = *from.capture;
    if (std::find(capture.forks.begin(), capture.forks.end(), this) == capture.forks.end()) {
        capture.forks.push_back(this);
        capture_ = &capture;
    }
    try {
        const RawEvent left = events_[streams_.size()];
        driver().record(left, origin_);
        for (RawStream stream : streams_) driver().wait(stream, left);
        tips_.clear();
        for (RawStream stream : streams_) tips_.push_back(driver().capture_info(stream).tip);
    } catch (const Failure& e) {
        capture.trouble = e.what();
        throw;
    }
    graph_ = from.info.graph;
    is_forked_ = true;
}

void Branches::join() {
    Lock lock(engine_lock());
    require_forked();
    const Place to = place_of(origin_);
    if (!to.part) fail_with("the fork's origin is in no capture any more");
    try {
        for (std::uint64_t i = 0; i < streams_.size(); ++i) {
            driver().record(events_[i], streams_[i]);
            driver().wait(origin_, events_[i]);
            tips_[i] = driver().capture_info(streams_[i]).tip;
        }
    } catch (const Failure& e) {
        to.capture->trouble = e.what();
        throw;
    }
    is_forked_ = false;
}

std::uint64_t Branches::mark(std::uint64_t producer) {
    Lock lock(engine_lock());
    require_branch(producer);
    require_forked();
    if (marked_graph_ != graph_) {
        marked_graph_ = graph_;
        marks_made_ = 0;
    }
    if (marks_made_ >= most_marks_) {
        throw Failure(EAGLE_BACKEND_INDEX, "mark " + std::to_string(marks_made_) + " of a fork that was made with " +
                                               std::to_string(most_marks_) + " waits; raise desc->waits");
    }
    driver().record(events_[streams_.size() + 1 + marks_made_], streams_[producer]);
    return marks_made_++;
}

void Branches::wait(std::uint64_t waiter, std::uint64_t mark) {
    Lock lock(engine_lock());
    require_branch(waiter);
    require_forked();
    const std::uint64_t made = marked_graph_ == graph_ ? marks_made_ : 0;
    if (mark >= made) {
        throw Failure(EAGLE_BACKEND_INDEX,
                      "mark " + std::to_string(mark) + " of " + std::to_string(made) + " that were made in this graph");
    }
    driver().wait(streams_[waiter], events_[streams_.size() + 1 + mark]);
}

}  // namespace eagle::gpu
