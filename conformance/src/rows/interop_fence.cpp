// Fences between streams, by DLPack stream codes, and the events behind them.
#include <eagle/conformance/Buffer.h>
#include <eagle/conformance/Gate.h>
#include <eagle/conformance/Launch.h>
#include <eagle/conformance/Row.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "Refused.h"

using namespace eagle::conformance;

namespace {

using Integers = std::vector<std::int64_t>;
constexpr std::int64_t none_given = EAGLE_BACKEND_STREAM_NONE, no_ordering = -1;
constexpr std::size_t n = 2000;

std::int64_t code(const StreamHandle& stream) { return static_cast<std::int64_t>(stream.raw()); }

// The codes of a device type that stand for the legacy default stream beside none given, and those it forbids (DLPack,
// the meaning of __dlpack__(stream=); of the types it does not speak of, what is sure of all).
struct Codes {
    std::vector<std::int64_t> legacy, forbidden;
};
Codes codes_of(std::int32_t type) {
    switch (type) {
        case 1:
            return {{}, {0, 1, 2, -2, -1000}};
        case 2:
        case 3:
        case 13:
            return {{1}, {0, -2, -1000}};
        case 10:
        case 11:
            return {{0}, {1, 2, -2, -1000}};
        default:
            return {{}, {-2, -1000}};
    }
}

std::int64_t events_created(Context& c) {
    std::int64_t count = -1;
    ROW_OK(c, c.seam.event_pool_created(&count));
    return count;
}

void twice_and(Context& c, std::int64_t value, const Buffer<std::int64_t>& x, std::uint64_t stream) {
    Launch(c, "conformance_twice_and").with(value).with(x.pointer()).over(n).on(stream).run();
}
void copy(Context& c, const Buffer<std::int64_t>& from, const Buffer<std::int64_t>& to, std::uint64_t stream) {
    Launch(c, "conformance_copy").with(from.pointer()).with(to.pointer()).over(n).on(stream).run();
}

// What the consumer read: 7 when it waited for the producer's work, which stood behind a gate; 3 when it did not. None
// where it neither read the one nor ended while the gate was shut, so that the two streams are one.
struct Handover {
    std::int64_t producer_code, consumer_code;
    std::uint64_t producer, consumer;
};
std::optional<std::int64_t> read_behind(Context& c, std::int32_t type, const Handover& way, bool with_fence,
                                        const StreamHandle& last) {
    Buffer<std::int64_t> x(c, Integers(n, 3)), seen(c, Integers(n, 0));
    bool ended = true;
    // A raw 0 names the default stream of the current device, which need not be this one: a blocking stream of this
    // device holds its default stream up instead.
    const StreamHandle held(c, 0);
    {
        Gate gate(c, way.producer != 0 ? way.producer : held.raw());
        twice_and(c, 1, x, way.producer);
        if (with_fence) ROW_OK(c, c.seam.fence(type, c.device, way.producer_code, way.consumer_code));
        copy(c, x, seen, way.consumer);
        Finish finish(c, gate, last.get());
        if (with_fence) {
            finish.within_a_moment();
        } else {
            ended = finish.within();
        }
    }
    last.synchronize();
    c.seam.fence(type, c.device, way.producer_code, static_cast<std::int64_t>(last.raw()));
    last.synchronize();
    if (!ended) return std::nullopt;
    const Integers read = seen.download();
    ROW_EQ(c, read, Integers(n, read[0]));
    return read[0];
}

}  // namespace

EAGLE_ROW("interop-fence-orders", .covers = {Symbol::fence}, .needs = {Symbol::stream_create, Symbol::host_func},
          .memory = true, .kernels = true) {
    for (const std::int32_t type : c.facts.device_types) {
        for (const std::uint32_t flags : {EAGLE_BACKEND_STREAM_NON_BLOCKING, 0u}) {
            const StreamHandle producer(c, flags), consumer(c, flags);
            const Handover way{code(producer), code(consumer), producer.raw(), consumer.raw()};
            ROW_EQ(c, read_behind(c, type, way, true, consumer).value_or(-1), std::int64_t(7));
            const auto without = read_behind(c, type, way, false, consumer);
            if (!without || *without == 7) {
                c.toothless("the consumer waits for the producer without a fence as well: the streams are one");
            } else {
                ROW_EQ(c, *without, std::int64_t(3));
            }
        }
    }
}

