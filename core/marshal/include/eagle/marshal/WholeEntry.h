// Host entries of version 1, called where version 2 entries are.
#pragma once
#include <eagle/export.h>

#include <cstdint>

namespace eagle::marshal {

// A v1 host entry: `n` samples, all of them, in one call.
using WholeEntry = void (*)(void* const* params, std::int32_t n);
inline constexpr std::int64_t most_whole_samples = INT32_MAX;

// A v2 entry that calls the v1 entry whose address lies before its arguments, as pack() puts it for a signature with
// `whole_entry`. Who launches it makes one call of the whole range.
EAGLE_API void call_whole_entry(void* const* params, std::int64_t base, std::int64_t count, std::int64_t n_samples);

}  // namespace eagle::marshal
