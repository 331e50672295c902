// What a fault inside a kernel is raised as.
#pragma once
#include <eagle/export.h>
#include <eagle/marshal/Control.h>

#include <cstdint>
#include <string>

namespace eagle::marshal {

// As raise_fault(); `whose` is said of the sample: "of rank 1 of 2".
EAGLE_API void raise_fault(const Signature& signature, const std::int64_t* control, const std::string& whose);

}  // namespace eagle::marshal
