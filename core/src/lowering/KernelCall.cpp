#include "lowering/KernelCall.h"

#include "backend/Entry.h"

namespace eagle::lowering {

void KernelCall::put(const Backend& backend, std::int32_t device, std::uint64_t stream) const {
    const auto& seam = backend.table();
    eagle_backend_launch_desc desc{};
    desc.struct_size = sizeof desc;
    desc.device = device;
    desc.block = block;
    desc.function = function;
    desc.params = reinterpret_cast<const std::uint64_t*>(params);
    desc.param_sizes = sizes;
    desc.nparams = static_cast<std::int64_t>(count);
    desc.base = part.base;
    desc.count = part.count;
    desc.n_samples = part.n_samples;
    desc.stream = stream;
    std::int32_t launched = 0;
    if (grid == 0 && shared_bytes == 0 && max_parallel == 0) {
        backend.require(Group::exec);
        backend.check(seam.run_device(&desc, &launched), "run_device");
        return;
    }
    backend.require_symbol(reinterpret_cast<const void*>(seam.sdk_launch), "eagle_backend_sdk_launch");
    eagle_backend_sdk_launch_options options{};
    options.struct_size = sizeof options;
    options.grid = grid;
    options.shared_bytes = shared_bytes;
    options.max_parallel = max_parallel;
    backend.check(seam.sdk_launch(&desc, &options, &launched), "sdk_launch");
}

}  // namespace eagle::lowering
