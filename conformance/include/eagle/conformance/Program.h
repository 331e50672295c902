// The program eagle-conformance, for a program of one's own that adds rows:
//
//   #include <eagle/conformance/Program.h>
//   int main(int argc, char** argv) { return eagle::conformance::run_program(argc, argv); }
//
// linked with eagle::conformance. It starts itself again to run rows apart from the judge, and forks for random
// programs, so main does nothing before.
#pragma once

namespace eagle::conformance {

// Exit codes.
inline constexpr int all_passed = 0;    // every demanded row ran and passed
inline constexpr int some_failed = 1;   // a row failed, or passed where a failure was expected
inline constexpr int cannot_judge = 2;  // the command line is wrong, the file does not load, or the report is lost
inline constexpr int not_all_ran = 3;   // none failed, and a demanded row did not run

int run_program(int argc, char** argv);

}  // namespace eagle::conformance
