// The loops of MaskCode for processors with AVX2.
#pragma once
#if defined(__x86_64__)
#include "MaskCode.h"

namespace eagle::host::avx2 {

bool is_usable();
MaskCounts find(const std::uint8_t* bytes, std::int64_t words, std::uint64_t inverted, std::uint64_t* out);
void write(const std::uint64_t* words, std::int64_t n, std::int32_t first, std::int32_t* out, const std::int32_t* end,
           bool past_the_caches);
std::int64_t find_few(const std::uint8_t* bytes, std::int64_t words, std::uint64_t inverted, std::int32_t first,
                      std::int32_t* out, std::uint32_t* live_groups_found);

}  // namespace eagle::host::avx2
#endif
