// The process that opens the backend and runs rows, apart from the one that judges: what a row does to it ends with it.
//
// It reads two lines of JSON from its standard input, {"file", "kernels", "device", "seed"} and, after it has answered
// with
// {"facts"} or {"refused": why}, {"rows": [names]}. Then it writes {"begins": name} and {"ends": name, "outcome",
// "failures", "reason", "seconds"} for one row after the other, and ends after the first that fails.
#pragma once

namespace eagle::conformance {

// Reports go to the descriptor. The exit status of the process.
int run_worker(int reports);

}  // namespace eagle::conformance
