#include "Compact.h"

#include "FloatEnvironment.h"
#include "KeptBits.h"
#include "Scratch.h"

namespace eagle::host {
namespace {

// The trigger: a reorder of fewer samples than this costs more than it saves.
constexpr std::uint32_t least_span = 4096;

void write_map(const KeptBits& bits, std::int32_t* index_map) {
    struct Call {
        const KeptBits& bits;
        std::int32_t* index_map;
        const MaskCode& code;
    } call{bits, index_map, MaskCode::best()};
    auto part = [](void* raw, std::int64_t b, std::int64_t) {
        const Call& c = *static_cast<const Call*>(raw);
        std::int32_t* out = c.index_map + c.bits.kept_before(b);
        c.code.write(c.bits.words(b), static_cast<std::int32_t>(b * KeptBits::a_block), out, out + c.bits.kept(b));
    };
    over_blocks(part, &call, bits.blocks(), bits.n());
}

bool worth_a_reorder(const CompactCall& call, const KeptBits& bits) {
    const std::uint32_t span = *call.span;
    const double full = double(call.theta) * 32.0 * double(bits.live_groups());
    return double(bits.kept()) < full && bits.kept() < span && span >= least_span;
}

}  // namespace

std::uint64_t compact_scratch_bytes(std::int64_t n) { return KeptBits::bytes(n) + scratch_alignment; }

void run_compact(const CompactCall& call) {
    FloatEnvironment plain;
    KeptBits bits(aligned_scratch(call.scratch), call.n);
    bits.find(call.mask, call.mask_is_drop);
    write_map(bits, call.index_map);
    *call.count = bits.kept();
    if (call.live32) *call.live32 = bits.live_groups();
    if (call.fire) *call.fire = worth_a_reorder(call, bits) ? 1 : 0;
}

}  // namespace eagle::host
