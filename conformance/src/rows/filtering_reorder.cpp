// Reorder and reset against a loop over the samples.
#include <eagle/conformance/Row.h>

#include <array>
#include <cstring>
#include <numeric>

#include "Filtering.h"
#include "Refused.h"

using namespace eagle::conformance;
using namespace eagle::conformance::filtering;

namespace {

using Desc = struct eagle_backend_reorder_desc;
using PlaneRow = struct eagle_backend_reorder_plane;
using Wide = std::array<std::uint64_t, 2>;

template <class T>
std::vector<T> random_values(Context& c, std::size_t n) {
    std::vector<T> values(n);
    for (auto& value : values) {
        std::uint64_t words[2] = {c.random(), c.random()};
        std::memcpy(static_cast<void*>(&value), words, sizeof value);
    }
    return values;
}

// The samples of a simulation in their order of memory: the mask and a plane of every width.
struct Samples {
    Mask mask;
    std::vector<std::uint16_t> two;
    std::vector<std::uint32_t> four;
    std::vector<std::uint64_t> eight;
    std::vector<Wide> sixteen;
    std::vector<std::int32_t> perm, inv, map;
    std::uint32_t count = 999, span = 0, fire = 1;

    Samples(Context& c, Mask bytes, std::uint32_t in_use)
        : mask(std::move(bytes)),
          two(random_values<std::uint16_t>(c, mask.size())),
          four(random_values<std::uint32_t>(c, mask.size())),
          eight(random_values<std::uint64_t>(c, mask.size())),
          sixteen(random_values<Wide>(c, mask.size())),
          perm(mask.size()),
          inv(mask.size()),
          map(mask.size(), untouched),
          span(in_use) {
        std::iota(perm.begin(), perm.end(), 0);
        std::shuffle(perm.begin(), perm.begin() + in_use, c.random);
        for (std::size_t i = 0; i < perm.size(); ++i) inv[std::size_t(perm[i])] = std::int32_t(i);
    }
    bool operator==(const Samples&) const = default;
};

template <class T>
std::vector<T> picked(const std::vector<T>& values, const std::vector<std::size_t>& order) {
    std::vector<T> result = values;
    for (std::size_t i = 0; i < order.size(); ++i) result[i] = values[order[i]];
    return result;
}

Samples reordered(const Samples& s) {
    if (s.fire == 0) return s;
    std::vector<std::size_t> order;
    for (const bool keep : {true, false}) {
        for (std::size_t i = 0; i < s.span; ++i) {
            if ((s.mask[i] != 0) == keep) order.push_back(i);
        }
    }
    Samples r = s;
    r.mask = picked(s.mask, order);
    r.two = picked(s.two, order);
    r.four = picked(s.four, order);
    r.eight = picked(s.eight, order);
    r.sixteen = picked(s.sixteen, order);
    r.perm = picked(s.perm, order);
    for (std::size_t i = 0; i < r.perm.size(); ++i) r.inv[std::size_t(r.perm[i])] = std::int32_t(i);
    const auto kept = std::count_if(s.mask.begin(), s.mask.begin() + s.span, [](std::uint8_t m) { return m != 0; });
    std::iota(r.map.begin(), r.map.begin() + kept, 0);
    r.count = r.span = std::uint32_t(kept);
    r.fire = 0;
    return r;
}

// The same on the device.
class OnDevice {
  public:
    OnDevice(Context& c, const Samples& s)
        : c_(c),
          stream(c),
          mask_(c, s.mask),
          two_(c, s.two),
          four_(c, s.four),
          eight_(c, s.eight),
          sixteen_(c, s.sixteen),
          perm_(c, s.perm),
          inv_(c, s.inv),
          map_(c, s.map),
          words_(c, {s.count, s.span, s.fire}) {
        rows = {{mask_.address(), 1, 0},
                {sixteen_.address(), 16, 0},
                {two_.address(), 2, 0},
                {eight_.address(), 8, 0},
                {four_.address(), 4, 0}};
        desc.device = c.device;
        desc.n_planes = std::uint32_t(rows.size());
        desc.planes = reinterpret_cast<std::uint64_t>(rows.data());
        desc.mask = mask_.address();
        desc.perm = perm_.address();
        desc.inv = inv_.address();
        desc.index_map = map_.address();
        desc.count = words_.address();
        desc.span = words_.address_of(1);
        desc.fire = words_.address_of(2);
        desc.n = std::int64_t(s.mask.size());
        desc.stream = stream.raw();
    }
    void run_reorder() {
        ROW_OK(c_, c_.seam.reorder_device(&desc));  // a query
        ROW_REQUIRE(c_, desc.scratch_bytes > 0);
        scratch_.emplace_back(c_, std::size_t(desc.scratch_bytes));
        desc.scratch = scratch_.back().address();
        ROW_OK(c_, c_.seam.reorder_device(&desc));
        stream.synchronize();
    }
    Samples left(Samples like) const {
        like.mask = mask_.download();
        like.two = two_.download();
        like.four = four_.download();
        like.eight = eight_.download();
        like.sixteen = sixteen_.download();
        like.perm = perm_.download();
        like.inv = inv_.download();
        like.map = map_.download();
        const auto words = words_.download();
        like.count = words[0], like.span = words[1], like.fire = words[2];
        return like;
    }

