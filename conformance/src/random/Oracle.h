// What a program leaves, worked out without streams, forks or graphs: one word of all planes at a time.
#pragma once
#include "Program.h"

namespace eagle::conformance::random {

// One run of the program from `state`, which becomes what the run leaves.
void run(const Program& program, State& state);

}  // namespace eagle::conformance::random
