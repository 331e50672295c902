// Names in refusals: what is there, and which of it was probably meant.
#pragma once
#include <eagle/export.h>
#include <eagle/marshal/Signature.h>

#include <span>
#include <string>
#include <string_view>

namespace eagle::marshal {

// At most 60 bytes of UTF-8, cut between two characters: a long text would bury what is said of it.
EAGLE_API std::string shortened(std::string_view text);

// The first of `names` that is the fewest slips of a key away from `wanted`: at most two, and fewer in names of up to
// three letters, where two make another name. Empty where there is none, and for a name that is one of them. A slip is
// a letter that is put in, left out, exchanged, or swapped with its neighbour.
EAGLE_API std::string nearest_name(std::string_view wanted, std::span<const std::string> names);
// "; the nearest name is 'omega'", or nothing.
EAGLE_API std::string nearest_text(std::string_view wanted, std::span<const std::string> names);

// The refusal of a name that is no argument of the kernel's, with those that a caller gives.
EAGLE_API std::string unknown_argument_text(const Signature& signature, std::string_view name);

}  // namespace eagle::marshal
