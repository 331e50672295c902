#include "exec/Launcher.h"

#include <eagle/Fence.h>

#include "backend/Table.h"

namespace eagle::exec {

Launcher::Launcher(const Kernel& kernel, std::int32_t device, std::uint64_t stream)
    : stream_(kernel.backend(), device), launch_(kernel.backend().table().sdk_launch) {
    kernel.backend().require_symbol(reinterpret_cast<const void*>(launch_), "eagle_backend_sdk_launch");
    desc_.struct_size = sizeof desc_;
    desc_.device = stream_.device();
    desc_.block = 256;
    desc_.stream = stream != 0 ? stream : stream_.native();
    options_.struct_size = sizeof options_;
}

// The seam waits for streams that it made: one of those waits for the other's work.
void Launcher::wait_for_other() { fence(stream_.backend(), stream_.device(), desc_.stream, stream_.native()); }

void Launcher::prepare(std::uint64_t entry, const marshal::Packed& packed) {
    desc_.function = entry;
    desc_.params = reinterpret_cast<const std::uint64_t*>(packed.params());
    desc_.param_sizes = packed.param_sizes();
    desc_.nparams = static_cast<std::int64_t>(packed.count());
}

}  // namespace eagle::exec
