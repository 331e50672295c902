// A smaller program that still fails.
#pragma once
#include <functional>
#include <optional>

#include "Program.h"

namespace eagle::conformance::random {

// The program without statement n, counted in the order of its text; none where it has to stay: a mark or a wait, and
// the last work of a body.
std::optional<Program> without(const Program& program, std::size_t n);

// Leaves out one statement after another, as long as `fails` says that what remains still fails, and asks it at most
// `most` times.
Program shrink(Program program, std::size_t most, const std::function<bool(const Program&)>& fails);

}  // namespace eagle::conformance::random
