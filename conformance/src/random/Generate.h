// Programs from seeds.
#pragma once
#include "Program.h"

namespace eagle::conformance::random {

// What the backend under test has; a program uses nothing else.
struct Abilities {
    bool forks = false, marks = false, ifs = false, if_else = false, switches = false, fills = false, hosts = false;
};

// The same program for the same seed and abilities.
Program generate(std::uint64_t seed, const Abilities& abilities);

}  // namespace eagle::conformance::random
