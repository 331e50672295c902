#include "backend/AttemptRecord.h"

#include <algorithm>
#include <tuple>

#include "backend/KindName.h"

namespace eagle::detail {
namespace {

auto as_tuple(const LoadAttempt& a) { return std::tie(a.kind, a.path, a.source, a.outcome, a.system, a.policy); }

std::string line(const LoadAttempt& attempt) {
    std::string text = "  " + attempt.source + ": ";
    if (!attempt.path.empty()) text += attempt.path + ": ";
    text += attempt.outcome;
    if (!attempt.system.empty()) text += "; the system says: " + attempt.system;
    if (attempt.policy != 0) text += "  [EBP-" + std::to_string(attempt.policy) + "]";
    return text + "\n";
}

}  // namespace

void AttemptRecord::add(const LoadAttempt& attempt) {
    const bool known = std::any_of(attempts_.begin(), attempts_.end(),
                                   [&](const LoadAttempt& other) { return as_tuple(other) == as_tuple(attempt); });
    if (!known) attempts_.push_back(attempt);
}

std::string attempts_text(std::span<const LoadAttempt> attempts) {
    std::string text;
    for (const auto& attempt : attempts) text += line(attempt);
    return text;
}

std::string not_found_text(const std::string& kind, std::span<const LoadAttempt> attempts, const std::string& others) {
    return "eagle: no usable backend of kind '" + kind + "'" + (others.empty() ? "" : "; " + others) +
           "; needs a file " + backend_file_name(kind) + " that answers the seam eagle-backend/1: put it beside " +
           "libeagle or set $" + backend_variable_name(kind) + " to its absolute path. Tried, in order:\n" +
           attempts_text(attempts) + "`eagle-doctor` or `python -m eagle doctor` prints everything that was tried";
}

}  // namespace eagle::detail
