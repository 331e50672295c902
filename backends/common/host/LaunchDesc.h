// What a description asks of a launch.
#pragma once
#include <eagle/seam/eagle_backend.h>

namespace eagle::host {

// Both throw Failure. Function, block, arguments and range.
void check_launch(const struct eagle_backend_launch_desc& d);
// Null is all zero.
struct eagle_backend_sdk_launch_options read_options(const struct eagle_backend_sdk_launch_options* options);

}  // namespace eagle::host
