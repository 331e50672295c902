// The one device of kind cpu: this machine.
#include "../common/host/Check.h"
#include "../common/host/CpuBudget.h"

using namespace eagle::host;

std::uint32_t eagle_backend_sdk_version(void) { return EAGLE_BACKEND_SDK_VERSION; }

eagle_backend_status eagle_backend_sdk_device_count(int32_t* count) {
    return entry("eagle_backend_sdk_device_count", [&] {
        require_output(count, "count");
        *count = CpuBudget::of_process().error.empty() ? 1 : 0;
    });
}

eagle_backend_status eagle_backend_sdk_device_identity(int32_t device, struct eagle_backend_sdk_device_identity* out) {
    return entry("eagle_backend_sdk_device_identity", [&] {
        require_usable();
        require_device(device);
        struct eagle_backend_sdk_device_identity full{};
        write_output(out, full, "out");
    });
}
