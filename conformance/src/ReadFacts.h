#pragma once
#include <eagle/conformance/Facts.h>

#include "TestKernels.h"

namespace eagle::conformance {

// Asks the backend what it is. Throws std::runtime_error with what it did where it does not answer as EBP-16 says.
Facts read_facts(const Seam& seam, TestKernels& kernels, const std::string& kernels_file, std::int32_t device);

}  // namespace eagle::conformance
