#include "Outcome.h"

namespace eagle::conformance {

const char* name_of(Outcome outcome) {
    switch (outcome) {
        case Outcome::passed:
            return "passed";
        case Outcome::failed:
            return "failed";
        case Outcome::toothless:
            return "toothless";
        case Outcome::unsupported:
            return "unsupported";
        case Outcome::expected_failure:
            return "expected_failure";
        case Outcome::unexpected_pass:
            return "unexpected_pass";
        case Outcome::not_run:
            return "not_run";
    }
    return "";
}

}  // namespace eagle::conformance
