// What belongs together on different rows: a launch, the run that it put on a stream, and the parts that threads did.
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "trace/Runs.h"

namespace eagle::trace {

struct ArrowEnd {
    const Run* run;       // on whose row; null: on that of the thread
    std::int64_t thread;  // the system's number
    std::int64_t at;
};

// Calls put(name, ends) for every arrow, whose ends are in the order of time and each in a slice of its row:
//  - "part", one for each part of a run: the launch, the run, the part. The launch of a node is that of its graph;
//  where
//    it is not in the recording, the arrow begins at the run;
//  - "launch", of a graph: the launch, and the replay that it put on the stream.
void each_arrow(const Recording& recording, const std::vector<Run>& runs,
                const std::function<void(const char* name, std::span<const ArrowEnd> ends)>& put);

}  // namespace eagle::trace