  private:
    Context& c_;

  public:
    StreamHandle stream;
    std::vector<PlaneRow> rows;
    Desc desc = make<Desc>();

  private:
    Buffer<std::uint8_t> mask_;
    Buffer<std::uint16_t> two_;
    Buffer<std::uint32_t> four_;
    Buffer<std::uint64_t> eight_;
    Buffer<Wide> sixteen_;
    Buffer<std::int32_t> perm_, inv_, map_;
    Buffer<std::uint32_t> words_;
    std::vector<Buffer<std::uint8_t>> scratch_;
};

// Array by array, so that a report names the one that is wrong.
void expect_same(Context& c, const Samples& found, const Samples& needed) {
    ROW_EQ(c, found.count, needed.count);
    ROW_EQ(c, found.span, needed.span);
    ROW_EQ(c, found.fire, needed.fire);
    ROW_EQ(c, found.mask, needed.mask);
    ROW_EQ(c, found.two, needed.two);
    ROW_EQ(c, found.four, needed.four);
    ROW_EQ(c, found.eight, needed.eight);
    ROW_EXPECT(c, found.sixteen == needed.sixteen);
    ROW_EQ(c, found.perm, needed.perm);
    ROW_EQ(c, found.inv, needed.inv);
    ROW_EQ(c, found.map, needed.map);
}

void judge(Context& c, const Samples& before) {
    OnDevice device(c, before);
    device.run_reorder();
    expect_same(c, device.left(before), reordered(before));
}

}  // namespace

EAGLE_ROW("filtering-reorder-sizes-and-patterns", .covers = {Symbol::reorder_device}, .needs = {Symbol::stream_create},
          .memory = true) {
    for (const std::size_t n : {0u, 1u, 31u, 32u, 33u, 255u, 257u, 4096u, 4097u, 8193u}) {
        for (const Mask& mask : masks_of(c, n)) {
            judge(c, Samples(c, mask, std::uint32_t(n)));
        }
    }
}

EAGLE_ROW("filtering-reorder-part-of-the-samples", .covers = {Symbol::reorder_device}, .needs = {Symbol::stream_create},
          .memory = true) {
    for (const std::uint32_t span : {0u, 1u, 31u, 4096u, 6999u, 7000u}) {
        judge(c, Samples(c, random_mask(c, 7000, 0.5), span));  // what lies past the span stays
    }
}

EAGLE_ROW("filtering-reorder-again", .covers = {Symbol::reorder_device}, .needs = {Symbol::stream_create},
          .memory = true) {
    Samples state(c, random_mask(c, 9001, 0.8), 9001);
    for (int round = 0; round < 4; ++round) {
        judge(c, state);
        state = reordered(state);
        for (std::size_t i = 0; i < state.span; ++i) {
            if (c.random() % 4 == 0) state.mask[i] = 0;
        }
        state.fire = 1;
    }
}

EAGLE_ROW("filtering-reorder-does-nothing-unfired", .covers = {Symbol::reorder_device},
          .needs = {Symbol::stream_create}, .memory = true) {
    Samples state(c, random_mask(c, 5000, 0.5), 5000);
    state.fire = 0;
    judge(c, state);
    // Without a word there it always runs.
    state.fire = 77;
    OnDevice device(c, state);
    device.desc.fire = 0;
    device.run_reorder();
    Samples expected = reordered(state);
    expected.fire = 77;
    expect_same(c, device.left(state), expected);
}

EAGLE_ROW("filtering-reorder-query", .covers = {Symbol::reorder_device}) {
    const PlaneRow rows[2] = {{0, 1, 0}, {0, 16, 0}};
    auto desc = make<Desc>();
    desc.device = c.device;
    desc.n_planes = 2;
    desc.planes = reinterpret_cast<std::uint64_t>(rows);
    desc.n = 1000;
    desc.scratch_bytes = -1;
    Desc before = desc;
    ROW_OK(c, c.seam.reorder_device(&desc));
    ROW_EXPECT(c, desc.scratch_bytes > 0);
    before.scratch_bytes = desc.scratch_bytes;
    ROW_EQ(c, std::memcmp(&desc, &before, sizeof desc), 0);
}

