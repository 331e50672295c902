// Copies of arrays: from any layout and any safely convertible dtype into the native one, and back.
#pragma once
#include <eagle/marshal/ArrayView.h>
#include <eagle/marshal/Signature.h>

#include "Layout.h"

namespace eagle::marshal {

// A plane of `needed` reads an array of `found` in place. Masks are bytes: any 8-bit integer is one.
inline bool same_type(ElementType found, Dtype needed) {
    if (found.swapped || found.lanes != 1) return false;
    if (needed == Dtype::boolean)
        return found.bits == 8 && (found.code == TypeCode::boolean || found.code == TypeCode::integer ||
                                   found.code == TypeCode::unsigned_integer);
    ElementType type = ElementType::of(needed);
    return found.code == type.code && found.bits == type.bits;
}
// By value, without loss but for 64-bit integers that a float64 cannot hold: NumPy's casting="safe".
bool converts_safely(ElementType found, Dtype needed);

// Writes the elements dense, components before samples. Types convert safely or are the same. Throws InvalidArgument
// naming the first element whose value does not survive.
void copy_in(const Signature& signature, const Parameter& parameter, const ArrayView& view, const Reading& reading,
             void* dense);
// The reverse, for the same type on both sides.
void copy_out(const void* dense, std::int64_t item, const ArrayView& view, const Reading& reading);

}  // namespace eagle::marshal
