// The Chrome trace format: "Trace Event Format", one object of JSON an event.
#include "trace/Write.h"

#include <eagle/Backend.h>
#include <eagle/Error.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <utility>

#include "trace/Arrows.h"
#include "trace/Runs.h"

namespace eagle::trace {
namespace {

using Json = nlohmann::ordered_json;

std::string text_of(int error) { return std::strerror(error); }

// Process 1 holds the threads; one more for each device holds its streams.
constexpr int threads_process = 1;
constexpr int above_workers = -1'000'000;  // in the order of threads

class Writer {
  public:
    Writer(int descriptor, const Recording& recording) : descriptor_(descriptor), recording_(recording) {}

    void write() {
        const std::vector<Run> runs = runs_of(recording_);
        raw("{\"displayTimeUnit\":\"ns\",\"otherData\":" + dump(metadata()) + ",\"traceEvents\":[\n");
        name_devices();
        for (const Recording::Thread& thread : recording_.threads) write_thread(thread);
        for (const Run& run : runs) write_run(run);
        each_arrow(recording_, runs,
                   [this](const char* name, std::span<const ArrowEnd> ends) { write_arrow(name, ends); });
        raw("\n]}\n");
        flush();
    }

  private:
    static std::string dump(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }
    double micros(std::int64_t ns) const { return static_cast<double>(ns - recording_.begin) / 1000.0; }

    Json metadata() const {
        Json kinds = Json::object();
        for (const Backend& backend : loaded_backends())
            kinds[backend.kind()] = backend.takes_host_files() ? "nodes and parts of kernels"
                                                               : "what the host did; nodes and kernels are not seen";
        return {{"writer", "eagle " + std::string(version())},
                {"clock", "steady, microseconds since the recording began"},
                {"recorded_us", micros(recording_.end)},
                {"events", recording_.kept},
                {"max_events", recording_.most},
                {"dropped", recording_.dropped},
                {"kinds", kinds}};
    }

    void name(int process, std::int64_t thread, const char* what, const Json& args) {
        Json event = {{"ph", "M"}, {"name", what}, {"pid", process}, {"tid", thread}};
        event["args"] = args;
        put(event);
    }

    void name_devices() {
        name(threads_process, 0, "process_name", {{"name", "threads"}});
        name(threads_process, 0, "process_sort_index", {{"sort_index", 0}});
        for (std::size_t i = 0; i < recording_.rows.size(); ++i) {
            const Row& row = recording_.rows[i];
            const auto [it, is_new] =
                process_of_.emplace(row.device, threads_process + 1 + static_cast<int>(process_of_.size()));
            if (is_new) {
                name(it->second, 0, "process_name", {{"name", "streams of " + row.device}});
                name(it->second, 0, "process_sort_index", {{"sort_index", it->second}});
            }
            const auto number = static_cast<std::int64_t>(i + 1);
            name(it->second, number, "thread_name", {{"name", row.name}});
            name(it->second, number, "thread_sort_index", {{"sort_index", number}});
        }
    }

    void write_thread(const Recording::Thread& thread) {
        const bool calls = std::any_of(thread.events.begin(), thread.events.end(),
                                       [](const Event& e) { return e.kind == EventKind::span; });
        // Those that only compute are a backend's; the system's name of the others is the program's.
        const std::string number = std::to_string(calls ? ++callers_ : ++workers_);
        const std::string title = (calls ? "caller " : "worker ") + number + " (" + thread.name + ")";
        name(threads_process, thread.thread, "thread_name", {{"name", title}});
        name(threads_process, thread.thread, "thread_sort_index",
             {{"sort_index", calls ? above_workers + callers_ : workers_}});
        for (const Event& event : thread.events) {
            if (event.kind == EventKind::span)
                write_span(thread, event, thread.labels[event.subject]);
            else if (event.kind == EventKind::part)
                write_part(thread, event);
        }
    }

    Json slice(const char* category, const std::string& title, int process, std::int64_t thread, std::int64_t begin,
               std::int64_t end) const {
        return {{"ph", "X"},
                {"cat", category},
                {"name", title},
                {"pid", process},
                {"tid", thread},
                {"ts", micros(begin)},
                {"dur", static_cast<double>(end - begin) / 1000.0}};
    }

    void write_span(const Recording::Thread& thread, const Event& event, const Label& label) {
        Json out = slice(label.category, label.name, threads_process, thread.thread, event.begin, event.end);
        for (const Field& field : label.fields)
            std::visit([&](const auto& value) { out["args"][field.key] = value; }, field.value);
        if (label.launch != 0) out["args"]["launch"] = label.launch;
        put(out);
    }

