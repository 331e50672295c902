// The devices of the kind.
#include "../Check.h"
#include "../CpuBudget.h"
#include "../Kind.h"

using namespace eagle::host;

std::uint32_t eagle_backend_sdk_version(void) { return EAGLE_BACKEND_SDK_VERSION; }

eagle_backend_status eagle_backend_sdk_device_count(int32_t* count) {
    return entry("eagle_backend_sdk_device_count", [&] {
        require_output(count, "count");
        *count = CpuBudget::of_process().error.empty() ? this_kind.devices : 0;
    });
}

eagle_backend_status eagle_backend_sdk_device_identity(int32_t device, struct eagle_backend_sdk_device_identity* out) {
    return entry("eagle_backend_sdk_device_identity", [&] {
        require_usable();
        struct eagle_backend_sdk_device_identity full{};
        full.device = require_device(device);
        write_output(out, full, "out");
    });
}

eagle_backend_status eagle_backend_device_props(int32_t device, struct eagle_backend_device_props* props) {
    return entry("eagle_backend_device_props", [&] {
        require_usable();
        struct eagle_backend_device_props full{};
        full.device = require_device(device);
        require_output(props, "props");
        this_kind.describe(full);
        write_output(props, full, "props");
    });
}
