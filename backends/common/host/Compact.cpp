#include "Compact.h"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "Clock.h"
#include "FloatEnvironment.h"
#include "KeptBits.h"
#include "Scratch.h"

namespace eagle::host {
namespace {

// The trigger: a reorder of fewer samples than this costs more than it saves.
constexpr std::uint32_t least_span = 4096;
// Samples that a thread takes at once: two threads hand over less often where blocks are large, and a large one finds
// no room in the nearest cache.
constexpr std::int64_t small_block = 16384, large_block = 32768, many_samples = 1 << 19;
// Bytes of a map of which its reader finds little in the caches anyway: written around them it is faster, a smaller one
// slower.
constexpr double large_map = 64 << 20;

// What is known of a block. The numbers are one more than what they tell, and 0 before it is known.
struct Row {
    std::uint32_t kept, kept_up_to;  // in it; in it and all before it
    std::uint32_t live_groups, unused;
};

std::int64_t block_of(std::int64_t n) { return n < many_samples ? small_block : large_block; }
std::int64_t blocks_of(std::int64_t n) { return (n + block_of(n) - 1) / block_of(n); }

// One pass over the mask: a block is read, and its samples are written as soon as it is known how many are kept before
// it. Blocks are begun in ascending order, so the block before has its number soon; where its thread does not run,
// whoever needs the number counts that block, too, and nobody waits.
class Compaction {
  public:
    Compaction(const CompactCall& call)
        : call_(call),
          rows_(static_cast<Row*>(aligned_scratch(call.scratch))),
          inverted_(call.mask_is_drop ? ~std::uint64_t(0) : 0) {
        std::memset(rows_, 0, static_cast<std::size_t>(blocks()) * sizeof(Row));
    }
    std::int64_t blocks() const { return blocks_of(call_.n); }

    void run_block(std::int64_t b) {
        if (looks_for_few(b) && run_few(b)) return;
        if (code_.find_slots && size(b) == a_block_) return run_many(b);
        std::uint64_t words[large_block / 64];
        const MaskCounts counts = find_bits(code_, call_.mask + b * a_block_, size(b), inverted_, words);
        std::int32_t* out = call_.index_map + place(b, counts);
        code_.write(words, (size(b) + 63) / 64, first(b), out, out + counts.kept);
    }
    MaskCounts total() const {
        MaskCounts sum{0, 0};
        for (std::int64_t b = 0; b < blocks(); ++b) {
            sum.kept += rows_[b].kept - 1;
            sum.live_groups += rows_[b].live_groups;
        }
        return sum;
    }

  private:
    static std::atomic_ref<std::uint32_t> shared(std::uint32_t& number) { return std::atomic_ref(number); }
    std::int64_t size(std::int64_t b) const { return std::min(a_block_, call_.n - b * a_block_); }
    std::int32_t first(std::int64_t b) const { return static_cast<std::int32_t>(b * a_block_); }

    // Where the last try was of use, and else now and then.
    bool looks_for_few(std::int64_t b) const {
        return code_.find_few && size(b) == a_block_ && (b % 8 == 0 || few_.load(std::memory_order_relaxed));
    }
    bool run_few(std::int64_t b) {
        std::int32_t samples[MaskCode::few_room];
        MaskCounts counts{0, 0};
        const std::int64_t kept =
            code_.find_few(call_.mask + b * a_block_, a_block_ / 64, inverted_, first(b), samples, &counts.live_groups);
        const bool found = kept >= 0;
        if (few_.load(std::memory_order_relaxed) != found) few_.store(found, std::memory_order_relaxed);
        if (!found) return false;
        counts.kept = static_cast<std::uint32_t>(kept);
        std::memcpy(call_.index_map + place(b, counts), samples, static_cast<std::size_t>(kept) * sizeof *samples);
        return true;
    }

    void run_many(std::int64_t b) {
        std::uint8_t storage[large_block + 2 * MaskCode::slot_margin];
        std::uint8_t* const positions = storage + MaskCode::slot_margin;
        std::uint16_t kept[large_block / MaskCode::a_slot];
        const std::int64_t slots = a_block_ / MaskCode::a_slot;
        const MaskCounts counts = code_.find_slots(call_.mask + b * a_block_, slots, inverted_, positions, kept);
        std::int32_t* out = call_.index_map + place(b, counts);
        code_.write_slots(positions, kept, slots, first(b), out, out + counts.kept, outgrows_caches(counts.kept));
    }
    // Where the others keep as many of theirs as this block.
    bool outgrows_caches(std::uint32_t kept) const {
        return double(kept) / double(a_block_) * double(call_.n) * double(sizeof *call_.index_map) > large_map;
    }

    // Tells what block b has, and returns how many are kept before it.
    std::uint32_t place(std::int64_t b, const MaskCounts& counts) {
        Row& row = rows_[b];
        row.live_groups = counts.live_groups;
        shared(row.kept).store(counts.kept + 1, std::memory_order_relaxed);
        const std::uint32_t before = kept_before(b);
        shared(row.kept_up_to).store(before + counts.kept + 1, std::memory_order_relaxed);
        return before;
    }

    std::uint32_t kept_before(std::int64_t b) {
        std::uint32_t sum = 0;
        while (b-- > 0) {
            const std::uint32_t up_to = shared(rows_[b].kept_up_to).load(std::memory_order_relaxed);
            if (up_to != 0) return sum + up_to - 1;
            sum += kept_of(b);
        }
        return sum;
    }

    // Of a block that a thread has begun: about as long as it takes to count it, this one waits for it.
    std::uint32_t kept_of(std::int64_t b) {
        const std::uint64_t begin = ticks();
        do {
            const std::uint32_t kept = shared(rows_[b].kept).load(std::memory_order_relaxed);
            if (kept != 0) return kept - 1;
            relax();
        } while (ticks() - begin < 10000);
        std::uint64_t words[large_block / 64];
        const std::uint32_t kept = find_bits(code_, call_.mask + b * a_block_, size(b), inverted_, words).kept;
        shared(rows_[b].kept).store(kept + 1, std::memory_order_relaxed);
        return kept;
    }

    const CompactCall& call_;
    const std::int64_t a_block_ = block_of(call_.n);
    Row* rows_;
    std::uint64_t inverted_;
    const MaskCode& code_ = MaskCode::best();
    std::atomic<bool> few_{false};  // what the last look for few came to
};

bool worth_a_reorder(const CompactCall& call, const MaskCounts& found) {
    const std::uint32_t span = *call.span;
    const double full = double(call.theta) * 32.0 * double(found.live_groups);
    return double(found.kept) < full && found.kept < span && span >= least_span;
}

}  // namespace

std::uint64_t compact_scratch_bytes(std::int64_t n) {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(blocks_of(n), 1)) * sizeof(Row) + scratch_alignment;
}

void run_compact(const CompactCall& call) {
    FloatEnvironment plain;
    Compaction compaction(call);
    auto part = [](void* raw, std::int64_t b, std::int64_t) { static_cast<Compaction*>(raw)->run_block(b); };
    over_blocks(part, &compaction, compaction.blocks());
    const MaskCounts found = compaction.total();
    *call.count = found.kept;
    if (call.live32) *call.live32 = found.live_groups;
    if (call.fire) *call.fire = worth_a_reorder(call, found) ? 1 : 0;
}

}  // namespace eagle::host
