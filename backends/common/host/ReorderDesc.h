// What a description asks of a reorder or a reset.
#pragma once
#include <eagle/seam/eagle_backend.h>

#include <string>
#include <vector>

#include "Reorder.h"

namespace eagle::host {

using ReorderRow = struct eagle_backend_reorder_plane;

// All throw Failure. The part that the caller knows of; one too short for scratch_bytes or with unknown flags is
// refused.
struct eagle_backend_reorder_desc read_reorder(const struct eagle_backend_reorder_desc* desc);
const ReorderRow* read_rows(const struct eagle_backend_reorder_desc& d);
std::uint32_t widest(const ReorderRow* rows, std::uint32_t count);  // bytes of an element
std::string row_name(std::uint32_t i);                              // as messages call a plane
// All of a call but its scratch; `rows` is null for a reset.
ReorderCall reorder_call(const struct eagle_backend_reorder_desc& d, const ReorderRow* rows);
// No array of the call shares memory with another, or with its scratch.
void require_apart(const ReorderCall& call, std::uint64_t scratch_bytes);

}  // namespace eagle::host
