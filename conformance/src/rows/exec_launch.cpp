// What a launch computes.
#include <eagle/conformance/Buffer.h>
#include <eagle/conformance/Gate.h>
#include <eagle/conformance/Launch.h>
#include <eagle/conformance/Row.h>

#include <cfenv>
#include <cmath>
#include <thread>

#include "Legacy.h"

using namespace eagle::conformance;

namespace {

using Integers = std::vector<std::int64_t>;
using Reals = std::vector<double>;

}  // namespace

EAGLE_ROW("exec-range-and-no-more", .covers = {Symbol::run_device}, .needs = {Symbol::stream_create}, .memory = true,
          .kernels = true) {
    const StreamHandle stream(c);
    constexpr std::size_t total = 70001;
    Reals x(total), y(total);
    for (std::size_t i = 0; i < total; ++i) x[i] = double(c.random() % 1000), y[i] = double(c.random() % 1000);
    Buffer<double> on_x(c, x), on_y(c, y);
    for (const std::int64_t count : {1, 31, 32, 33, 255, 256, 257, 4097, 65536}) {
        for (const std::int64_t base : {0, 1, 100, 4000}) {
            for (const std::uint32_t block : {1u, 32u, 96u, 256u}) {
                if (block == 1 && count > 5000) continue;  // too many blocks of one thread to be worth it
                on_y.upload(y);
                Launch(c, "conformance_axpy")
                    .with(3.0)
                    .with(static_cast<const double*>(on_x.pointer()))
                    .with(on_y.pointer())
                    .over(count, base, std::int64_t(total))
                    .block(block)
                    .on(stream.raw())
                    .run();
                stream.synchronize();
                Reals expected = y;
                for (auto i = std::size_t(base); i < std::size_t(base + count); ++i) expected[i] += 3.0 * x[i];
                ROW_EQ(c, on_y.download(), expected);
            }
        }
    }
}

EAGLE_ROW("exec-every-sample-once", .covers = {Symbol::run_device}, .needs = {Symbol::stream_create}, .memory = true,
          .kernels = true) {
    const StreamHandle stream(c);
    for (const std::int64_t count : {1, 7, 1000, 123457}) {
        Buffer<std::uint32_t> cell(c, std::vector<std::uint32_t>{5});
        Launch(c, "conformance_count").with(cell.pointer()).over(count, 11).on(stream.raw()).run();
        stream.synchronize();
        ROW_EQ(c, cell.at(0), std::uint32_t(5 + count));
    }
}

EAGLE_ROW("exec-tells-base-count-and-size", .covers = {Symbol::run_device}, .needs = {Symbol::stream_create},
          .memory = true, .kernels = true) {
    const StreamHandle stream(c);
    Buffer<std::int64_t> told(c, Integers(3, -1));
    Launch(c, "conformance_told").with(told.pointer()).over(1, 7, 1234).on(stream.raw()).run();
    stream.synchronize();
    ROW_EQ(c, told.download(), (Integers{7, 1, 1234}));
    // n_samples is no bound of the work and may be far away: the grid comes from count.
    Buffer<std::int64_t> x(c, Integers(300, -1));
    const std::int64_t far = std::int64_t(1) << 40;
    Launch(c, "conformance_index").with(x.pointer()).over(100, 50, far).on(stream.raw()).run();
    stream.synchronize();
    Integers expected(300, -1);
    for (std::int64_t i = 50; i < 150; ++i) expected[std::size_t(i)] = i + far;
    ROW_EQ(c, x.download(), expected);
}

EAGLE_ROW("exec-nothing-to-do", .covers = {Symbol::run_device}, .needs = {Symbol::stream_create}, .memory = true,
          .kernels = true) {
    const StreamHandle stream(c);
    Buffer<std::int64_t> x(c, Integers(10, 4));
    for (const std::int64_t count : {std::int64_t(0), std::int64_t(-1), std::int64_t(-5000000000)}) {
        std::int32_t launched = -1;
        Launch launch(c, "conformance_fill");
        launch.with(std::int64_t{9}).with(x.pointer()).over(count, 0, 10).on(stream.raw());
        ROW_OK(c, c.seam.run_device(&launch.desc(), &launched));
        ROW_EQ(c, launched, 0);
    }
    stream.synchronize();
    ROW_EQ(c, x.download(), Integers(10, 4));
}

// Sizes given: arguments and the description are read during the call alone.
EAGLE_ROW("exec-arguments-are-copied", .covers = {Symbol::run_device},
          .needs = {Symbol::stream_create, Symbol::host_func}, .memory = true, .kernels = true) {
    const StreamHandle stream(c);
    Buffer<std::int64_t> x(c, Integers(100, 1)), wrong(c, Integers(100, 1));
    {
        Gate gate(c, stream.raw());
        std::int64_t value = 20;
        std::int64_t* pointer = x.pointer();
        std::uint64_t params[2] = {reinterpret_cast<std::uint64_t>(&value), reinterpret_cast<std::uint64_t>(&pointer)};
        std::uint64_t sizes[2] = {sizeof value, sizeof pointer};
        auto desc = Launch(c, "conformance_add").over(100).on(stream.raw()).desc();
        desc.params = params;
        desc.param_sizes = sizes;
        desc.nparams = 2;
        std::int32_t launched = 0;
        ROW_OK(c, c.seam.run_device(&desc, &launched));
        value = 7000;
        pointer = wrong.pointer();
        params[0] = params[1] = sizes[0] = sizes[1] = 0;
        desc = {};
    }
    stream.synchronize();
    ROW_EQ(c, x.download(), Integers(100, 21));
    ROW_EQ(c, wrong.download(), Integers(100, 1));
}

