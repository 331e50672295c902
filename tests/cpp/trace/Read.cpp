#include "Read.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
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

void expect_nesting(const Lane& of, std::vector<Json> slices) {
    std::sort(slices.begin(), slices.end(), [](const Json& a, const Json& b) {
        return begin_of(a) != begin_of(b) ? begin_of(a) < begin_of(b) : end_of(a) > end_of(b);
    });
    std::vector<std::int64_t> open;
    for (const Json& slice : slices) {
        while (!open.empty() && open.back() <= begin_of(slice)) open.pop_back();
        if (!open.empty()) {
            EXPECT_LE(end_of(slice), open.back()) << slice << " on row " << of.first << ":" << of.second;
        }
        open.push_back(end_of(slice));
    }
}

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
    std::map<Lane, std::vector<Json>> rows;
    std::set<Lane> named;
    const std::int64_t whole = ns(read.meta()["recorded_us"]);
    for (const Json& event : read.document["traceEvents"]) {
        if (event["ph"] == "M" && event["name"] == "thread_name") named.insert(lane(event));
        if (event["ph"] != "X") continue;
        EXPECT_GE(begin_of(event), 0) << event;
        EXPECT_GE(ns(event["dur"]), 0) << event;
        EXPECT_LE(end_of(event), whole) << event;
        rows[lane(event)].push_back(event);
    }
    for (const auto& [of, slices] : rows) {
        EXPECT_TRUE(named.contains(of)) << of.first << ":" << of.second;
        expect_nesting(of, slices);
    }
    std::map<std::int64_t, std::pair<int, int>> arrows;
    for (const Json& event : read.document["traceEvents"]) {
        if (event["ph"] != "s" && event["ph"] != "f") continue;
        (event["ph"] == "s" ? arrows[event["id"]].first : arrows[event["id"]].second)++;
        const auto& on = rows[lane(event)];
        EXPECT_TRUE(std::any_of(on.begin(), on.end(), [&](const Json& slice) {
            return begin_of(slice) <= ns(event["ts"]) && ns(event["ts"]) <= end_of(slice);
        })) << event;
    }
    for (const auto& [id, ends] : arrows) EXPECT_EQ(ends, (std::pair<int, int>(1, 1))) << id;
}

}  // namespace trace_test
