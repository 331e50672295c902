// The backend's own list of rows that it does not pass, a reason each:
//
//   {"unsupported": {"conditional-switch-*": "the driver has no switch nodes"},
//    "expected_failure": {"fork-mark-edge": "marks are joined too early; to be repaired"}}
#pragma once
#include <map>
#include <string>
#include <vector>

#include "Outcome.h"

namespace eagle::conformance {

struct Exclusions {
    std::map<std::string, std::string> unsupported, expected_failure;  // row -> reason
};

// Throws UsageError naming the entry: the file cannot be read, is no such object, names no row, has no reason, or says
// both.
Exclusions read_exclusions(const std::string& path, const std::vector<Row>& rows);

// Throws UsageError naming the entry where a row is called unsupported whose bits and symbols the backend provides.
void check_unsupported(const Exclusions& exclusions, const std::vector<Row>& rows, const Facts& facts);

}  // namespace eagle::conformance
