// What a launch refuses, and that nothing has happened then.
#include <eagle/conformance/Buffer.h>
#include <eagle/conformance/Launch.h>
#include <eagle/conformance/Row.h>

#include "Refused.h"

using namespace eagle::conformance;

namespace {

using Integers = std::vector<std::int64_t>;
using Desc = struct eagle_backend_launch_desc;

// A launch that would show, and what becomes of it.
struct Attempt {
    explicit Attempt(Context& context)
        : c(context), stream(context), x(context, Integers(10, 4)), launch(context, "conformance_fill") {
        launch.with(std::int64_t{9}).with(x.pointer()).over(10).on(stream.raw());
        good = launch.desc();
    }
    void refused(const Desc& desc, eagle_backend_status status) {
        std::int32_t launched = 77;
        ROW_STATUS(c, c.seam.run_device(&desc, &launched), status);
        stream.synchronize();
        ROW_EQ(c, x.download(), Integers(10, 4));
        ROW_EQ(c, launched, 77);
    }
    Context& c;
    StreamHandle stream;
    Buffer<std::int64_t> x;
    Launch launch;
    Desc good;
};

}  // namespace

EAGLE_ROW("exec-checks-in-order", .covers = {Symbol::run_device}, .needs = {Symbol::stream_create}, .memory = true,
          .kernels = true) {
    Attempt attempt(c);
    std::int32_t launched = 0;
    ROW_STATUS(c, c.seam.run_device(nullptr, &launched), EAGLE_BACKEND_INVALID_ARGUMENT);
    ROW_STATUS(c, c.seam.run_device(&attempt.good, nullptr), EAGLE_BACKEND_INVALID_ARGUMENT);
    Desc desc = attempt.good;
    desc.struct_size = 11;
    desc.flags = 0x11;  // the size comes before the flags
    attempt.refused(desc, EAGLE_BACKEND_INVALID_ARGUMENT);
    desc.struct_size = sizeof desc;
    desc.device = c.facts.devices + 3;  // and the flags before the device
    attempt.refused(desc, EAGLE_BACKEND_UNSUPPORTED);
    (void)c.seam.run_device(&desc, &launched);
    expect_bits_named(c, 0x11);
    for (const std::int32_t device : {-2, -9, c.facts.devices, c.facts.devices + 3}) {
        desc = attempt.good;
        desc.device = device;
        attempt.refused(desc, EAGLE_BACKEND_INVALID_ARGUMENT);
    }
}

EAGLE_ROW("exec-refusals", .covers = {Symbol::run_device}, .needs = {Symbol::stream_create}, .memory = true,
          .kernels = true) {
    Attempt attempt(c);
    Desc desc = attempt.good;
    desc.block = 0;
    attempt.refused(desc, EAGLE_BACKEND_INVALID_ARGUMENT);
    desc = attempt.good;
    desc.function = 0;
    attempt.refused(desc, EAGLE_BACKEND_INVALID_ARGUMENT);
    desc = attempt.good;
    desc.params = nullptr;
    attempt.refused(desc, EAGLE_BACKEND_INVALID_ARGUMENT);
    desc = attempt.good;
    desc.nparams = -1;
    attempt.refused(desc, EAGLE_BACKEND_INVALID_ARGUMENT);
    for (const std::uint32_t size : {0u, 4u, 11u, 12u, 16u}) {  // from 12 on it is the function that is not there
        desc = attempt.good;
        desc.struct_size = size;
        attempt.refused(desc, EAGLE_BACKEND_INVALID_ARGUMENT);
    }
}

EAGLE_ROW("exec-device-of-the-stream", .covers = {Symbol::run_device}, .needs = {Symbol::stream_create}, .memory = true,
          .kernels = true) {
    Attempt attempt(c);
    Desc desc = attempt.good;
    desc.device = -1;
    std::int32_t launched = 0;
    ROW_OK(c, c.seam.run_device(&desc, &launched));
    attempt.stream.synchronize();
    ROW_EQ(c, attempt.x.download(), Integers(10, 9));
}

EAGLE_ROW("exec-stream-of-another-device", .covers = {Symbol::run_device}, .needs = {Symbol::stream_create},
          .memory = true, .kernels = true, .devices = 2) {
    Attempt attempt(c);
    Desc desc = attempt.good;
    desc.device = c.device == 0 ? 1 : 0;
    attempt.refused(desc, EAGLE_BACKEND_INVALID_ARGUMENT);
}
