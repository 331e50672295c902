// Launches with options.
#include <eagle/conformance/Buffer.h>
#include <eagle/conformance/Launch.h>
#include <eagle/conformance/Row.h>

#include <cstring>

#include "Refused.h"

using namespace eagle::conformance;

namespace {

using Options = struct eagle_backend_sdk_launch_options;
using Integers = std::vector<std::int64_t>;
constexpr std::int64_t n = 1000, base = 37, total = 1100;

// What conformance_index leaves of a plane of -1.
Integers indices() {
    Integers values(total, -1);
    for (std::int64_t i = base; i < base + n; ++i) values[std::size_t(i)] = i + total;
    return values;
}

// The launch of conformance_index with these options, and what it left.
Integers launched(Context& c, const Options* options, std::uint32_t block = 128) {
    const StreamHandle stream(c);
    Buffer<std::int64_t> x(c, Integers(total, -1));
    Launch launch(c, "conformance_index");
    launch.with(x.pointer()).over(n, base, total).block(block).on(stream.raw());
    std::int32_t answer = -1;
    ROW_OK(c, c.seam.sdk_launch(&launch.desc(), options, &answer));
    ROW_EQ(c, answer, 1);
    stream.synchronize();
    return x.download();
}

}  // namespace

EAGLE_ROW("sdk-launch-options", .covers = {Symbol::sdk_launch}, .needs = {Symbol::stream_create}, .memory = true,
          .kernels = true) {
    ROW_EQ(c, launched(c, nullptr), indices());
    auto options = make<Options>();
    ROW_EQ(c, launched(c, &options), indices());
    for (const std::uint32_t grid : {8u, 9u, 64u}) {  // enough blocks of 128, and some to spare
        options.grid = grid;
        ROW_EQ(c, launched(c, &options), indices());
    }
    options = make<Options>();
    for (const std::uint32_t most : {1u, 2u, 1000u}) {
        options.max_parallel = most;
        ROW_EQ(c, launched(c, &options), indices());
    }
}

EAGLE_ROW("sdk-launch-option-sizes", .covers = {Symbol::sdk_launch}, .needs = {Symbol::stream_create}, .memory = true,
          .kernels = true) {
    struct {
        Options options;
        unsigned char behind[4072];
    } longer;
    for (const std::uint32_t size : {12u, 16u, 24u, 100u, 4096u}) {
        std::memset(static_cast<void*>(&longer), 0xff, sizeof longer);
        Options known{};
        std::memcpy(static_cast<void*>(&longer.options), &known, std::min<std::size_t>(size, sizeof known));
        longer.options.struct_size = size;
        ROW_EQ(c, launched(c, &longer.options), indices());
    }
    Buffer<std::int64_t> x(c, Integers(8, -1));
    Launch launch(c, "conformance_index");
    launch.with(x.pointer()).over(8);
    auto options = make<Options>();
    for (const std::uint32_t size : {0u, 4u, 7u}) {
        options.struct_size = size;
        std::int32_t answer = -1;
        ROW_STATUS(c, c.seam.sdk_launch(&launch.desc(), &options, &answer), EAGLE_BACKEND_INVALID_ARGUMENT);
    }
    ROW_EQ(c, x.download(), Integers(8, -1));
}

EAGLE_ROW("sdk-launch-one-after-the-other", .covers = {Symbol::sdk_launch}, .needs = {Symbol::stream_create},
          .memory = true, .kernels = true) {
    // max_parallel 1 is ascending order on a host kind; elsewhere it changes nothing, and so the count is what is
    // asked.
    const StreamHandle stream(c);
    Buffer<std::uint32_t> cell(c, std::vector<std::uint32_t>{0});
    auto options = make<Options>();
    options.max_parallel = 1;
    Launch launch(c, "conformance_count");
    launch.with(cell.pointer()).over(54321).on(stream.raw());
    std::int32_t answer = -1;
    ROW_OK(c, c.seam.sdk_launch(&launch.desc(), &options, &answer));
    stream.synchronize();
    ROW_EQ(c, cell.at(0), 54321u);
}

EAGLE_ROW("sdk-launch-refusals", .covers = {Symbol::sdk_launch}, .memory = true, .kernels = true) {
    Buffer<std::int64_t> x(c, Integers(8, -1));
    Launch launch(c, "conformance_index");
    launch.with(x.pointer()).over(8);
    auto options = make<Options>();
    std::int32_t answer = 7;
    ROW_STATUS(c, c.seam.sdk_launch(nullptr, nullptr, &answer), EAGLE_BACKEND_INVALID_ARGUMENT);
    ROW_STATUS(c, c.seam.sdk_launch(&launch.desc(), nullptr, nullptr), EAGLE_BACKEND_INVALID_ARGUMENT);
    options.flags = 0x8;
    ROW_STATUS(c, c.seam.sdk_launch(&launch.desc(), &options, &answer), EAGLE_BACKEND_UNSUPPORTED);
    expect_bits_named(c, 0x8);
    options = make<Options>();
    options.reserved = 1;
    ROW_STATUS(c, c.seam.sdk_launch(&launch.desc(), &options, &answer), EAGLE_BACKEND_INVALID_ARGUMENT);
    launch.block(0);
    ROW_STATUS(c, c.seam.sdk_launch(&launch.desc(), nullptr, &answer), EAGLE_BACKEND_INVALID_ARGUMENT);
    ROW_EQ(c, answer, 7);
    ROW_EQ(c, x.download(), Integers(8, -1));
    launch.block(32).over(0);
    ROW_STATUS(c, c.seam.sdk_launch(&launch.desc(), nullptr, &answer), EAGLE_BACKEND_OK);
    ROW_EQ(c, answer, 0);
}
