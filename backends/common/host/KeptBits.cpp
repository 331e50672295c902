#include "KeptBits.h"

#include <algorithm>
#include <cstring>

#include "Cost.h"

namespace eagle::host {
namespace {

std::int64_t blocks_of(std::int64_t n) { return (n + KeptBits::a_block - 1) / KeptBits::a_block; }

}  // namespace

void over_blocks(Team::Part part, void* ctx, std::int64_t blocks, std::int64_t samples) {
    if (blocks == 0) return;
    Cost& cost = Cost::of(reinterpret_cast<std::uint64_t>(part));
    Team::of_process().repeat(part, ctx, blocks, samples, 0, cost);
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

void KeptBits::find_block(const MaskCode& code, const std::uint8_t* mask, std::uint64_t inverted, std::int64_t b) {
    const std::int64_t count = size(b), whole = count / 64;
    std::uint64_t* words = words_ + b * block_words;
    mask += b * a_block;
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
    rows_[b] = {counts.kept, 0, counts.live_groups, 0};
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
        c.bits.find_block(c.code, c.mask, c.inverted, b);
    };
    over_blocks(part, &call, blocks_, n_);
    kept_ = live_groups_ = 0;
    for (std::int64_t b = 0; b < blocks_; ++b) {
        rows_[b].kept_before = kept_;
        kept_ += rows_[b].kept;
        live_groups_ += rows_[b].live_groups;
    }
}

}  // namespace eagle::host
