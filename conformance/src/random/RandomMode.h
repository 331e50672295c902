// eagle-conformance --random: programs from seeds against the oracle, in one thread or several.
#pragma once
#include <cstdint>
#include <iosfwd>
#include <string>

#include "../Options.h"
#include "Trial.h"

namespace eagle::conformance {

class TestKernels;

namespace random {

struct Plan {
    std::uint64_t programs = 0;  // 0: until the seconds are over
    std::uint64_t seed = 1;      // of the first; the others follow
    unsigned threads = 1;        // 1 to most_threads
    double seconds = 0;          // 0: until all programs have run
    double timeout = 60;         // for one program, in seconds
    std::int32_t device = 0;
};

enum class Verdict { agreed, differed, grew };

// Tells on `out` what was run and, of the first program that is not as the oracle says, seed, text and what was found,
// and then the smallest part of it that still fails. Ends the process where a program does not come to an end.
Verdict run_programs(const Seam& seam, const Facts& facts, TestKernels& kernels, const Plan& plan, const Oracle& oracle,
                     std::ostream& out);

// What the command line asks for. An exit code of Program.h; throws std::runtime_error where the file does not load.
int run_random_mode(const Options& options, std::ostream& out);

}  // namespace random
}  // namespace eagle::conformance
