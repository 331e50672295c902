#include <eagle/Error.h>
#include <eagle/Trace.h>
#include <unistd.h>

#include <string>
#include <utility>

#include "Held.h"
#include "trace/Write.h"

namespace eagle {

struct Trace::State {
    State(const std::filesystem::path& to, const TraceOptions& options)
        : path(std::filesystem::absolute(to)), process(::getpid()) {
        refuse_second();
        file = std::make_unique<trace::File>(path);
        id = trace::Session::of_process().start(options.max_events);
    }
    static void refuse_second() {
        if (trace::session() != 0)
            throw Busy("a trace is being recorded already, and there is one at a time in a process; stop() it first");
    }

    std::filesystem::path path;
    pid_t process;
    std::unique_ptr<trace::File> file;
    trace::SessionId id = 0;
    bool running = true;
    TraceSummary summary;
};

Trace::Trace(const std::filesystem::path& file, const TraceOptions& options) {
    if (file.empty()) throw InvalidArgument("the path of the trace is empty; needs the path of a file to write");
    if (options.max_events == 0) throw InvalidArgument("max_events is 0; a trace keeps at least 1 event");
    state_ = std::make_unique<State>(file, options);
}

Trace::~Trace() {
    try {
        if (state_) stop();
    } catch (...) {  // nobody is left to be told
    }
}

Trace::Trace(Trace&&) noexcept = default;

Trace& Trace::operator=(Trace&& other) noexcept {
    if (this == &other) return *this;
    const Trace gone(std::move(*this));
    state_ = std::move(other.state_);
    return *this;
}

Trace::State& Trace::state() const { return held(state_, "Trace"); }

TraceSummary Trace::stop() {
    State& s = state();
    if (!std::exchange(s.running, false)) return s.summary;
    if (::getpid() != s.process) return s.summary;
    const trace::Recording recording = trace::Session::of_process().stop(s.id);
    s.summary = {recording.kept, recording.dropped};
    const std::unique_ptr<trace::File> file = std::move(s.file);
    file->write(recording);
    return s.summary;
}

TraceSummary Trace::summary() const {
    const State& s = state();
    if (!running()) return s.summary;
    const trace::Session& session = trace::Session::of_process();
    return {session.kept(), session.dropped()};
}

bool Trace::running() const { return state().running && ::getpid() == state().process; }
const std::filesystem::path& Trace::file() const { return state().path; }
bool Trace::active() { return trace::session() != 0; }

}  // namespace eagle
