#include "Tap.h"

#include <map>
#include <nlohmann/json.hpp>
#include <ostream>

namespace eagle::conformance {
namespace {

// A description ends at a line's end, and '#' would begin a directive.
std::string plain(std::string text) {
    for (char& character : text) {
        if (character == '\n' || character == '\r') character = ' ';
        if (character == '#') character = '*';
    }
    return text;
}

// JSON is YAML.
std::string quoted(const std::string& text) {
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

bool is_ok(Outcome outcome) { return outcome == Outcome::passed || outcome == Outcome::unsupported; }

}  // namespace

void Tap::begin(const Facts& facts, std::size_t rows) {
    out_ << "TAP version 14\n1.." << rows << "\n# " << plain(facts.kind) << ": eagle-backend/" << (facts.version >> 16)
         << '.' << (facts.version & 0xffff);
    if (!facts.device_name.empty()) out_ << ", " << plain(facts.device_name);
    out_ << std::endl;
}

void Tap::tell(const Result& result) {
    out_ << (is_ok(result.outcome) ? "ok " : "not ok ") << ++told_ << " - " << result.row.name;
    if (result.outcome == Outcome::unsupported) out_ << " # SKIP " << plain(result.reason);
    if (result.outcome == Outcome::expected_failure) out_ << " # TODO " << plain(result.reason);
    if (result.outcome == Outcome::toothless && !require_teeth_) out_ << " # TODO toothless: " << plain(result.reason);
    out_ << '\n';
    if (!is_ok(result.outcome)) {
        out_ << "  ---\n  outcome: " << name_of(result.outcome) << '\n';
        if (!result.reason.empty()) out_ << "  reason: " << quoted(result.reason) << '\n';
        if (!result.failures.empty()) out_ << "  failures:\n";
        for (const Failure& f : result.failures) {
            out_ << "    - " << quoted(f.file + ":" + std::to_string(f.line) + ": " + f.text) << '\n';
        }
        out_ << "  ...\n";
    }
    out_.flush();
}

void Tap::end(const std::vector<Result>& results) {
    std::map<std::string, int> counts;
    for (const Result& result : results) ++counts[name_of(result.outcome)];
    out_ << '#';
    for (const auto& [name, count] : counts) out_ << ' ' << name << ' ' << count;
    out_ << std::endl;
}

}  // namespace eagle::conformance
