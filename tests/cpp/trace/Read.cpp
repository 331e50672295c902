#include "Read.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <fstream>
#include <set>
#include <utility>

namespace trace_test {
namespace {

using Lane = std::pair<std::int64_t, std::int64_t>;  // process, thread

Lane lane(const Json& event) { return {event["pid"].get<std::int64_t>(), event["tid"].get<std::int64_t>()}; }

// Nanoseconds: the file's microseconds have three digits behind the point.
std::int64_t ns(const Json& micros) { return std::llround(micros.get<double>() * 1000.0); }
std::int64_t begin_of(const Json& slice) { return ns(slice["ts"]); }
std::int64_t end_of(const Json& slice) { return begin_of(slice) + ns(slice["dur"]); }

// Slices of one row, by their begin, those that enclose others first.
struct Row {
    struct Slice {
        std::int64_t begin, end;
        const Json* event;
    };
    std::vector<Slice> slices;
    std::vector<std::int64_t> latest;  // end of the slices up to each

    void add(const Json& event) { slices.push_back({begin_of(event), end_of(event), &event}); }
    void expect_nesting() {
        std::sort(slices.begin(), slices.end(), [](const Slice& a, const Slice& b) {
            return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
        });
        std::vector<std::int64_t> open;
        for (const Slice& slice : slices) {
            latest.push_back(latest.empty() ? slice.end : std::max(latest.back(), slice.end));
            while (!open.empty() && open.back() <= slice.begin) open.pop_back();
            if (!open.empty()) {
                EXPECT_LE(slice.end, open.back()) << *slice.event;
            }
            open.push_back(slice.end);
        }
    }
    bool covers(std::int64_t at) const {
        const auto next = std::upper_bound(slices.begin(), slices.end(), at,
                                           [](std::int64_t t, const Slice& slice) { return t < slice.begin; });
        return next != slices.begin() && latest[static_cast<std::size_t>(next - slices.begin()) - 1] >= at;
    }
};

}  // namespace

Place::Place() {
    static std::atomic<int> last{0};
    path_ = std::filesystem::temp_directory_path() /
            ("eagle-trace-" + std::to_string(::getpid()) + "-" + std::to_string(++last) + ".json");
}

Place::~Place() {
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
}

Read::Read(const std::filesystem::path& file) {
    std::ifstream in(file);
    document = Json::parse(in);
    for (const Json& event : document["traceEvents"])
        if (event["ph"] == "X") slices.push_back(event);
}

std::vector<Json> Read::of(const std::string& category) const {
    std::vector<Json> out;
    for (const Json& slice : slices)
        if (slice["cat"] == category) out.push_back(slice);
    return out;
}

std::vector<Json> Read::named(const std::string& category, const std::string& name) const {
    std::vector<Json> out;
    for (const Json& slice : of(category))
        if (slice["name"] == name) out.push_back(slice);
    return out;
}

std::map<std::string, int> Read::runs() const {
    std::map<std::string, int> out;
    for (const Json& node : of("node")) {
        const std::string call = node["args"].value("call", "1 of 1");
        if (call.starts_with("1 of ")) ++out[node["name"]];
    }
    return out;
}

Read traced(const std::function<void()>& work, const eagle::TraceOptions& options) {
    const Place place;
    eagle::Trace trace(place.path(), options);
    work();
    trace.stop();
    return Read(place.path());
}

void expect_well_formed(const Read& read) {
    std::map<Lane, Row> rows;
    std::set<Lane> named;
    const std::int64_t whole = ns(read.meta()["recorded_us"]);
    for (const Json& event : read.document["traceEvents"]) {
        if (event["ph"] == "M" && event["name"] == "thread_name") named.insert(lane(event));
        if (event["ph"] != "X") continue;
        EXPECT_GE(begin_of(event), 0) << event;
        EXPECT_GE(ns(event["dur"]), 0) << event;
        EXPECT_LE(end_of(event), whole) << event;
        rows[lane(event)].add(event);
    }
    for (auto& [of, row] : rows) {
        EXPECT_TRUE(named.contains(of)) << of.first << ":" << of.second;
        row.expect_nesting();
    }
    for (const auto& [id, arrow] : arrows_of(read))
        for (const Json& end : arrow.ends) EXPECT_TRUE(rows[lane(end)].covers(ns(end["ts"]))) << end;
    expect_format(read);
}

}  // namespace trace_test
