// One program against one backend, in every way that it can be run.
#pragma once
#include <cstdint>
#include <functional>
#include <string>

#include "Generate.h"
#include "Program.h"
#include "Session.h"

namespace eagle::conformance::random {

// What of the seam the mode needs at least; a text that names what is absent, "" where nothing is.
std::string absent_for_programs(const Facts& facts);
Abilities abilities_of(const Facts& facts);

using Oracle = std::function<void(const Program& program, State& state)>;

struct Finding {
    std::string text;  // "" where everything was as the oracle says
    std::uint64_t replays = 0;
};

// `salt` chooses among the ways; the same salt does the same.
Finding try_program(Context& c, const Program& program, std::uint64_t salt, const Oracle& oracle);

}  // namespace eagle::conformance::random
