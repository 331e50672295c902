// The arrays of a compaction on the judged device.
#pragma once
#include <cstddef>

#include "Filtering.h"

namespace eagle::conformance::filtering::compaction {

using Desc = struct eagle_backend_compact_desc;

inline std::int64_t scratch_for(Context& c, std::int64_t n) {
    auto desc = make<Desc>();
    desc.device = c.device;
    desc.n = n;
    ROW_OK(c, c.seam.compact_device(&desc));
    ROW_REQUIRE(c, desc.scratch_bytes > 0);
    return desc.scratch_bytes;
}

// The arrays of compactions of up to n samples. Words: count, live32, span, fire.
struct Arrays {
    Arrays(Context& context, std::size_t n)
        : c(context),
          stream(context),
          mask(context, n + 1),
          map(context, n + 1),
          words(context, 4),
          scratch(context, std::size_t(scratch_for(context, std::int64_t(n)))) {}
    void set(const Mask& bytes, std::uint32_t span = 0) {
        mask.upload(bytes);
        map.upload(std::vector<std::int32_t>(bytes.size() + 1, untouched));
        words.upload({999, 999, span, 999});
    }
    Desc desc_for(const Mask& bytes) {
        set(bytes);
        auto desc = make<Desc>();
        desc.device = c.device;
        desc.mask = mask.address();
        desc.index_map = map.address();
        desc.count = words.address();
        desc.scratch = scratch.address();
        desc.n = std::int64_t(bytes.size());
        desc.stream = stream.raw();
        desc.live32 = words.address_of(1);
        return desc;
    }
    void with_trigger(Desc& desc, std::uint32_t span, float theta) {
        words.set(2, span);
        desc.span = words.address_of(2);
        desc.fire = words.address_of(3);
        desc.theta = theta;
    }
    void run(Desc& desc) {
        ROW_OK(c, c.seam.compact_device(&desc));
        stream.synchronize();
    }
    std::vector<std::int32_t> map_of(std::size_t n) const {
        std::vector<std::int32_t> all = map.download();
        all.resize(n + 1);  // one behind the samples shows what was written too far
        return all;
    }
    Context& c;
    StreamHandle stream;
    Buffer<std::uint8_t> mask;
    Buffer<std::int32_t> map;
    Buffer<std::uint32_t> words;
    Buffer<std::uint8_t> scratch;
};

// What a compaction of that mask leaves.
inline void expect_kept(Arrays& arrays, const Mask& mask, bool is_drop) {
    Context& c = arrays.c;
    const Kept kept = kept_of(mask, is_drop);
    const auto words = arrays.words.download();
    ROW_EQ(c, words[0], std::uint32_t(kept.samples.size()));
    ROW_EQ(c, words[1], kept.live32);
    std::vector<std::int32_t> map = kept.samples;
    map.resize(mask.size() + 1, untouched);  // slots past the count stay as they were
    ROW_EQ(c, arrays.map_of(mask.size()), map);
}

}  // namespace eagle::conformance::filtering::compaction