EAGLE_ROW("interop-fence-default-stream", .covers = {Symbol::fence},
          .needs = {Symbol::stream_create, Symbol::host_func}, .memory = true, .kernels = true) {
    for (const std::int32_t type : c.facts.device_types) {
        Codes codes = codes_of(type);
        codes.legacy.push_back(none_given);
        for (const std::int64_t legacy : codes.legacy) {
            const StreamHandle other(c), blocking(c, 0);
            // The legacy default stream as the producer, then as the consumer with a blocking stream behind it.
            const Handover from{legacy, code(other), 0, other.raw()}, to{code(other), legacy, other.raw(), 0};
            ROW_EQ(c, read_behind(c, type, from, true, other).value_or(-1), std::int64_t(7));
            const auto without = read_behind(c, type, from, false, other);
            if (!without || *without == 7) c.toothless("a non-blocking stream waits for the legacy default stream");
            Buffer<std::int64_t> x(c, Integers(n, 3)), seen(c, Integers(n, 0)), after(c, Integers(n, 0));
            {
                Gate gate(c, to.producer);
                twice_and(c, 1, x, to.producer);
                ROW_OK(c, c.seam.fence(type, c.device, to.producer_code, to.consumer_code));
                copy(c, x, seen, to.consumer);
                copy(c, seen, after, blocking.raw());
                Finish(c, gate, blocking.get()).within_a_moment();
            }
            blocking.synchronize();
            ROW_EQ(c, after.download(), Integers(n, 7));
        }
    }
}

EAGLE_ROW("interop-fence-orders-nothing", .covers = {Symbol::fence, Symbol::event_pool_created},
          .needs = {Symbol::stream_create}) {
    const StreamHandle one(c), two(c);
    for (const std::int32_t type : c.facts.device_types) {
        const std::int64_t before = events_created(c);
        ROW_STATUS(c, c.seam.fence(type, c.device, no_ordering, code(one)), EAGLE_BACKEND_OK);
        ROW_STATUS(c, c.seam.fence(type, c.device, code(one), no_ordering), EAGLE_BACKEND_OK);
        ROW_STATUS(c, c.seam.fence(type, c.device, no_ordering, no_ordering), EAGLE_BACKEND_OK);
        ROW_STATUS(c, c.seam.fence(type, c.device, code(one), code(one)), EAGLE_BACKEND_OK);
        ROW_STATUS(c, c.seam.fence(type, c.device, none_given, none_given), EAGLE_BACKEND_OK);
        for (const std::int64_t legacy : codes_of(type).legacy) {
            ROW_STATUS(c, c.seam.fence(type, c.device, legacy, none_given), EAGLE_BACKEND_OK);
        }
        ROW_EQ(c, events_created(c), before);  // neither an event nor a wait
    }
}

EAGLE_ROW("interop-fence-no-ordering-does-not-wait", .covers = {Symbol::fence},
          .needs = {Symbol::stream_create, Symbol::host_func}) {
    const StreamHandle producer(c), consumer(c);
    for (const std::int32_t type : c.facts.device_types) {
        Gate gate(c, producer.raw());
        ROW_OK(c, c.seam.fence(type, c.device, no_ordering, code(consumer)));
        ROW_OK(c, c.seam.fence(type, c.device, code(producer), no_ordering));
        Finish finish(c, gate, consumer.get());
        ROW_EXPECT(c, finish.within());
    }
}

EAGLE_ROW("interop-fence-codes", .covers = {Symbol::fence}, .needs = {Symbol::stream_create}) {
    const StreamHandle good(c);
    for (const std::int32_t type : c.facts.device_types) {
        const Codes codes = codes_of(type);
        for (const std::int64_t forbidden : codes.forbidden) {
            ROW_STATUS(c, c.seam.fence(type, c.device, forbidden, code(good)), EAGLE_BACKEND_INTEROP);
            ROW_STATUS(c, c.seam.fence(type, c.device, code(good), forbidden), EAGLE_BACKEND_INTEROP);
            ROW_STATUS(c, c.seam.fence(type, c.device, forbidden, no_ordering), EAGLE_BACKEND_INTEROP);
        }
        for (const std::int64_t allowed : codes.legacy) {
            ROW_STATUS(c, c.seam.fence(type, c.device, allowed, code(good)), EAGLE_BACKEND_OK);
            ROW_STATUS(c, c.seam.fence(type, c.device, code(good), allowed), EAGLE_BACKEND_OK);
        }
        if (type == 2 || type == 3 || type == 13) {  // the default stream of a thread
            ROW_STATUS(c, c.seam.fence(type, c.device, 2, code(good)), EAGLE_BACKEND_OK);
            ROW_STATUS(c, c.seam.fence(type, c.device, code(good), 2), EAGLE_BACKEND_OK);
        }
    }
    good.synchronize();
}