    void write_part(const Recording::Thread& thread, const Event& event) {
        const Subject& subject = recording_.subjects[event.subject];
        Json out = slice("part", subject.name, threads_process, thread.thread, event.begin, event.end);
        out["args"] = {{"base", event.base}, {"count", event.count}};
        if (!subject.graph.empty()) out["args"]["graph"] = subject.graph;
        if (event.launch != 0) out["args"]["launch"] = event.launch;
        put(out);
    }

    int process_of(const Run& run) const {
        return process_of_.at(recording_.rows[recording_.subjects[run.subject].row].device);
    }

    std::int64_t row_of(const Run& run) const { return std::int64_t{recording_.subjects[run.subject].row} + 1; }

    void write_run(const Run& run) {
        const Subject& subject = recording_.subjects[run.subject];
        const char* const category = subject.graph.empty() ? "launch" : subject.kind == "graph" ? "replay" : "node";
        Json out = slice(category, subject.name, process_of(run), row_of(run), run.begin, run.end);
        Json args = {{"kind", subject.kind}, {"run", run.number}};
        if (!subject.graph.empty()) args["graph"] = subject.graph;
        if (!subject.kernel.empty()) args["kernel"] = subject.kernel;
        if (!subject.file.empty()) args["line"] = subject.file + ":" + std::to_string(subject.line);
        if (!subject.reads.empty()) args["reads"] = subject.reads;
        if (!subject.writes.empty()) args["writes"] = subject.writes;
        if (subject.bytes != 0) args["bytes"] = subject.bytes;
        if (subject.calls > 1) args["call"] = std::to_string(subject.call + 1) + " of " + std::to_string(subject.calls);
        if (!run.parts.empty()) args["parts"] = run.parts.size();
        if (run.launch != 0) args["launch"] = run.launch;
        out["args"] = args;
        put(out);
    }

    // Behind the slices: a reader that takes the events in the order of their time, and of the file where that is one,
    // meets an end in its slice.
    void write_arrow(const char* arrow, std::span<const ArrowEnd> ends) {
        ++arrows_;
        for (std::size_t i = 0; i < ends.size(); ++i) {
            const ArrowEnd& end = ends[i];
            Json out = {{"ph", i == 0 ? "s" : i + 1 < ends.size() ? "t" : "f"}};
            if (i + 1 == ends.size()) out["bp"] = "e";
            out["cat"] = out["name"] = arrow;
            out["id"] = arrows_;
            out["pid"] = end.run != nullptr ? process_of(*end.run) : threads_process;
            out["tid"] = end.run != nullptr ? row_of(*end.run) : end.thread;
            out["ts"] = micros(end.at);
            put(out);
        }
    }

    void put(const Json& event) { raw((std::exchange(first_, false) ? "" : ",\n") + dump(event)); }
    void raw(const std::string& text) {
        buffer_ += text;
        if (buffer_.size() >= std::size_t{1} << 20u) flush();
    }
    void flush() {
        std::size_t done = 0;
        while (done < buffer_.size()) {
            const ssize_t n = ::write(descriptor_, buffer_.data() + done, buffer_.size() - done);
            if (n < 0 && errno == EINTR) continue;
            if (n < 0) throw Error(text_of(errno));
            done += static_cast<std::size_t>(n);
        }
        buffer_.clear();
    }

    int descriptor_;
    const Recording& recording_;
    std::map<std::string, int> process_of_;
    int callers_ = 0, workers_ = 0;
    std::uint64_t arrows_ = 0;
    bool first_ = true;
    std::string buffer_;
};

}  // namespace

File::File(const std::filesystem::path& path) : path_(std::filesystem::absolute(path)) {
    // O_NONBLOCK for the opening alone: that of a pipe that nobody reads would wait for ever.
    descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
    if (descriptor_ < 0)
        throw Error("the trace cannot be written to '" + path_.string() + "': " + text_of(errno) +
                    "; name a file that can be made or written, in a folder that is there");
    ::fcntl(descriptor_, F_SETFL, ::fcntl(descriptor_, F_GETFL) & ~O_NONBLOCK);
}

File::~File() { ::close(descriptor_); }

void File::write(const Recording& recording) {
    try {
        struct stat found{};
        const bool regular = ::fstat(descriptor_, &found) == 0 && S_ISREG(found.st_mode);
        if (regular && (::lseek(descriptor_, 0, SEEK_SET) != 0 || ::ftruncate(descriptor_, 0) != 0))
            throw Error(text_of(errno));
        Writer(descriptor_, recording).write();
    } catch (const Error& error) {
        throw Error("the trace could not be written to '" + path_.string() + "': " + error.what() +
                    "; what was recorded is lost, and the file is not whole; make room and record anew");
    }
}

}  // namespace eagle::trace
