// Launches: the group exec, and the same with options.
#include <limits>
#include <memory>

#include "../Capture.h"
#include "../Check.h"
#include "../DeviceMemory.h"
#include "../Kernel.h"
#include "../Streams.h"

using namespace eagle::host;

namespace {

using LaunchDesc = struct eagle_backend_launch_desc;
using LaunchOptions = struct eagle_backend_sdk_launch_options;

void check_arguments(const LaunchDesc& d) {
    if (d.nparams < 0) refuse("desc->nparams is " + std::to_string(d.nparams) + "; it must be 0 or more");
    if (d.nparams > 0 && !d.params) refuse("desc->params is null; it must hold desc->nparams addresses");
    for (std::int64_t i = 0; i < d.nparams; ++i) {
        if (d.params[i] == 0)
            refuse("desc->params[" + std::to_string(i) + "] is null; pass the address of the argument");
    }
}

void check_range(const LaunchDesc& d) {
    if (d.base < 0) refuse("desc->base is " + std::to_string(d.base) + "; it must be 0 or more");
    if (d.count > std::numeric_limits<std::int64_t>::max() - d.base) {
        refuse("desc->base + desc->count is beyond 2^63 - 1 (base " + std::to_string(d.base) + ", count " +
               std::to_string(d.count) + ")");
    }
}

LaunchDesc read_launch(const LaunchDesc* desc, const int32_t* launched) {
    LaunchDesc d = read_desc(desc, "desc");
    require_flags(d.flags, 0, "desc");
    require_usable();
    require_device(d.device);
    require_output(launched, "launched");
    if (d.function == 0) refuse("desc->function is null; pass the address of a kernel's entry");
    if (d.block == 0) refuse("desc->block is 0; it must be 1 or more");
    check_arguments(d);
    check_range(d);
    return d;
}

LaunchOptions read_options(const LaunchOptions* options) {
    if (!options) return {};
    LaunchOptions o = read_desc(options, "options", 8);
    require_flags(o.flags, 0, "options");
    if (o.reserved != 0) refuse("options->reserved is " + std::to_string(o.reserved) + "; it must be 0");
    if (o.shared_bytes != 0) {
        throw Failure(EAGLE_BACKEND_UNSUPPORTED, "options->shared_bytes is " + std::to_string(o.shared_bytes) +
                                                     "; kind " + this_kind.name +
                                                     " has no shared memory of a block, so it must be 0");
    }
    return o;
}

Node kernel_node(const KernelCall& call, const LaunchDesc& d) {
    Node node;
    node.kind = NodeKind::kernel;
    node.call = call;
    node.block = d.block;
    node.has_fixed_layout = call.grid != 0;
    node.arguments = std::make_shared<const KeptArguments>(d.params, d.param_sizes, d.nparams);
    node.call.params = node.arguments->params();
    return node;
}

void launch(const LaunchDesc& d, const LaunchOptions& o, int32_t* launched) {
    Streams& streams = Streams::of_process();
    Stream& stream = streams.of_raw(d.stream, d.device);
    if (d.count <= 0) {
        *launched = 0;
        return;
    }
    require_arguments(stream.device, reinterpret_cast<void* const*>(d.params), d.param_sizes, d.nparams);
    KernelCall call;
    call.entry = reinterpret_cast<KernelEntry>(d.function);
    call.params = reinterpret_cast<void* const*>(d.params);
    call.base = d.base;
    call.count = d.count;
    call.n_samples = d.n_samples;
    call.grid = o.grid;
    call.max_parallel = o.max_parallel;
    if (record(stream, [&] { return kernel_node(call, d); })) {
        *launched = 1;
        return;
    }
    streams.submit(
        stream, [&] { run_kernel(call); },
        [&]() -> Task {
            auto kept = std::make_shared<KeptArguments>(d.params, d.param_sizes, d.nparams);
            KernelCall later = call;
            later.params = kept->params();
            return [kept, later] { run_kernel(later); };
        });
    *launched = 1;
}

}  // namespace

eagle_backend_status eagle_backend_run_device(const struct eagle_backend_launch_desc* desc, int32_t* launched) {
    return entry("eagle_backend_run_device", [&] { launch(read_launch(desc, launched), {}, launched); });
}

eagle_backend_status eagle_backend_sdk_launch(const struct eagle_backend_launch_desc* desc,
                                              const struct eagle_backend_sdk_launch_options* options,
                                              int32_t* launched) {
    return entry(
        "eagle_backend_sdk_launch",
        [&] {
            LaunchDesc d = read_launch(desc, launched);
            launch(d, read_options(options), launched);
        },
        EAGLE_BACKEND_SDK_OUT_OF_MEMORY);
}
