#include "KeptBits.h"

#include <algorithm>
#include <cstring>

#include "Cost.h"

namespace eagle::host {
namespace {

std::int64_t blocks_of(std::int64_t n) { return (n + KeptBits::a_block - 1) / KeptBits::a_block; }

}  // namespace

void over_blocks(Team::Part part, void* ctx, std::int64_t blocks) {
    struct alignas(64) Each {  // no thread reads what lies in a line with the stack of another
        Team::Part part;
        void* ctx;
    } each{part, ctx};
    auto several = [](void* raw, std::int64_t base, std::int64_t count) {
        const Each& of = *static_cast<const Each*>(raw);
        for (std::int64_t b = base; b < base + count; ++b) of.part(of.ctx, b, 1);
    };
    if (blocks > 0)
        Team::of_process().split_blocks(several, &each, blocks, Cost::of(reinterpret_cast<std::uint64_t>(part)));
}

std::uint64_t KeptBits::bytes(std::int64_t n) {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(blocks_of(n), 1)) *
           (sizeof(Row) + block_words * sizeof(std::uint64_t));
}

KeptBits::KeptBits(void* storage, std::int64_t n)
    : n_(n),
      blocks_(blocks_of(n)),
      rows_(static_cast<Row*>(storage)),
      words_(reinterpret_cast<std::uint64_t*>(rows_ + blocks_)) {}

MaskCounts find_bits(const MaskCode& code, const std::uint8_t* mask, std::int64_t count, std::uint64_t inverted,
                     std::uint64_t* words) {
    const std::int64_t whole = count / 64;
    MaskCounts counts = code.find(mask, whole, inverted, words);
    if (const auto rest = static_cast<std::size_t>(count % 64)) {
        // What lies behind the last sample must read as dropped.
        std::uint8_t last[64];
        std::memset(last, inverted ? 1 : 0, sizeof last);
        std::memcpy(last, mask + whole * 64, rest);
        const MaskCounts more = code.find(last, 1, inverted, words + whole);
        counts.kept += more.kept;
        counts.live_groups += more.live_groups;
    }
    return counts;
}

void KeptBits::find(const std::uint8_t* mask, bool mask_is_drop) {
    struct Call {
        KeptBits& bits;
        const MaskCode& code;
        const std::uint8_t* mask;
        std::uint64_t inverted;
    } call{*this, MaskCode::best(), mask, mask_is_drop ? ~std::uint64_t(0) : 0};
    auto part = [](void* raw, std::int64_t b, std::int64_t) {
        const Call& c = *static_cast<const Call*>(raw);
        KeptBits& bits = c.bits;
        const MaskCounts counts =
            find_bits(c.code, c.mask + b * a_block, bits.size(b), c.inverted, bits.words_ + b * block_words);
        bits.rows_[b] = {counts.kept, 0, 0};
    };
    over_blocks(part, &call, blocks_);
    kept_ = 0;
    for (std::int64_t b = 0; b < blocks_; ++b) {
        rows_[b].kept_before = kept_;
        kept_ += rows_[b].kept;
    }
}

}  // namespace eagle::host
