// What streams promise of the work on them.
#include <eagle/conformance/Buffer.h>
#include <eagle/conformance/Gate.h>
#include <eagle/conformance/Launch.h>
#include <eagle/conformance/Row.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>

using namespace eagle::conformance;

namespace {

constexpr std::size_t samples = 1000;
using Integers = std::vector<std::int64_t>;

void twice_and(Context& c, std::int64_t value, const Buffer<std::int64_t>& x, std::uint64_t stream) {
    Launch(c, "conformance_twice_and").with(value).with(x.pointer()).over(std::int64_t(x.size())).on(stream).run();
}

void copy(Context& c, const Buffer<std::int64_t>& from, const Buffer<std::int64_t>& to, std::uint64_t stream) {
    Launch(c, "conformance_copy")
        .with(from.pointer())
        .with(to.pointer())
        .over(std::int64_t(to.size()))
        .on(stream)
        .run();
}

}  // namespace

EAGLE_ROW("stream-runs-in-order", .covers = {Symbol::stream_synchronize}, .memory = true, .kernels = true) {
    const StreamHandle stream(c);
    Buffer<std::int64_t> x(c, Integers(samples, 1));
    std::int64_t expected = 1;
    for (int i = 0; i < 40; ++i) {
        const auto value = static_cast<std::int64_t>(c.random() % 100);
        twice_and(c, value, x, stream.raw());
        expected = 2 * expected + value;
    }
    stream.synchronize();
    ROW_EQ(c, x.download(), Integers(samples, expected));
}

EAGLE_ROW("stream-synchronize-waits", .covers = {Symbol::stream_synchronize}, .needs = {Symbol::host_func},
          .memory = true, .kernels = true) {
    const StreamHandle stream(c);
    Buffer<std::int64_t> x(c, Integers(samples, 3));
    Gate gate(c, stream.raw());
    twice_and(c, 1, x, stream.raw());
    Finish finish(c, gate, stream.get());
    ROW_EXPECT(c, !finish.within(100));  // there is work before it
    ROW_EQ(c, finish.status(), EAGLE_BACKEND_OK);
    ROW_EQ(c, x.download(), Integers(samples, 7));
}

EAGLE_ROW("stream-release-keeps-its-work", .covers = {Symbol::stream_release}, .needs = {Symbol::host_func},
          .memory = true, .kernels = true) {
    struct Flag {
        std::atomic<bool> done{false};
        static void set(void* ctx) { static_cast<Flag*>(ctx)->done = true; }
    };
    const auto flag = std::make_unique<Flag>();
    StreamHandle stream(c);
    Buffer<std::int64_t> x(c, Integers(samples, 3));
    {
        Gate gate(c, stream.raw());
        twice_and(c, 1, x, stream.raw());
        ROW_OK(c, c.seam.host_func(stream.raw(), &Flag::set, flag.get()));
        stream.reset();
        ROW_EXPECT(c, !flag->done);
    }
    for (int i = 0; i < 20000 && !flag->done; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ROW_REQUIRE(c, flag->done);
    ROW_EQ(c, x.download(), Integers(samples, 7));
}

EAGLE_ROW("stream-many-at-once", .covers = {Symbol::stream_create}, .memory = true, .kernels = true) {
    std::vector<StreamHandle> streams;
    std::vector<Buffer<std::int64_t>> buffers;
    streams.reserve(16);
    for (std::int64_t i = 0; i < 16; ++i) {
        streams.emplace_back(c, i % 2 ? EAGLE_BACKEND_STREAM_NON_BLOCKING : 0u);
        buffers.emplace_back(c, Integers(samples, i));
    }
    for (int round = 0; round < 5; ++round) {
        for (std::size_t i = 0; i < streams.size(); ++i) twice_and(c, round, buffers[i], streams[i].raw());
    }
    for (std::size_t i = 0; i < streams.size(); ++i) {
        streams[i].synchronize();
        std::int64_t expected = std::int64_t(i);
        for (int round = 0; round < 5; ++round) expected = 2 * expected + round;
        ROW_EQ(c, buffers[i].download(), Integers(samples, expected));
    }
}

// A blocking stream and the legacy default stream wait for each other, a non-blocking one does not: the second is what
// shows that the first could have failed.
EAGLE_ROW("stream-and-the-legacy-default", .covers = {Symbol::stream_create}, .needs = {Symbol::host_func},
          .memory = true, .kernels = true) {
    for (const std::uint32_t flags : {0u, EAGLE_BACKEND_STREAM_NON_BLOCKING}) {
        const StreamHandle producer(c, flags), last(c, 0);
        Buffer<std::int64_t> x(c, Integers(samples, 3)), through(c, Integers(samples, 0)), end(c, Integers(samples, 0));
        {
            Gate gate(c, producer.raw());
            twice_and(c, 1, x, producer.raw());
            copy(c, x, through, 0);
            copy(c, through, end, last.raw());
            if (flags != 0) {
                Finish finish(c, gate, last.get());
                if (!finish.within()) c.toothless("a non-blocking stream waits for the legacy default stream too");
            }
        }
        last.synchronize();
        producer.synchronize();
        if (flags == 0) ROW_EQ(c, end.download(), Integers(samples, 7));
        if (flags != 0 && c.toothless_because().empty()) ROW_EQ(c, end.download(), Integers(samples, 3));
    }
}
