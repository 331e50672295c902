// One number as the bytes of an element.
#pragma once
#include <eagle/marshal/ArrayView.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace eagle::graph {

// Throws InvalidArgument for a number that the type cannot hold (a float rounds), BufferRefused for a type that no
// number is written as.
std::vector<std::byte> pattern_of(ElementType type, double value);
std::vector<std::byte> pattern_of(ElementType type, std::int64_t value);

}  // namespace eagle::graph
