// Samples and their order of memory, on the host and on the judged device, and what a reorder makes of them by a loop.
#pragma once
#include <array>
#include <cstring>
#include <numeric>

#include "Filtering.h"

namespace eagle::conformance::filtering::reordering {

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

inline Samples reordered(const Samples& s) {
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
    // Lets `desc` have what a reorder needs.
    void add_scratch() {
        ROW_OK(c_, c_.seam.reorder_device(&desc));
        ROW_REQUIRE(c_, desc.scratch_bytes > 0);
        scratch_.emplace_back(c_, std::size_t(desc.scratch_bytes));
        desc.scratch = scratch_.back().address();
    }
    void load(const Samples& s) {
        mask_.upload(s.mask);
        two_.upload(s.two);
        four_.upload(s.four);
        eight_.upload(s.eight);
        sixteen_.upload(s.sixteen);
        perm_.upload(s.perm);
        inv_.upload(s.inv);
        map_.upload(s.map);
        words_.upload({s.count, s.span, s.fire});
    }
    void run_reorder() {
        add_scratch();
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
inline void expect_same(Context& c, const Samples& found, const Samples& needed) {
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

}  // namespace eagle::conformance::filtering::reordering
