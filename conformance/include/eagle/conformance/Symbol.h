// Every symbol of the seam by a name that the compiler checks, and what symbols.def says of it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace eagle::conformance {

// clang-format off
enum class Symbol : std::size_t {
#define EAGLE_SYMBOL(group, name, since, bound) name,
#include <eagle/seam/symbols.def>
};
inline constexpr std::size_t symbol_count = 0
#define EAGLE_SYMBOL(group, name, since, bound) + 1
#include <eagle/seam/symbols.def>
    ;
// clang-format on

// Without the prefix eagle_backend_.
std::string_view name_of(Symbol symbol);
// As symbols.def has it: "core", "fork", "none", "sdk", ...
std::string_view group_of(Symbol symbol);
std::uint32_t minor_of(Symbol symbol);
// The capability bit of the symbol's group; 0 for core, none and sdk.
std::uint64_t bit_of(Symbol symbol);
// The name of a group or of an option for one capability bit, such as "fork"; "bit 8" where it has none.
std::string name_of_bit(std::uint64_t bit);

}  // namespace eagle::conformance
