// What an active set says and does, by hand.
#include <eagle/Error.h>
#include <eagle/Plan.h>
#include <eagle/Stream.h>

#include <utility>

#include "Counter.h"
#include "Place.h"

namespace {

using namespace active_tests;
using eagle::ActiveSet;
using eagle::Array;

class Active : public OnEach {};
INSTANTIATE_TEST_SUITE_P(On, Active, places(), place_name);

using Ints = std::vector<std::int32_t>;

Ints map_of(ActiveSet& set) {
    Ints map = down<std::int32_t>(set.index_map());
    map.resize(static_cast<std::size_t>(set.live()));
    return map;
}

TEST_P(Active, FindsTheLiveSamples) {
    const Array mask = GetParam().up(Mask{1, 0, 0, 255, 0});
    ActiveSet set(mask);
    set.compact();
    EXPECT_EQ(set.samples(), 5);
    EXPECT_EQ(set.live(), 3);
    EXPECT_EQ(map_of(set), (Ints{1, 2, 4}));
    EXPECT_EQ(down<std::uint32_t>(set.count()), std::vector<std::uint32_t>{3});
    EXPECT_EQ(set.live_span(), 5);
    EXPECT_EQ(down<std::uint8_t>(mask), (Mask{1, 0, 0, 255, 0}));
}

TEST_P(Active, TheMaskMayMarkTheLive) {
    const Array mask = GetParam().up(Mask{1, 0, 0, 255, 0});
    ActiveSet set(mask, {.mask_is_live = true});
    EXPECT_EQ(set.live(), 2);
    EXPECT_EQ(map_of(set), (Ints{0, 3}));
    set.reorder();
    EXPECT_EQ(down<std::uint8_t>(mask), (Mask{1, 255, 0, 0, 0}));
    EXPECT_EQ(set.order(), (Ints{0, 3, 1, 2, 4}));
}

TEST_P(Active, ReorderMovesEveryPlaneAndRestorePutsItBack) {
    const Array mask = GetParam().up(Mask{1, 0, 0, 255, 0});
    const Array x = GetParam().up(std::vector<double>{0, 10, 20, 30, 40});
    const Array v = GetParam().up(std::vector<float>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, {2, 5});  // components first
    const Array w = GetParam().up(std::vector<float>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, {5, 2});  // samples first
    ActiveSet set(mask);
    set.add(x).add(v).add(w).add(x).add(mask);
    set.reorder();
    EXPECT_EQ(set.order(), (Ints{1, 2, 4, 0, 3}));
    EXPECT_EQ(set.sample_of(2), 4);
    EXPECT_EQ(set.live_span(), 3);
    EXPECT_EQ(set.live(), 3);
    EXPECT_EQ(map_of(set), (Ints{0, 1, 2}));
    EXPECT_EQ(down<std::uint8_t>(mask), (Mask{0, 0, 0, 1, 255}));
    EXPECT_EQ(down<double>(x), (std::vector<double>{10, 20, 40, 0, 30}));
    EXPECT_EQ(down<float>(v), (std::vector<float>{1, 2, 4, 0, 3, 6, 7, 9, 5, 8}));
    EXPECT_EQ(down<float>(w), (std::vector<float>{2, 3, 4, 5, 8, 9, 0, 1, 6, 7}));

    mask.assign(eagle::ArrayView::of(std::span(std::vector<std::uint8_t>{0, 1, 0, 1, 255}.data(), 5)));
    set.reorder();  // sample 2 has finished
    EXPECT_EQ(set.order(), (Ints{1, 4, 2, 0, 3}));
    EXPECT_EQ(set.live_span(), 2);

    set.restore();
    EXPECT_EQ(set.order(), (Ints{0, 1, 2, 3, 4}));
    EXPECT_EQ(set.live_span(), 5);
    EXPECT_EQ(set.live(), 2);
    EXPECT_EQ(map_of(set), (Ints{1, 4}));
    EXPECT_EQ(down<std::uint8_t>(mask), (Mask{1, 0, 1, 255, 0}));
    EXPECT_EQ(down<double>(x), (std::vector<double>{0, 10, 20, 30, 40}));
    EXPECT_EQ(down<float>(v), (std::vector<float>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
    EXPECT_EQ(down<float>(w), (std::vector<float>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
    set.restore();  // nothing to do
    EXPECT_EQ(down<double>(x), (std::vector<double>{0, 10, 20, 30, 40}));
}

TEST_P(Active, ReordersWhenItPays) {
    const std::size_t n = 8192;
    Mask bytes(n, 0);
    const Array mask = GetParam().up(bytes);
    ActiveSet set(mask);
    const auto finish = [&](std::size_t every) {
        Mask now(n);
        for (std::size_t i = 0; i < n; ++i) now[i] = i % every != 0;
        mask.assign(eagle::ArrayView::of(std::span(now)));
    };
    EXPECT_EQ(set.reorder_if_worth().live_span(), 8192);  // all live
    finish(2);                                            // half of every group: 4096 < 0.5 * 8192 does not hold
    EXPECT_EQ(set.reorder_if_worth().live_span(), 8192);
    EXPECT_EQ(set.live(), 4096);
    finish(4);
    EXPECT_EQ(set.reorder_if_worth().live_span(), 2048);
    EXPECT_EQ(set.live(), 2048);
    Mask last(n, 1);
    last[7] = 0;
    mask.assign(eagle::ArrayView::of(std::span(last)));
    EXPECT_EQ(set.reorder_if_worth().live_span(), 2048);  // fewer than 4096 slots in use
    EXPECT_EQ(set.live(), 1);
    EXPECT_EQ(map_of(set), Ints{7});
    EXPECT_EQ(set.sample_of(7), 28);
    EXPECT_EQ(set.reorder().live_span(), 1);
    EXPECT_EQ(set.sample_of(0), 28);
}

TEST_P(Active, ThetaIsTheShareBelowWhichItPays) {
    Mask bytes(8192);
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = i % 4 != 0;
    for (const float theta : {0.2F, 0.3F}) {
        const Array mask = GetParam().up(bytes);
        EXPECT_EQ(ActiveSet(mask, {.theta = theta}).reorder_if_worth().live_span(), theta < 0.25F ? 8192 : 2048);
    }
}

TEST_P(Active, TellsWhoFinishedSinceTheLastLook) {
    Mask bytes{1, 0, 0, 0, 0, 0};
    const Array mask = GetParam().up(bytes);
    const auto finish = [&](Mask now) { mask.assign(eagle::ArrayView::of(std::span(now))); };
    ActiveSet set(mask);
    std::vector<Ints> told;
    set.when_finished([&](std::span<const std::int32_t> samples) {
        told.emplace_back(samples.begin(), samples.end());
        EXPECT_EQ(set.samples(), 6);  // a hook may ask
    });
    set.compact();
    EXPECT_TRUE(told.empty());  // sample 0 had finished before
    finish({1, 0, 1, 0, 0, 1});
    set.compact();
    set.compact();
    EXPECT_EQ(told, (std::vector<Ints>{{2, 5}}));
    set.reorder();               // live: 1, 3, 4
    finish({0, 1, 0, 1, 1, 1});  // 3 finished
    set.reorder();               // moved before anybody looked
    set.compact();
    EXPECT_EQ(told, (std::vector<Ints>{{2, 5}, {3}}));
    EXPECT_EQ(set.order()[2], 3);
    set.when_finished({});
    finish({1, 1, 1, 1, 1, 1});
    set.compact();
    EXPECT_EQ(told.size(), 2u);
}

TEST_P(Active, ResetBeginsANewBatch) {
    Mask bytes{1, 0, 1, 0};
    const Array mask = GetParam().up(bytes), x = GetParam().up(std::vector<double>{0, 1, 2, 3});
    ActiveSet set(mask);
    std::vector<Ints> told;
    set.add(x).when_finished([&](auto samples) { told.emplace_back(samples.begin(), samples.end()); });
    set.reorder();
    mask.assign(eagle::ArrayView::of(std::span(std::vector<std::uint8_t>{0, 0, 0, 1}.data(), 4)));
    set.reset();
    EXPECT_EQ(set.order(), (Ints{0, 1, 2, 3}));
    EXPECT_EQ(set.live_span(), 4);
    EXPECT_EQ(set.live(), 3);
    EXPECT_EQ(down<double>(x), (std::vector<double>{1, 3, 0, 2}));  // planes are left as they are
    mask.assign(eagle::ArrayView::of(std::span(std::vector<std::uint8_t>{0, 1, 0, 1}.data(), 4)));
    set.compact();
    EXPECT_EQ(told, (std::vector<Ints>{{1}}));
}

TEST_P(Active, WorkGoesOnTheStreamThatIsGiven) {
    eagle::Stream stream(GetParam().backend());
    const Array mask = GetParam().up(Mask{1, 0, 1, 0}), x = GetParam().up(std::vector<double>{0, 1, 2, 3});
    for (int i = 0; i < 8; ++i) {
        ActiveSet set(mask, {.stream = stream.native()});
        set.add(x).reorder();
        EXPECT_EQ(set.live(), 2);
        set.restore();
    }
    stream.synchronize();
    EXPECT_EQ(down<double>(x), (std::vector<double>{0, 1, 2, 3}));
}

// A loop of one's own: finished samples are left out of the launches.
TEST_P(Active, NarrowedPlansLaunchTheLive) {
    handmade::Folder folder;
    folder.add(handmade::counter(), "counter");
    const eagle::Plan plan = eagle::Plan::where_arrays_are(folder.load().kernel("counter", "cpu"), 3);
    Counter expected(9000);
    const Array n = GetParam().up(expected.n), x = GetParam().up(expected.x), at = GetParam().up(expected.fault_at),
                limit = GetParam().up(expected.limit), done = GetParam().up(expected.done);
    eagle::BoundPlan bound = plan.bind(
        {{"n", n}, {"x", x}, {"fault_at", at}, {"limit", limit}, {"done", done}, {"a", counter_a}, {"b", counter_b}});
    ActiveSet set(done);
    set.add(n).add(x).add(at).add(limit);
    std::int64_t launched = 0, looks = 0;
    for (; set.compact().live() > 0; ++looks) {
        set.reorder_if_worth();
        bound.narrow(set.live_span());
        launched += set.live_span();
        bound.launch().synchronize();
    }
    set.restore();
    expected.advance(1000);
    EXPECT_EQ(looks, 613);
    EXPECT_LT(launched, 9000 * 613 * 4 / 5);
    EXPECT_EQ(down<std::int64_t>(n), expected.n);
    EXPECT_EQ(down<double>(x), expected.x);
    EXPECT_EQ(down<std::uint8_t>(done), expected.done);
}

TEST_P(Active, NoSamplesAreFine) {
    const Array mask = GetParam().up(Mask{}), x = GetParam().up(std::vector<double>{});
    ActiveSet set(mask);
    set.add(x).compact().reorder().reorder_if_worth().restore().reset();
    set.when_finished([](auto) { FAIL(); });
    set.compact();
    EXPECT_EQ(set.live(), 0);
    EXPECT_EQ(set.live_span(), 0);
    EXPECT_TRUE(set.order().empty());
}

TEST_P(Active, MovesItself) {
    const Array mask = GetParam().up(Mask{1, 0, 1, 0});
    ActiveSet set(mask);
    set.reorder();
    ActiveSet moved = std::move(set);
    EXPECT_EQ(moved.order(), (Ints{1, 3, 0, 2}));
    EXPECT_NE(handmade::refusal<eagle::BadHandle>([&] { set.compact(); }).find("was moved from"), std::string::npos);
}

}  // namespace