EAGLE_ROW("exec-arguments-without-sizes", .covers = {Symbol::run_device}, .needs = {Symbol::stream_create},
          .memory = true, .kernels = true) {
    const StreamHandle stream(c);
    Buffer<std::int64_t> x(c, Integers(100, 1));
    Launch launch(c, "conformance_add");
    launch.with(std::int64_t{20}).with(x.pointer()).over(100).on(stream.raw());
    auto desc = launch.desc();
    desc.param_sizes = nullptr;
    std::int32_t launched = 0;
    ROW_OK(c, c.seam.run_device(&desc, &launched));
    stream.synchronize();  // the storage lives until here
    ROW_EQ(c, launched, 1);
    ROW_EQ(c, x.download(), Integers(100, 21));
}

// Up to struct_size, and no byte more: the stream lies behind it and is the legacy default one then.
EAGLE_ROW("exec-desc-sizes", .covers = {Symbol::run_device}, .needs = {Symbol::stream_create}, .memory = true,
          .kernels = true) {
    using Desc = struct eagle_backend_launch_desc;
    struct {
        Desc desc;
        unsigned char behind[4016];
    } longer;
    for (const std::uint32_t size : {std::uint32_t(offsetof(Desc, stream)), std::uint32_t(sizeof(Desc)), 200u, 4096u}) {
        Buffer<std::int64_t> x(c, Integers(100, 1));
        Launch launch(c, "conformance_add");
        launch.with(std::int64_t{20}).with(x.pointer()).over(100);
        std::memset(static_cast<void*>(&longer), 0xff, sizeof longer);
        const Desc known = launch.desc();
        std::memcpy(static_cast<void*>(&longer.desc), &known, std::min<std::size_t>(size, sizeof known));
        longer.desc.struct_size = size;
        std::int32_t launched = 0;
        ROW_OK(c, c.seam.run_device(&longer.desc, &launched));
        wait_for_legacy(c);
        ROW_EQ(c, x.download(), Integers(100, 21));
    }
}

EAGLE_ROW("exec-of-many-threads", .covers = {Symbol::run_device}, .needs = {Symbol::stream_create}, .memory = true,
          .kernels = true) {
    constexpr std::size_t sides = 4;
    std::vector<StreamHandle> streams;
    std::vector<Buffer<std::int64_t>> buffers;
    std::vector<Launch> launches;
    for (std::size_t i = 0; i < sides; ++i) {
        streams.emplace_back(c);
        buffers.emplace_back(c, Integers(5000, 0));
        launches.emplace_back(c, "conformance_twice_and");
        launches[i].with(std::int64_t(i)).with(buffers[i].pointer()).over(5000).on(streams[i].raw());
    }
    std::vector<int> failed(sides, 0);
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < sides; ++i) {
        threads.emplace_back([&, i, desc = launches[i].desc()] {
            for (int round = 0; round < 30; ++round) {
                std::int32_t launched = 0;
                failed[i] += c.seam.run_device(&desc, &launched) != EAGLE_BACKEND_OK || launched != 1;
            }
            failed[i] += c.seam.stream_synchronize(streams[i].get()) != EAGLE_BACKEND_OK;
        });
    }
    for (std::thread& thread : threads) thread.join();
    for (std::size_t i = 0; i < sides; ++i) {
        ROW_EQ(c, failed[i], 0);
        ROW_EQ(c, buffers[i].download(), Integers(5000, std::int64_t(i) * ((std::int64_t(1) << 30) - 1)));
    }
}

// 1 + 2^-60 rounds to 1 to the nearest, and to the next number upwards. Neither the caller's rounding gets into a
// kernel nor the kernel's into the caller (EBP-4, EBP-14).
EAGLE_ROW("exec-floating-point-environment", .covers = {Symbol::run_device}, .needs = {Symbol::stream_create},
          .memory = true, .kernels = true) {
    const StreamHandle stream(c);
    constexpr std::size_t n = 20000;
    Buffer<double> x(c, Reals(n, std::ldexp(1.0, -60))), y(c, Reals(n, 1.0));
    Launch launch(c, "conformance_axpy");
    launch.with(1.0).with(static_cast<const double*>(x.pointer())).with(y.pointer()).over(n).on(stream.raw());
    const auto desc = launch.desc();
    std::fenv_t before;
    std::fegetenv(&before);
    std::fesetround(FE_UPWARD);
    std::int32_t launched = 0;
    const eagle_backend_status status = c.seam.run_device(&desc, &launched);
    const eagle_backend_status waited = c.seam.stream_synchronize(stream.get());
    const int rounding = std::fegetround();
    std::fesetenv(&before);
    ROW_EQ(c, status, EAGLE_BACKEND_OK);
    ROW_EQ(c, waited, EAGLE_BACKEND_OK);
    ROW_EQ(c, rounding, FE_UPWARD);
    ROW_EQ(c, y.download(), Reals(n, 1.0));
}
