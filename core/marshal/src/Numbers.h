// Numbers for uniforms, and single numbers for scalar planes.
#pragma once
#include <eagle/marshal/Pack.h>

#include <cstddef>

namespace eagle::marshal {

// Writes the number in the dtype of the parameter, dtype_size(parameter.dtype) bytes; int32 and uint32 uniforms are
// 8-byte integers, as the kernel reads them. Returns the size written. Throws InvalidArgument when the value does not
// survive.
std::uint32_t store_number(const Signature& signature, const Parameter& parameter, double value, void* into);
std::uint32_t store_number(const Signature& signature, const Parameter& parameter, std::int64_t value, void* into);

}  // namespace eagle::marshal
