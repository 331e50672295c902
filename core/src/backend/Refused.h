// Why a file is not taken as a backend.
#pragma once
#include <string>
#include <utility>

namespace eagle::detail {

// Thrown while a file is opened and asked; becomes one LoadAttempt and never leaves the loader.
struct Refused {
    std::string reason;  // found and needed, in words that follow the path
    int policy = 0;      // number of the broken rule in seam/POLICIES.md; 0 = none of them
    std::string system;  // the system's own text
};

}  // namespace eagle::detail
