#include "trace/Session.h"

#include <eagle/Error.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

namespace eagle::trace {

constinit std::atomic<SessionId> detail::current{0};

std::int64_t now() noexcept {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

namespace {

std::shared_ptr<ThreadLog>& log_here() {
    thread_local std::shared_ptr<ThreadLog> log = std::make_shared<ThreadLog>();
    return log;
}

}  // namespace

ThreadLog::ThreadLog() : thread(::syscall(SYS_gettid)) {
    char text[16] = {};
    if (pthread_getname_np(pthread_self(), text, sizeof text) == 0) name = text;
}

Session::Session() {
    pthread_atfork([] { of_process().mutex_.lock(); }, [] { of_process().mutex_.unlock(); },
                   [] { of_process().reset_in_child(); });
}

Session& Session::of_process() {
    static Session* const session = new Session;  // never destroyed: threads may note while the process ends
    return *session;
}

// The recording is the parent's. Threads did not come along, and may have held the locks of their logs.
void Session::reset_in_child() {
    detail::current.store(0, std::memory_order_relaxed);
    new std::vector<std::shared_ptr<ThreadLog>>(std::move(logs_));  // left alone
    logs_.clear();
    recording_ = {};
    row_of_.clear();
    new std::shared_ptr<ThreadLog>(std::exchange(log_here(), std::make_shared<ThreadLog>()));
    mutex_.unlock();
}

SessionId Session::start(std::uint64_t most) {
    const std::lock_guard lock(mutex_);
    if (detail::current.load() != 0)
        throw Busy("a trace is being recorded already, and there is one at a time in a process; stop() it first");
    recording_ = {};
    recording_.most = most;
    recording_.subjects.emplace_back();
    row_of_.clear();
    left_ = most;
    kept_ = dropped_ = 0;
    whole_until_ = INT64_MAX;
    recording_.begin = now();
    detail::current.store(++last_, std::memory_order_release);
    return last_;
}

Recording Session::stop(SessionId id) {
    std::vector<std::shared_ptr<ThreadLog>> logs;
    Recording out;
    {
        const std::lock_guard lock(mutex_);
        if (detail::current.load() != id) return {};
        detail::current.store(0, std::memory_order_release);
        logs = std::exchange(logs_, {});
        out = std::exchange(recording_, {});
        row_of_.clear();
    }
    for (const auto& log : logs) {
        const std::lock_guard lock(log->mutex);
        out.threads.push_back({log->thread, log->name, std::exchange(log->events, {}), std::exchange(log->labels, {})});
        log->session = 0;
    }
    out.end = now();  // what ended meanwhile is in it
    out.kept = kept_;
    out.dropped = dropped_;
    out.whole_until = whole_until_;
    return out;
}

bool Session::join(ThreadLog& log, SessionId id) {
    const std::lock_guard lock(mutex_);
    if (detail::current.load() != id) return false;
    log.events.clear();
    log.labels.clear();
    log.granted = 0;
    logs_.push_back(log_here());
    log.session = id;
    return true;
}

// A thread takes room for several events at a time, so that threads do not meet at one number.
std::uint64_t Session::grant() {
    std::uint64_t left = left_.load(std::memory_order_relaxed);
    for (;;) {
        if (left == 0) return 0;
        const std::uint64_t taken = std::clamp<std::uint64_t>(left / 16, 1, 1024);
        if (left_.compare_exchange_weak(left, left - taken, std::memory_order_relaxed)) return taken;
    }
}

void Session::drop(std::int64_t begin) noexcept {
    dropped_.fetch_add(1, std::memory_order_relaxed);
    std::int64_t known = whole_until_.load(std::memory_order_relaxed);
    while (begin < known && !whole_until_.compare_exchange_weak(known, begin, std::memory_order_relaxed)) {
    }
}

void Session::note(SessionId id, Event event, Label* label) noexcept {
    try {
        ThreadLog& log = *log_here();
        const std::lock_guard lock(log.mutex);
        if (log.session != id && !join(log, id)) return;
        if (log.granted == 0 && (log.granted = grant()) == 0) return drop(event.begin);
        if (label != nullptr) {
            event.subject = static_cast<std::uint32_t>(log.labels.size());
            log.labels.push_back(std::move(*label));
        }
        log.events.push_back(event);
        --log.granted;
        kept_.fetch_add(1, std::memory_order_relaxed);
    } catch (...) {  // no memory for it
        drop(event.begin);
    }
}

std::uint32_t Session::add(SessionId id, Subject subject) {
    const std::lock_guard lock(mutex_);
    if (detail::current.load() != id) return 0;
    recording_.subjects.push_back(std::move(subject));
    return static_cast<std::uint32_t>(recording_.subjects.size() - 1);
}

std::uint32_t Session::row(SessionId id, const std::string& key, const Row& row) {
    const std::lock_guard lock(mutex_);
    if (detail::current.load() != id) return 0;
    const auto [it, is_new] = row_of_.emplace(key, static_cast<std::uint32_t>(recording_.rows.size()));
    if (is_new) recording_.rows.push_back(row);
    return it->second;
}

void Span::open(Label&& label) {
    session_ = session();
    exceptions_ = std::uncaught_exceptions();
    label_ = std::make_unique<Label>(std::move(label));
    begin_ = now();
}

void Span::close() noexcept {
    const std::int64_t end = now();
    if (std::uncaught_exceptions() > exceptions_) {
        label_->launch = 0;
        label_->replays = 0;
        try {
            label_->fields.push_back({"ended by", "an exception"});
        } catch (...) {  // the span says less
        }
    }
    Session::of_process().note(session_, {EventKind::span, 0, begin_, end, 0, 0, label_->launch}, label_.get());
}

}  // namespace eagle::trace
