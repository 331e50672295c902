// The fields of the Trace Event Format, as its document has them for each phase that is used here.
#include <set>

#include "Read.h"

namespace trace_test {
namespace {

using Fields = std::set<std::string>;

struct Phase {
    Fields needed, allowed;
};

const std::map<std::string, Phase>& phases() {
    // Complete events, metadata, and flow: start, step, end ("bp": "e" binds to the slice around instead of the next).
    static const std::map<std::string, Phase> all{{"X", {{"name", "cat", "ph", "ts", "dur", "pid", "tid"}, {"args"}}},
                                                  {"M", {{"name", "ph", "pid", "tid", "args"}, {}}},
                                                  {"s", {{"name", "cat", "ph", "ts", "pid", "tid", "id"}, {}}},
                                                  {"t", {{"name", "cat", "ph", "ts", "pid", "tid", "id"}, {}}},
                                                  {"f", {{"name", "cat", "ph", "ts", "pid", "tid", "id", "bp"}, {}}}};
    return all;
}

const std::map<std::string, std::string>& metadata() {  // and what its one argument is called
    static const std::map<std::string, std::string> all{{"process_name", "name"},
                                                        {"process_sort_index", "sort_index"},
                                                        {"thread_name", "name"},
                                                        {"thread_sort_index", "sort_index"}};
    return all;
}

void expect_types(const Json& event) {
    for (const char* text : {"name", "cat", "ph"})
        if (event.contains(text)) {
            EXPECT_TRUE(event[text].is_string()) << event;
        }
    for (const char* number : {"ts", "dur"})
        if (event.contains(number)) {
            EXPECT_TRUE(event[number].is_number()) << event;
        }
    for (const char* whole : {"pid", "tid", "id"})
        if (event.contains(whole)) {
            EXPECT_TRUE(event[whole].is_number_integer()) << event;
        }
    if (event.contains("args")) {
        EXPECT_TRUE(event["args"].is_object()) << event;
    }
}

void expect_event(const Json& event) {
    const auto phase = phases().find(event.value("ph", ""));
    ASSERT_NE(phase, phases().end()) << event;
    for (const std::string& field : phase->second.needed)
        EXPECT_TRUE(event.contains(field)) << field << " of " << event;
    for (const auto& [field, value] : event.items())
        EXPECT_TRUE(phase->second.needed.contains(field) || phase->second.allowed.contains(field))
            << field << " of " << event;
    expect_types(event);
    if (event["ph"] == "f") {
        EXPECT_EQ(event["bp"], "e") << event;
    }
    if (event["ph"] != "M") return;
    const auto known = metadata().find(event["name"]);
    ASSERT_NE(known, metadata().end()) << event;
    EXPECT_EQ(event["args"].size(), 1u) << event;
    EXPECT_TRUE(event["args"].contains(known->second)) << event;
}

}  // namespace

void expect_format(const Read& read) {
    EXPECT_TRUE(read.document["traceEvents"].is_array());
    EXPECT_EQ(read.document["displayTimeUnit"], "ns");  // "ms" and "ns" are those that there are
    EXPECT_TRUE(read.document["otherData"].is_object());
    EXPECT_EQ(read.document.size(), 3u);
    for (const Json& event : read.document["traceEvents"]) expect_event(event);
}

}  // namespace trace_test
