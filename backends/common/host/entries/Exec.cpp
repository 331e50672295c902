// Launches: the group exec, and the same with options.
#include <memory>

#include "../Capture.h"
#include "../Check.h"
#include "../DeviceMemory.h"
#include "../Kernel.h"
#include "../LaunchDesc.h"
#include "../Streams.h"

using namespace eagle::host;

namespace {

using LaunchDesc = struct eagle_backend_launch_desc;
using LaunchOptions = struct eagle_backend_sdk_launch_options;

LaunchDesc read_launch(const LaunchDesc* desc, const int32_t* launched) {
    LaunchDesc d = read_desc(desc, "desc");
    require_flags(d.flags, 0, "desc");
    require_usable();
    require_device(d.device);
    require_output(launched, "launched");
    check_launch(d);
    return d;
}

LaunchOptions read_options_here(const LaunchOptions* options) {
    LaunchOptions o = read_options(options);
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
            launch(d, read_options_here(options), launched);
        },
        EAGLE_BACKEND_SDK_OUT_OF_MEMORY);
}
