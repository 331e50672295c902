// Devices: their number, properties and identity.
#include "Entries.h"

using namespace eagle::gpu;

std::uint32_t eagle_backend_sdk_version(void) { return EAGLE_BACKEND_SDK_VERSION; }

eagle_backend_status eagle_backend_sdk_device_count(int32_t* count) {
    return entry("eagle_backend_sdk_device_count", [&] {
        require_output(count, "count");
        *count = count_devices();
    });
}

eagle_backend_status eagle_backend_sdk_device_identity(int32_t device, struct eagle_backend_sdk_device_identity* out) {
    return entry("eagle_backend_sdk_device_identity", [&] {
        require_usable();
        const int which = device_of(device);
        struct eagle_backend_sdk_device_identity full{};
        full.device = which;
        driver().identify(which, full);
        write_output(out, full, "out");
    });
}

eagle_backend_status eagle_backend_device_props(int32_t device, struct eagle_backend_device_props* props) {
    return entry("eagle_backend_device_props", [&] {
        require_usable();
        const int which = device_of(device);
        require_output(props, "props");
        struct eagle_backend_device_props full{};
        full.device = which;
        driver().describe(which, full);
        write_output(props, full, "props");
    });
}
