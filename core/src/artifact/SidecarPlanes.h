// The argument list of a sidecar.
#pragma once
#include <eagle/marshal/Signature.h>

#include <vector>

#include "artifact/Fields.h"

namespace eagle::artifact {

// arg_spec with roles, dtypes and widths from params, mutables, mat_shapes, arg_widths, arg_shapes and arg_dtypes.
// Throws InvalidArgument.
std::vector<Parameter> read_parameters(const Fields& fields, Dtype scalar);

}  // namespace eagle::artifact
