// What is refused, and in which words.
#include <eagle/Error.h>
#include <eagle/Plan.h>

#include <atomic>
#include <thread>

#include "Place.h"

namespace {

using namespace active_tests;
using eagle::ActiveSet;
using eagle::Array;
using eagle::ArrayView;
using eagle::Dtype;
using handmade::refusal;

class ActiveRefusal : public OnEach {};
INSTANTIATE_TEST_SUITE_P(On, ActiveRefusal, places(), place_name);

TEST_P(ActiveRefusal, MasksThatAreNone) {
    const Place& place = GetParam();
    EXPECT_EQ(refusal<eagle::LayoutError>([&] { ActiveSet(place.up(Mask(6), {2, 3})); }),
              "the mask has 2 dimensions; it needs one byte a sample: give a bool array of shape (N,)");
    EXPECT_EQ(refusal<eagle::BufferRefused>([&] { ActiveSet(place.up(std::vector<double>(6))); }),
              "the mask has dtype float64; it needs bool or uint8, one byte a sample");
    const Array bytes = place.up(Mask(6));
    ArrayView strided = bytes.view();
    strided.shape[0] = 3;
    strided.strides[0] = 2;
    EXPECT_EQ(refusal<eagle::LayoutError>([&] { ActiveSet{strided}; }),
              "the bytes of the mask lie 2 apart; it needs them next to each other: give a dense copy");
    ArrayView huge = bytes.view();
    huge.shape[0] = std::int64_t{1} << 31;
    EXPECT_EQ(refusal<eagle::Unsupported>([&] { ActiveSet{huge}; }),
              "the mask has 2147483648 samples, and their numbers have 32 bits here; give at most 2147483647: work on "
              "parts of the samples");
    EXPECT_EQ(refusal<eagle::InvalidArgument>([&] { ActiveSet(bytes, {.theta = 1.0F}); }),
              "theta is 1; it is a share of live slots, more than 0 and less than 1");
    ArrayView nowhere = bytes.view();
    nowhere.device_type = 77;
    EXPECT_NE(refusal<eagle::BackendUnavailable>([&] {
                  ActiveSet{nowhere};
              }).find("the DLPack device type 77 is served by no backend"),
              std::string::npos);
}

TEST_P(ActiveRefusal, PlanesThatCannotMove) {
    const Place& place = GetParam();
    const Array mask = place.up(Mask(4));
    ActiveSet set(mask);
    EXPECT_EQ(refusal<eagle::LayoutError>([&] { set.add(place.up(std::vector<double>(10), {2, 5})); }),
              "the plane has shape (2, 5); it needs 4 samples along its last or first axis, as many as the mask has");
    EXPECT_EQ(refusal<eagle::LayoutError>([&] { set.add(place.up(std::vector<double>(12), {4, 3})); }),
              "the plane of shape (4, 3) has 24 bytes a sample together; a reorder moves 1, 2, 4, 8 or 16: give the "
              "plane with its samples along the last axis");
    const Array eight = place.up(std::vector<double>(8));
    ArrayView strided = eight.view();
    strided.shape[0] = 4;
    strided.strides[0] = 16;
    EXPECT_EQ(refusal<eagle::LayoutError>([&] { set.add(strided); }),
              "the samples of the plane lie 16 bytes apart and have 8 each; a reorder needs one next to the other: "
              "give a dense copy");
    ArrayView read_only = eight.view();
    read_only.shape[0] = 4;
    read_only.read_only = true;
    EXPECT_EQ(
        refusal<eagle::BufferRefused>([&] { set.add(read_only); }),
        "the plane of shape (4,) is read-only, and a reorder writes it in place; give a copy that may be written");
    ArrayView crooked = place.up(std::vector<float>(9)).view();
    crooked.ndim = 2;
    crooked.shape = {4, 2};
    crooked.strides = {8, 4};
    crooked.data = static_cast<std::byte*>(crooked.data) + 4;
    EXPECT_EQ(refusal<eagle::LayoutError>([&] { set.add(crooked); }),
              "a row of the plane lies 4 bytes past a multiple of 8, the bytes of a sample; it must be aligned to "
              "them: give a copy");
    const Array elsewhere = Array::zeros({4}, Dtype::float64, simulated::backend(), 1);
    EXPECT_EQ(refusal<eagle::BufferRefused>([&] { set.add(elsewhere); }),
              "the plane is on sim:1, the mask on " + std::string(mask.on_host() ? "the host" : "sim:0") +
                  "; a set needs both in one place: copy one of them over");
    set.reorder();
    EXPECT_EQ(set.order(), (std::vector<std::int32_t>{0, 1, 2, 3}));
}

ArrayView part(const Array& of, std::int64_t first, std::int64_t count) {
    ArrayView view = of.view();
    const std::int64_t size = view.type.bits / 8;
    view.data = static_cast<std::byte*>(view.data) + first * size;
    view.ndim = 1;
    view.shape[0] = count;
    view.strides[0] = size;
    return view;
}

TEST_P(ActiveRefusal, PlanesThatShareBytes) {
    const Place& place = GetParam();
    const Array bytes = place.up(Mask{1, 0, 0, 1, 0, 0, 0, 0}), x = place.up(std::vector<double>{0, 1, 2, 3, 4, 5});
    ActiveSet set(part(bytes, 0, 4));
    set.add(part(x, 0, 4));
    EXPECT_EQ(refusal<eagle::BufferRefused>([&] { set.add(part(x, 2, 4)); }),
              "plane 1 (float64 of shape (4,)) shares bytes with plane 0 (float64 of shape (4,)), and a reorder moves "
              "each by itself; the planes of a set must lie apart: give a copy of one of them");
    EXPECT_EQ(refusal<eagle::BufferRefused>([&] { set.add(part(bytes, 2, 4)); }),
              "plane 1 (bool of shape (4,)) shares bytes with the mask (bool of shape (4,)), and a reorder moves each "
              "by itself; the planes of a set must lie apart: give a copy of one of them");
    EXPECT_EQ(refusal<eagle::BufferRefused>([&] { set.add(set.index_map()); }),
              "plane 1 (int32 of shape (4,)) shares bytes with the index map of this set (int32 of shape (4,)), and a "
              "reorder moves each by itself; the planes of a set must lie apart: give a copy of it");
    const Array y = place.up(std::vector<double>{0, 1, 2, 3, 4, 5});
    ArrayView crossed = y.view();
    crossed.ndim = 2;
    crossed.shape = {2, 4};
    crossed.strides = {16, 8};
    EXPECT_EQ(refusal<eagle::BufferRefused>([&] { set.add(crossed); }),
              "plane 1 (float64 of shape (2, 4)) has components that share bytes in part, and a reorder moves each by "
              "itself; they must lie apart: give a dense copy");
    set.add(part(x, 0, 4)).add(part(bytes, 0, 4)).reorder();  // what is known is taken as it is
    EXPECT_EQ(down<double>(x), (std::vector<double>{1, 2, 0, 3, 4, 5}));
    EXPECT_EQ(down<double>(y), (std::vector<double>{0, 1, 2, 3, 4, 5}));
}

TEST_P(ActiveRefusal, PlanesThatComeTooLate) {
    const Array mask = GetParam().up(Mask{1, 0}), x = GetParam().up(std::vector<double>{0, 1});
    ActiveSet set(mask);
    set.reorder();
    EXPECT_EQ(refusal<eagle::InvalidArgument>([&] { set.add(x); }),
              "a plane is added while the samples are out of order, and would not match them; add every plane before "
              "the first reorder, or call restore() first");
    set.restore().add(x).reorder();
    EXPECT_EQ(down<double>(x), (std::vector<double>{1, 0}));
}

TEST_P(ActiveRefusal, AMaskThatMayNotBeWrittenIsCompactedAlone) {
    const Array mask = GetParam().up(Mask{1, 0});
    ArrayView fixed = mask.view();
    fixed.read_only = true;
    ActiveSet set(fixed);
    EXPECT_EQ(set.live(), 1);
    EXPECT_EQ(refusal<eagle::BufferRefused>([&] { set.reorder(); }),
              "the mask is read-only, and a reorder moves it with its samples; give one that may be written");
    EXPECT_EQ(down<std::uint8_t>(mask), (Mask{1, 0}));
}

TEST_P(ActiveRefusal, SlotsThatAreNone) {
    const Array mask = GetParam().up(Mask{1, 0});
    ActiveSet set(mask);
    EXPECT_EQ(refusal<eagle::IndexError>([&] { set.sample_of(2); }),
              "slot 2 is out of range; the set has 2, counted from 0");
    EXPECT_EQ(refusal<eagle::IndexError>([&] { set.sample_of(-1); }),
              "slot -1 is out of range; the set has 2, counted from 0");
}

TEST(ActiveRefusalOnHost, PlansThatCannotBeNarrowed) {
    std::vector<double> x{1, 2, 3}, out(3);
    eagle::BoundPlan bound =
        eagle::Plan(eagle::Artifact::load(handmade::example()).kernel("scale", "cpu"))
            .bind({{"x", handmade::view(x)}, {"out", handmade::view(out)}, {"a", 1.0}, {"b", 0.0}});
    EXPECT_EQ(refusal<eagle::InvalidArgument>([&] { bound.narrow(4); }),
              "narrow was given 4 samples; the plan is bound to 3, and launches from none to all of them");
    EXPECT_NE(refusal<eagle::InvalidArgument>([&] { bound.narrow(-1); }), "");
    bound.narrow(2).launch();
    EXPECT_EQ(out, (std::vector<double>{1, 2, 0}));
    bound.narrow(0).launch();
    bound.narrow(3).launch();
    EXPECT_EQ(out, x);
    handmade::Folder folder;
    folder.add(handmade::prefix(), "prefix");
    eagle::BoundPlan whole = eagle::Plan(folder.load().kernel("prefix", "cpu")).bind({{"x", handmade::view(x)}});
    EXPECT_EQ(refusal<eagle::InvalidArgument>([&] { whole.narrow(2); }),
              "kernel 'prefix' is cross_sample_write; the rule: only a sample_local kernel may leave samples out");
}

// Two threads at once: each call does its work or is told that another is inside.
TEST_P(ActiveRefusal, ASecondEntryIsBusy) {
    const Array mask = GetParam().up(Mask(100'000, 0));
    ActiveSet set(mask);
    std::atomic<int> busy{0}, done{0};
    const auto work = [&] {
        while (busy == 0 && done < 2000) {
            try {
                set.compact();
                set.live();
                ++done;
            } catch (const eagle::Busy& error) {
                EXPECT_NE(std::string(error.what()).find("this active set is running already"), std::string::npos);
                ++busy;
            }
        }
    };
    std::thread other(work);
    work();
    other.join();
    EXPECT_EQ(set.compact().live(), 100'000);
}

}  // namespace
