// Which samples a byte mask keeps, as bits, with what lies before each block: the first half of a reorder.
// The blocks are fixed, so the results are the same for any number of threads.
#pragma once
#include <cstdint>

#include "MaskCode.h"
#include "Team.h"

namespace eagle::host {

// part(ctx, b, 1) for every block b, begun in ascending order, shared over the team.
void over_blocks(Team::Part part, void* ctx, std::int64_t blocks);

// The bits of `count` samples of a mask, at most a block's, to `words`; those behind the last sample are dropped.
MaskCounts find_bits(const MaskCode& code, const std::uint8_t* mask, std::int64_t count, std::uint64_t inverted,
                     std::uint64_t* words);

class KeptBits {
  public:
    static constexpr std::int64_t a_block = 16384, block_words = a_block / 64;
    // A multiple of 16; the caller owns the storage.
    static std::uint64_t bytes(std::int64_t n);

    // `storage` is aligned to 8 and holds bytes(n).
    KeptBits(void* storage, std::int64_t n);
    // Reads the mask, n bytes.
    void find(const std::uint8_t* mask, bool mask_is_drop);

    std::int64_t n() const { return n_; }
    std::int64_t blocks() const { return blocks_; }
    std::int64_t size(std::int64_t b) const { return b + 1 < blocks_ ? a_block : n_ - b * a_block; }
    const std::uint64_t* words(std::int64_t b) const { return words_ + b * block_words; }
    // In block b, and in all blocks before it.
    std::uint32_t kept(std::int64_t b) const { return rows_[b].kept; }
    std::uint32_t kept_before(std::int64_t b) const { return rows_[b].kept_before; }
    std::uint32_t kept() const { return kept_; }

  private:
    struct Row {
        std::uint32_t kept, kept_before;
        std::uint64_t unused;
    };
    std::int64_t n_, blocks_;
    Row* rows_;
    std::uint64_t* words_;
    std::uint32_t kept_ = 0;
};

}  // namespace eagle::host
