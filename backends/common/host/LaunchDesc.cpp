#include "LaunchDesc.h"

#include <limits>
#include <string>

#include "Check.h"

namespace eagle::host {
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

}  // namespace

void check_launch(const LaunchDesc& d) {
    if (d.function == 0) refuse("desc->function is null; pass the address of a kernel's entry");
    if (d.block == 0) refuse("desc->block is 0; it must be 1 or more");
    check_arguments(d);
    check_range(d);
}

LaunchOptions read_options(const LaunchOptions* options) {
    if (!options) return {};
    LaunchOptions o = read_desc(options, "options", 8);
    require_flags(o.flags, 0, "options");
    if (o.reserved != 0) refuse("options->reserved is " + std::to_string(o.reserved) + "; it must be 0");
    return o;
}

}  // namespace eagle::host
