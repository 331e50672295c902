// What a description asks of a compaction.
#pragma once
#include <eagle/seam/eagle_backend.h>

#include "Compact.h"

namespace eagle::host {

// The part that the caller knows of; too short for scratch_bytes or with unknown flags it is refused. Throw Failure.
struct eagle_backend_compact_desc read_compact(const struct eagle_backend_compact_desc* desc);
// Numbers alone, as a query needs them.
void check_compact(const struct eagle_backend_compact_desc& d);
CompactCall compact_call(const struct eagle_backend_compact_desc& d);

}  // namespace eagle::host
