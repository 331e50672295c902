// Traces as the tests read them: the file, parsed by its format and by nothing of the library.
#pragma once
#include <eagle/Trace.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace trace_test {

using Json = nlohmann::json;

// A file of its own in the folder for temporary files, gone with the object.
class Place {
  public:
    Place();
    ~Place();
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;
    const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

struct Read {
    explicit Read(const std::filesystem::path& file);
    Json document;
    std::vector<Json> slices;  // events with a duration
    // Slices of a category, in the file's order.
    std::vector<Json> of(const std::string& category) const;
    std::vector<Json> named(const std::string& category, const std::string& name) const;
    // How often each node ran: its name and the number of its runs.
    std::map<std::string, int> runs() const;
    const Json& meta() const { return document["otherData"]; }
};

// What is recorded while `work` runs.
Read traced(const std::function<void()>& work, const eagle::TraceOptions& options = {});

// An arrow's events, in the order of their time.
struct Arrow {
    std::string name;
    std::vector<Json> ends;
};

// Every arrow by its number. Expects what the format asks of one: a start, at most one step and an end, of one name and
// category, none before the one before it.
std::map<std::int64_t, Arrow> arrows_of(const Read& read);
// Every part of a node or plan that is there as a whole has one arrow: from the launch, through the run, to the part.
// `waits`: launches return when their work is done, so that the part lies in its launch.
void expect_arrows(const Read& read, bool waits);
// The fields of each event are those that the format has for its phase, with their types.
void expect_format(const Read& read);

// On every row, two slices are apart or one lies in the other; all lie in the time of the recording; every row has a
// name; every arrow begins and ends in a slice.
void expect_well_formed(const Read& read);

}  // namespace trace_test
