// The two facts by which a compiled kernel says that it was built for this binary interface.
#pragma once
#include <eagle/Module.h>

#include <cstdint>
#include <string>

namespace eagle::artifact {

// `device`: the one that it is loaded for. Compares `eagle_abi_tag` with `tag` and `eagle_layout_sizes` with ours,
// field by field. Throws InvalidArgument naming the file and the field, with what was found and what is needed.
void check_layout(const Module& module, const std::string& tag, std::int32_t device);

}  // namespace eagle::artifact
