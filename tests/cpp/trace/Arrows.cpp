// Arrows, asked of the file's slices: which are at an arrow's ends, and whether they belong together.
#include <algorithm>
#include <cmath>
#include <tuple>

#include "Read.h"

namespace trace_test {
namespace {

using Place3 = std::tuple<std::int64_t, std::int64_t, std::int64_t>;  // process, thread, ns

std::int64_t ns(const Json& micros) { return std::llround(micros.get<double>() * 1000.0); }
Place3 place(const Json& event) { return {event["pid"], event["tid"], ns(event["ts"])}; }
std::int64_t end_of(const Json& slice) { return ns(slice["ts"]) + ns(slice["dur"]); }

// Slices by where they begin.
class Slices {
  public:
    Slices(const Read& read, std::initializer_list<std::string> categories) {
        for (const Json& slice : read.slices)
            if (std::find(categories.begin(), categories.end(), slice["cat"]) != categories.end())
                at_[place(slice)].push_back(&slice);
    }
    // The one of those that begin there which `fits`; null, and a failure, where there is none.
    template <class Fits>
    const Json* at(const Json& end, const Fits& fits) const {
        const auto found = at_.find(place(end));
        if (found != at_.end())
            for (const Json* slice : found->second)
                if (fits(*slice)) return slice;
        ADD_FAILURE() << "no slice that fits begins at " << end;
        return nullptr;
    }

  private:
    std::map<Place3, std::vector<const Json*>> at_;
};

// Of a node: its name and graph. Of a plan: the launch's number.
bool is_of(const Json& part, const Json& run) {
    if (part["args"].contains("launch")) return run["args"].value("launch", Json()) == part["args"]["launch"];
    return part["name"] == run["name"] && part["args"]["graph"] == run["args"].value("graph", Json());
}

void expect_whole(const Arrow& arrow, const Json& part, const Json& run, const Json& launch, bool waits) {
    EXPECT_LE(ns(run["ts"]), ns(part["ts"])) << part;
    EXPECT_GE(end_of(run), end_of(part)) << run << part;
    if (part["args"].contains("launch")) {
        EXPECT_EQ(launch["args"]["launch"], part["args"]["launch"]) << launch;
    }
    if (waits) {
        EXPECT_GE(end_of(launch), end_of(part)) << launch << part;
    }
    EXPECT_EQ(arrow.name, "part");
}

}  // namespace

std::map<std::int64_t, Arrow> arrows_of(const Read& read) {
    std::map<std::int64_t, Arrow> arrows;
    for (const Json& event : read.document["traceEvents"]) {
        if (event["ph"] != "s" && event["ph"] != "t" && event["ph"] != "f") continue;
        Arrow& arrow = arrows[event["id"]];
        if (arrow.ends.empty()) arrow.name = event["name"];
        EXPECT_EQ(event["name"], arrow.name);
        EXPECT_EQ(event["cat"], arrow.name);
        if (!arrow.ends.empty()) {
            EXPECT_GE(ns(event["ts"]), ns(arrow.ends.back()["ts"])) << event;
        }
        arrow.ends.push_back(event);
    }
    for (const auto& [id, arrow] : arrows) {
        std::string phases;
        for (const Json& end : arrow.ends) phases += end["ph"].get<std::string>();
        EXPECT_TRUE(phases == "sf" || phases == "stf") << id << ": " << phases;
    }
    return arrows;
}

void expect_arrows(const Read& read, bool waits) {
    const Slices parts(read, {"part"}), runs(read, {"node", "launch"}), launches(read, {"launch"});
    std::map<const Json*, int> arrows_to;
    for (const auto& [id, arrow] : arrows_of(read)) {
        if (arrow.name != "part") continue;
        ASSERT_EQ(arrow.ends.size(), 3u) << id;
        const Json* part = parts.at(arrow.ends[2], [&](const Json& slice) { return arrows_to[&slice] == 0; });
        if (part == nullptr) continue;
        // Nodes that begin at one tick of the clock share a place: which is meant, the part says.
        const Json* run =
            runs.at(arrow.ends[1], [&](const Json& slice) { return slice["pid"] != 1 && is_of(*part, slice); });
        const Json* launch = launches.at(arrow.ends[0], [](const Json& slice) { return slice["pid"] == 1; });
        if (run == nullptr || launch == nullptr) continue;
        ++arrows_to[part];
        expect_whole(arrow, *part, *run, *launch, waits);
    }
    std::size_t reached = 0, wanted = 0;
    for (const auto& [part, count] : arrows_to) reached += static_cast<std::size_t>(count);
    for (const Json& run : read.slices)
        if (run["pid"] != 1) wanted += run["args"].value("parts", std::size_t{0});
    EXPECT_EQ(reached, wanted);
    if (read.meta()["dropped"] == 0 && waits) {
        EXPECT_EQ(reached, read.of("part").size());  // every run is whole
    }
}

}  // namespace trace_test
