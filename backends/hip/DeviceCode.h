// The code objects in this file, bundled: what hipModuleLoadData takes. Null where the build had no compiler for them.
#pragma once

namespace eagle::hip {

const void* device_code();

}  // namespace eagle::hip
