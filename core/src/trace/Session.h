// The recording of this process: what threads have noted, and what their notes are about.
#pragma once
#include <atomic>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "trace/Span.h"

namespace eagle::trace {

std::int64_t now() noexcept;  // ns of the steady clock

// A row that is no thread: a stream of a device.
struct Row {
    std::string device;  // "cpu:0"
    std::string name;
};

// What a part or a mark is about: a node of a graph, as one capture recorded it, or the kernel of a plan on a stream.
struct Subject {
    std::string name, kind, graph, kernel, file;
    std::uint32_t line = 0, row = 0;
    std::uint32_t call = 0, calls = 1;  // of the launches that the node is made of
    std::int64_t samples = 0;           // of all parts of a run together; 0: parts of a run carry its launch's number
    std::uint32_t replays = 0;          // the subject whose runs are the replays that the node's are in
    std::uint64_t bytes = 0;            // of the planes that it touches
    std::vector<std::string> reads, writes;
};

enum class EventKind : std::uint8_t { span, part, begin_mark, end_mark };

struct Event {
    EventKind kind;
    std::uint32_t subject;  // of a span: its label's place in the thread's
    std::int64_t begin, end;
    std::int64_t base, count;
    std::uint64_t launch;
};

// What one thread noted.
struct ThreadLog {
    ThreadLog();
    std::mutex mutex;  // of the thread and of who ends the recording
    SessionId session = 0;
    std::uint64_t granted = 0;
    std::deque<Event> events;
    std::deque<Label> labels;
    std::int64_t thread;  // the system's number
    std::string name;     // the system's
};

// What a recording has, once it is over.
struct Recording {
    std::int64_t begin = 0, end = 0;
    std::uint64_t most = 0, kept = 0, dropped = 0;
    std::int64_t whole_until = INT64_MAX;  // everything that began before it is there
    std::vector<Row> rows;
    std::vector<Subject> subjects;  // number 0 is nobody
    struct Thread {
        std::int64_t thread;
        std::string name;
        std::deque<Event> events;
        std::deque<Label> labels;
    };
    std::vector<Thread> threads;
};

class Session {
  public:
    static Session& of_process();

    // Throws Busy when one runs.
    SessionId start(std::uint64_t most);
    Recording stop(SessionId id);
    std::uint64_t kept() const { return kept_.load(std::memory_order_relaxed); }
    std::uint64_t dropped() const { return dropped_.load(std::memory_order_relaxed); }

    // On the calling thread, in the recording `id`; nothing when that is over.
    void note(SessionId id, Event event, Label* label = nullptr) noexcept;
    // 0 when the recording is over.
    std::uint32_t add(SessionId id, Subject subject);
    // The row of that key, made when it is met first.
    std::uint32_t row(SessionId id, const std::string& key, const Row& row);
    // Numbers of launches, from 1.
    std::uint64_t next_launch() { return launches_.fetch_add(1, std::memory_order_relaxed) + 1; }

  private:
    Session();
    bool join(ThreadLog& log, SessionId id);
    std::uint64_t grant();
    void drop(std::int64_t begin) noexcept;
    void reset_in_child();

    std::mutex mutex_;
    SessionId last_ = 0;
    Recording recording_;
    std::vector<std::shared_ptr<ThreadLog>> logs_;
    std::map<std::string, std::uint32_t> row_of_;
    std::atomic<std::uint64_t> left_{0}, kept_{0}, dropped_{0}, launches_{0};
    std::atomic<std::int64_t> whole_until_{INT64_MAX};
};

}  // namespace eagle::trace