EAGLE_ROW("interop-fence-refusals", .covers = {Symbol::fence, Symbol::event_pool_created},
          .needs = {Symbol::stream_create}) {
    const StreamHandle good(c);
    const auto& types = c.facts.device_types;
    for (const std::int32_t type : {0, 1, 2, 4, 7, 8, 10, 12, 14, 99, -1}) {
        if (std::find(types.begin(), types.end(), type) != types.end()) continue;
        // The type comes before the device and the codes.
        ROW_STATUS(c, c.seam.fence(type, -77, -5, -5), EAGLE_BACKEND_UNSUPPORTED);
        expect_words(c, std::to_string(type));
    }
    for (const std::int32_t type : types) {
        for (const std::int32_t device : {-2, c.facts.devices, c.facts.devices + 8}) {
            ROW_STATUS(c, c.seam.fence(type, device, code(good), none_given), EAGLE_BACKEND_INVALID_ARGUMENT);
        }
    }
    ROW_STATUS(c, c.seam.event_pool_created(nullptr), EAGLE_BACKEND_INVALID_ARGUMENT);
}

EAGLE_ROW("interop-fence-back-and-forth", .covers = {Symbol::fence}, .needs = {Symbol::stream_create}, .memory = true,
          .kernels = true) {
    const std::int32_t type = c.facts.device_types.empty() ? 1 : c.facts.device_types[0];
    const StreamHandle streams[2] = {StreamHandle(c), StreamHandle(c)};
    Buffer<std::int64_t> x(c, Integers(n, 1));
    std::int64_t expected = 1;
    for (std::size_t i = 0; i < 60; ++i) {
        const auto value = static_cast<std::int64_t>(c.random() % 5);
        expected = static_cast<std::int64_t>(2 * static_cast<std::uint64_t>(expected)) + value;
        twice_and(c, value, x, streams[i % 2].raw());
        ROW_OK(c, c.seam.fence(type, c.device, code(streams[i % 2]), code(streams[(i + 1) % 2])));
    }
    streams[0].synchronize();
    ROW_EQ(c, x.download(), Integers(n, expected));
}

EAGLE_ROW("interop-fence-of-released-streams", .covers = {Symbol::fence},
          .needs = {Symbol::stream_create, Symbol::host_func}, .memory = true, .kernels = true) {
    const std::int32_t type = c.facts.device_types.empty() ? 1 : c.facts.device_types[0];
    const StreamHandle last(c);
    StreamHandle producer(c), between(c);
    Buffer<std::int64_t> x(c, Integers(n, 3)), y(c, Integers(n, 0));
    {
        Gate gate(c, producer.raw());
        twice_and(c, 1, x, producer.raw());
        ROW_OK(c, c.seam.fence(type, c.device, code(producer), code(between)));
        copy(c, x, y, between.raw());
        ROW_OK(c, c.seam.fence(type, c.device, code(between), code(last)));
        producer.reset();
        between.reset();
        twice_and(c, 5, y, last.raw());
        Finish(c, gate, last.get()).within_a_moment();
    }
    last.synchronize();
    ROW_EQ(c, y.download(), Integers(n, 19));
}

EAGLE_ROW("interop-events-are-reused", .covers = {Symbol::event_pool_created, Symbol::fence},
          .needs = {Symbol::stream_create}) {
    const std::int32_t type = c.facts.device_types.empty() ? 1 : c.facts.device_types[0];
    const StreamHandle producer(c), consumer(c);
    auto round = [&] {
        for (int i = 0; i < 3; ++i) ROW_OK(c, c.seam.fence(type, c.device, code(producer), code(consumer)));
        consumer.synchronize();
        producer.synchronize();
    };
    ROW_EXPECT(c, events_created(c) >= 0);
    round();
    const std::int64_t after_one = events_created(c);
    ROW_EXPECT(c, after_one >= 1);
    for (int i = 0; i < 100; ++i) round();
    // Never more than are under way at once.
    ROW_EXPECT(c, events_created(c) <= std::max<std::int64_t>(after_one, 3));
}
