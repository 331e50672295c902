// Replays of a graph whose branches may race: enough of them, with one branch slow, that a missing edge shows.
#pragma once
#include <set>

#include "Graphs.h"

namespace eagle::conformance {

// Keeps a stream busy, for some milliseconds on any device, before what comes behind it.
void occupy(Context& c, std::uint64_t stream, const Plane& out);

// The values that y[0] has after replays from 0. Ends early once there are two.
std::set<std::int64_t> results(Context& c, const Launcher& launcher, Plane& y, int replays = 24);

// An ordering row: `with_edge` and `without_edge` are results of the same work. With the edge there is one value;
// without it a backend that runs branches side by side shows another one too, and one that does not leaves the row
// toothless.
void judge_edge(Context& c, const std::set<std::int64_t>& with_edge, const std::set<std::int64_t>& without_edge,
                std::int64_t wanted, const char* edge);

}  // namespace eagle::conformance
