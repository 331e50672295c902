// What became of a row.
#pragma once
#include <eagle/conformance/Context.h>
#include <eagle/conformance/Row.h>

#include <string>
#include <vector>

namespace eagle::conformance {

enum class Outcome {
    passed,
    failed,
    toothless,         // it holds, and would hold where the backend did nothing: neither green nor red
    unsupported,       // the backend does not provide what the row judges
    expected_failure,  // it failed, as the exclusions say
    unexpected_pass,   // the exclusions say that it fails, and it passed
    not_run            // it is demanded, and nothing could be found out
};

const char* name_of(Outcome outcome);

struct Result {
    Row row;
    Outcome outcome = Outcome::not_run;
    std::string reason;  // of everything but passed and failed
    std::vector<Failure> failures;
    double seconds = 0;
};

}  // namespace eagle::conformance
