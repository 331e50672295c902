// Launches: the group exec, and the same with options.
#include <limits>

#include "../../host/LaunchDesc.h"
#include "../Capture.h"
#include "Entries.h"

using namespace eagle::gpu;

namespace {

using LaunchDesc = struct eagle_backend_launch_desc;
using LaunchOptions = struct eagle_backend_sdk_launch_options;

constexpr std::int64_t most_blocks = std::numeric_limits<std::int32_t>::max();

// Of count samples; the samples of an array play no part.
unsigned blocks_of(const LaunchDesc& d, const LaunchOptions& o) {
    if (o.grid) return o.grid;
    const std::int64_t blocks = (d.count - 1) / d.block + 1;
    if (blocks <= most_blocks) return static_cast<unsigned>(blocks);
    throw Failure(EAGLE_BACKEND_UNSUPPORTED, "desc->count is " + std::to_string(d.count) + " in blocks of " +
                                                 std::to_string(d.block) + "; a grid has at most " +
                                                 std::to_string(most_blocks) + " blocks: take larger ones, or parts");
}

// The driver reads as many arguments as the kernel has, so their number must be right.
void require_parameters(const LaunchDesc& d, std::size_t given) {
    const auto sizes = driver().parameter_sizes(d.function);
    if (!sizes) return;
    if (sizes->size() != given) {
        refuse("desc->nparams is " + std::to_string(d.nparams) + ", and with base, count and n_samples that is " +
               std::to_string(given) + "; the kernel has " + std::to_string(sizes->size()) + " parameters");
    }
    for (std::int64_t i = 0; d.param_sizes && i < d.nparams; ++i) {
        const std::uint64_t wanted = (*sizes)[static_cast<std::size_t>(i)];
        if (d.param_sizes[i] == wanted) continue;
        refuse("desc->param_sizes[" + std::to_string(i) + "] is " + std::to_string(d.param_sizes[i]) +
               "; the kernel's parameter has " + std::to_string(wanted) + " bytes");
    }
}

void launch(const LaunchDesc* desc, const LaunchOptions* options, std::int32_t* launched) {
    LaunchDesc d = read_desc(desc, "desc");
    require_flags(d.flags, 0, "desc");
    require_usable();
    const int device = device_of(d.device, d.stream);
    require_output(launched, "launched");
    eagle::host::check_launch(d);
    const LaunchOptions o = eagle::host::read_options(options);
    *launched = 0;
    if (d.count <= 0) return;
    std::vector<void*> parameters;
    for (std::int64_t i = 0; i < d.nparams; ++i) parameters.push_back(reinterpret_cast<void*>(d.params[i]));
    for (std::int64_t* range : {&d.base, &d.count, &d.n_samples}) parameters.push_back(range);
    const Current current(device);
    require_apart_from_captures(d.stream, device);
    require_parameters(d, parameters.size());
    Shape shape;
    shape.grid_x = blocks_of(d, o);
    shape.block_x = d.block;
    shape.shared_bytes = o.shared_bytes;
    driver().launch(d.function, shape, d.stream, parameters.data());
    *launched = 1;
    Node node;
    node.type = NodeType::kernel;
    node.function = d.function;
    node.arguments = d.nparams;
    if (d.param_sizes) {
        node.sizes.assign(d.param_sizes, d.param_sizes + d.nparams);
        node.sizes.resize(parameters.size(), sizeof(std::int64_t));
    }
    node.has_fixed_layout = o.grid != 0 || o.shared_bytes != 0;
    note_tip(d.stream, std::move(node));
}

}  // namespace

eagle_backend_status eagle_backend_run_device(const struct eagle_backend_launch_desc* desc, int32_t* launched) {
    return entry("eagle_backend_run_device", [&] { launch(desc, nullptr, launched); });
}

eagle_backend_status eagle_backend_sdk_launch(const struct eagle_backend_launch_desc* desc,
                                              const struct eagle_backend_sdk_launch_options* options,
                                              int32_t* launched) {
    return entry("eagle_backend_sdk_launch", [&] { launch(desc, options, launched); }, no_memory);
}
