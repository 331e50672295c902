#include "Exclusions.h"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "Options.h"

namespace eagle::conformance {
namespace {

using nlohmann::json;

std::map<std::string, std::string> read_section(const std::string& path, const std::string& section,
                                                const json& entries, const std::vector<Row>& rows) {
    const std::string at = "--exclusions " + path + ": " + section;
    if (!entries.is_object()) throw UsageError(at + " must be an object of row: reason");
    std::map<std::string, std::string> reasons;
    for (const auto& [pattern, reason] : entries.items()) {
        if (!reason.is_string() || reason.get<std::string>().find_first_not_of(" \t\n") == std::string::npos) {
            throw UsageError(at + ": '" + pattern + "' has no reason; give one as a text");
        }
        bool found = false;
        for (const Row& row : rows) {
            if (!matches(row.name, pattern)) continue;
            found = true;
            if (!reasons.emplace(row.name, reason).second) {
                throw UsageError(at + ": '" + pattern + "' names " + row.name + ", which another entry names too");
            }
        }
        if (!found) throw UsageError(at + ": no row is named '" + pattern + "'; --list prints them");
    }
    return reasons;
}

// A name that stands twice in one object would leave one of the two unread.
json parsed(const std::string& path, std::istream& text) {
    std::map<int, std::set<std::string>> names;  // of the object that is open at a depth
    auto once = [&](int depth, json::parse_event_t event, json& value) {
        if (event == json::parse_event_t::object_start) names[depth + 1].clear();
        if (event == json::parse_event_t::key && !names[depth].insert(value.get<std::string>()).second) {
            throw UsageError("--exclusions " + path + ": '" + value.get<std::string>() +
                             "' stands twice in one object; leave one");
        }
        return true;
    };
    try {
        return json::parse(text, once);
    } catch (const json::parse_error& error) {
        const std::string words = error.what();
        const std::size_t at = words.find("] ");
        throw UsageError("--exclusions " + path +
                         ": is no JSON object: " + words.substr(at == std::string::npos ? 0 : at + 2, 160));
    }
}

json read_file(const std::string& path) {
    std::error_code trouble;
    if (std::filesystem::is_directory(path, trouble)) {
        throw UsageError("--exclusions: cannot read '" + path + "', which is a folder; name a file");
    }
    // A pipe would be waited for.
    if (std::filesystem::exists(path, trouble) && !std::filesystem::is_regular_file(path, trouble)) {
        throw UsageError("--exclusions: cannot read '" + path + "', which is a pipe or a device; name a file");
    }
    std::ifstream file(path);
    if (!file) throw UsageError("--exclusions: cannot read '" + path + "'");
    json content = parsed(path, file);
    if (!content.is_object()) throw UsageError("--exclusions " + path + ": is no JSON object");
    return content;
}

}  // namespace

Exclusions read_exclusions(const std::string& path, const std::vector<Row>& rows) {
    Exclusions exclusions;
    if (path.empty()) return exclusions;
    const json content = read_file(path);
    for (const auto& [section, entries] : content.items()) {
        if (section == "unsupported") {
            exclusions.unsupported = read_section(path, section, entries, rows);
        } else if (section == "expected_failure") {
            exclusions.expected_failure = read_section(path, section, entries, rows);
        } else {
            throw UsageError("--exclusions " + path + ": '" + section +
                             "' is no section; there are 'unsupported' and 'expected_failure'");
        }
    }
    for (const auto& [name, reason] : exclusions.unsupported) {
        if (exclusions.expected_failure.count(name) != 0) {
            throw UsageError("--exclusions " + path + ": " + name + " stands in both sections");
        }
    }
    return exclusions;
}

void check_unsupported(const Exclusions& exclusions, const std::vector<Row>& rows, const Facts& facts) {
    for (const Row& row : rows) {
        if (exclusions.unsupported.count(row.name) == 0 || !absent_for(row, facts).empty()) continue;
        throw UsageError(
            "--exclusions: unsupported: '" + row.name +
            "' cannot be excluded, since the backend provides all it needs: clear the group's bit, drop the "
            "symbol, or call it an expected_failure");
    }
}

}  // namespace eagle::conformance
