// Host memory for arrays.
#pragma once
#include <eagle/marshal/Signature.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace eagle::array {

// Blocks from here on are mapped on huge pages and pooled when they are freed.
inline constexpr std::size_t large_bytes = std::size_t{4} << 20u;
// The pool keeps at most this much; what does not fit goes back to the system.
inline constexpr std::size_t pool_bytes = std::size_t{512} << 20u;

// 64-byte aligned memory (2 MiB where it is large), freed with the last copy of the pointer. 0 bytes give a pointer
// that is not null. Throws OutOfMemory.
std::shared_ptr<void> allocate(std::size_t bytes, bool zeroed);

// Bytes of a dense array. Throws InvalidArgument for a shape that no array has.
std::size_t bytes_of(std::span<const std::int64_t> shape, Dtype dtype);

// Bytes that the pool holds, for tests.
std::size_t pooled_bytes();

}  // namespace eagle::array
