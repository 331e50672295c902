// Random masks at the sizes where blocks, words and vectors begin and end, against loops over one sample.
#include <algorithm>
#include <random>

#include "Place.h"

namespace {

using namespace active_tests;
using eagle::ActiveSet;
using eagle::Array;

class ActiveProperty : public OnEach {};
INSTANTIATE_TEST_SUITE_P(On, ActiveProperty, places(), place_name);

// What slots hold after a reorder: the live of the first `span` in order, then their finished, then the rest.
struct Oracle {
    explicit Oracle(std::size_t n) : order(n), span(n) {
        for (std::size_t i = 0; i < n; ++i) order[i] = static_cast<std::int32_t>(i);
    }
    void reorder(const std::vector<bool>& finished) {
        std::vector<std::int32_t> live, done, next;
        for (std::size_t slot = 0; slot < span; ++slot)
            (finished[static_cast<std::size_t>(order[slot])] ? done : live).push_back(order[slot]);
        next = live;
        next.insert(next.end(), done.begin(), done.end());
        std::copy(next.begin(), next.end(), order.begin());
        span = live.size();
    }
    std::vector<std::int32_t> order;
    std::size_t span;
};

template <class T>
std::vector<T> in_slots(const std::vector<std::int32_t>& order, T (*value)(std::int32_t)) {
    std::vector<T> out;
    for (const std::int32_t sample : order) out.push_back(value(sample));
    return out;
}
double real(std::int32_t sample) { return 0.1 * sample - 3; }
std::int32_t whole(std::int32_t sample) { return 7 * sample + 1; }
std::uint8_t byte(std::int32_t sample) { return static_cast<std::uint8_t>(sample % 2); }

// The whole life of a batch: some finish, compact, reorder, again and again, then back.
void live_and_die(const Place& place, std::size_t n, double share, std::uint32_t seed) {
    SCOPED_TRACE(std::to_string(n) + " samples, share " + std::to_string(share) + ", seed " + std::to_string(seed));
    std::mt19937 numbers(seed);
    Oracle oracle(n);
    std::vector<bool> finished(n, false);
    const Array mask = place.up(Mask(n, 0)), reals = place.up(in_slots<double>(oracle.order, &real)),
                wholes = place.up(in_slots<std::int32_t>(oracle.order, &whole)),
                bytes = place.up(in_slots<std::uint8_t>(oracle.order, &byte));
    ActiveSet set(mask);
    std::vector<std::int32_t> told, expected;
    set.add(reals).add(wholes).add(bytes).when_finished(
        [&](auto samples) { told.insert(told.end(), samples.begin(), samples.end()); });
    for (int round = 0; round < 4; ++round) {
        for (std::size_t i = 0; i < n; ++i)
            if (!finished[i] && std::bernoulli_distribution(share)(numbers)) {
                finished[i] = true;
                expected.push_back(static_cast<std::int32_t>(i));
            }
        Mask now(n);
        for (std::size_t slot = 0; slot < n; ++slot)
            now[slot] = finished[static_cast<std::size_t>(oracle.order[slot])]
                            ? static_cast<std::uint8_t>(1 + numbers() % 255)
                            : std::uint8_t{0};
        mask.assign(eagle::ArrayView::of(std::span(now)));
        set.compact();
        std::vector<std::int32_t> live;
        for (std::size_t slot = 0; slot < n; ++slot)
            if (now[slot] == 0) live.push_back(static_cast<std::int32_t>(slot));
        ASSERT_EQ(set.live(), static_cast<std::int64_t>(live.size()));
        auto map = down<std::int32_t>(set.index_map());
        map.resize(live.size());
        ASSERT_EQ(map, live);
        set.reorder();
        oracle.reorder(finished);
        ASSERT_EQ(set.order(), oracle.order);
        ASSERT_EQ(set.live_span(), static_cast<std::int64_t>(oracle.span));
        ASSERT_EQ(down<double>(reals), in_slots<double>(oracle.order, &real));
        ASSERT_EQ(down<std::int32_t>(wholes), in_slots<std::int32_t>(oracle.order, &whole));
        ASSERT_EQ(down<std::uint8_t>(bytes), in_slots<std::uint8_t>(oracle.order, &byte));
    }
    std::sort(told.begin(), told.end());
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(told, expected);
    set.restore();
    const Oracle start(n);
    EXPECT_EQ(down<double>(reals), in_slots<double>(start.order, &real));
    EXPECT_EQ(down<std::int32_t>(wholes), in_slots<std::int32_t>(start.order, &whole));
    EXPECT_EQ(down<std::uint8_t>(bytes), in_slots<std::uint8_t>(start.order, &byte));
    const Mask last = down<std::uint8_t>(mask);
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(last[i] != 0, finished[i]);
}

TEST_P(ActiveProperty, AnyMaskAtTheEdgesOfBlocks) {
    std::uint32_t seed = 1;
    for (const std::size_t n : {1, 2, 31, 32, 33, 63, 64, 65, 255, 256, 257, 4095, 4096, 4097, 16383, 16384, 16385})
        for (const double share : {0.02, 0.5, 0.97}) live_and_die(GetParam(), n, share, seed++);
}

TEST_P(ActiveProperty, NoneAndAll) {
    for (const std::size_t n : {1, 64, 4097})
        for (const double share : {0.0, 1.0}) live_and_die(GetParam(), n, share, 1);
}

}  // namespace
