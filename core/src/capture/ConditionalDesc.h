// The seam's description of a conditional.
#pragma once
#include <eagle/Conditional.h>
#include <eagle/seam/eagle_backend.h>

namespace eagle::detail {

eagle_backend_conditional_desc desc_of(const ConditionalCells& cells, std::int32_t device, std::uint64_t origin);

}  // namespace eagle::detail