EAGLE_ROW("filtering-reorder-refusals", .covers = {Symbol::reorder_device}, .needs = {Symbol::stream_create},
          .memory = true) {
    const Samples before(c, random_mask(c, 64, 0.5), 64);
    OnDevice device(c, before);
    ROW_OK(c, c.seam.reorder_device(&device.desc));
    const Buffer<std::uint8_t> scratch(c, std::size_t(device.desc.scratch_bytes));
    device.desc.scratch = scratch.address();
    const Desc good = device.desc;
    auto refused = [&](eagle_backend_status status, auto&& spoil) {
        Desc desc = good;
        spoil(desc);
        ROW_STATUS(c, c.seam.reorder_device(&desc), status);
    };
    ROW_STATUS(c, c.seam.reorder_device(nullptr), EAGLE_BACKEND_INVALID_ARGUMENT);
    refused(EAGLE_BACKEND_INVALID_ARGUMENT, [](Desc& d) { d.struct_size = 111, d.flags = 2; });
    refused(EAGLE_BACKEND_UNSUPPORTED, [&](Desc& d) { d.flags = 2, d.device = c.facts.devices; });
    expect_bits_named(c, 2);
    refused(EAGLE_BACKEND_INVALID_ARGUMENT, [&](Desc& d) { d.device = c.facts.devices; });
    refused(EAGLE_BACKEND_INVALID_ARGUMENT, [](Desc& d) { d.n = -1; });
    refused(EAGLE_BACKEND_UNSUPPORTED, [](Desc& d) { d.n = std::int64_t(1) << 31; });
    refused(EAGLE_BACKEND_INVALID_ARGUMENT, [](Desc& d) { d.n_planes = 0; });
    refused(EAGLE_BACKEND_INVALID_ARGUMENT, [](Desc& d) { d.planes = 0; });
    refused(EAGLE_BACKEND_INVALID_ARGUMENT, [](Desc& d) { d.mask = d.perm; });  // none of the planes
    refused(EAGLE_BACKEND_INVALID_ARGUMENT, [](Desc& d) { d.perm = 0; });
    refused(EAGLE_BACKEND_INVALID_ARGUMENT, [](Desc& d) { d.inv = 0; });
    refused(EAGLE_BACKEND_INVALID_ARGUMENT, [](Desc& d) { d.count = 0; });
    refused(EAGLE_BACKEND_INVALID_ARGUMENT, [](Desc& d) { d.span = 0; });
    for (const std::uint32_t bytes : {0u, 3u, 32u}) {
        const PlaneRow kept = device.rows[2];
        device.rows[2].elem_bytes = bytes;
        refused(EAGLE_BACKEND_INVALID_ARGUMENT, [](Desc&) {});
        device.rows[2] = kept;
    }
    device.stream.synchronize();
    expect_same(c, device.left(before), before);
}

EAGLE_ROW("filtering-reset", .covers = {Symbol::reset_device}, .needs = {Symbol::stream_create}, .memory = true) {
    for (const std::size_t n : sizes) {
        for (const bool with_map : {true, false}) {
            const Samples before(c, random_mask(c, n, 0.5), std::uint32_t(n / 2));
            OnDevice device(c, before);
            if (!with_map) device.desc.index_map = 0;
            ROW_OK(c, c.seam.reset_device(&device.desc));
            device.stream.synchronize();
            Samples expected = before;
            std::iota(expected.perm.begin(), expected.perm.end(), 0);
            expected.inv = expected.perm;
            if (with_map) expected.map = expected.perm;
            expected.count = expected.span = std::uint32_t(n);
            expect_same(c, device.left(before), expected);  // the fire word is not its business
        }
    }
}

EAGLE_ROW("filtering-reset-refusals", .covers = {Symbol::reset_device}, .needs = {Symbol::stream_create},
          .memory = true) {
    const Samples before(c, random_mask(c, 64, 0.5), 32);
    OnDevice device(c, before);
    auto refused = [&](eagle_backend_status status, auto&& spoil) {
        Desc desc = device.desc;
        spoil(desc);
        ROW_STATUS(c, c.seam.reset_device(&desc), status);
    };
    ROW_STATUS(c, c.seam.reset_device(nullptr), EAGLE_BACKEND_INVALID_ARGUMENT);
    refused(EAGLE_BACKEND_INVALID_ARGUMENT, [](Desc& d) { d.struct_size = 11, d.flags = 8; });
    refused(EAGLE_BACKEND_UNSUPPORTED, [&](Desc& d) { d.flags = 8, d.device = c.facts.devices; });
    refused(EAGLE_BACKEND_INVALID_ARGUMENT, [&](Desc& d) { d.device = c.facts.devices; });
    refused(EAGLE_BACKEND_INVALID_ARGUMENT, [](Desc& d) { d.n = -1; });
    refused(EAGLE_BACKEND_INVALID_ARGUMENT, [](Desc& d) { d.perm = 0; });
    refused(EAGLE_BACKEND_INVALID_ARGUMENT, [](Desc& d) { d.inv = 0; });
    refused(EAGLE_BACKEND_INVALID_ARGUMENT, [](Desc& d) { d.count = 0; });
    refused(EAGLE_BACKEND_INVALID_ARGUMENT, [](Desc& d) { d.span = 0; });
    device.stream.synchronize();
    expect_same(c, device.left(before), before);
}
