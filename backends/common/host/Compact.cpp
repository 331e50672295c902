#include "Compact.h"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "Clock.h"
#include "Cost.h"
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

// Of these numbers of samples mask and map stay in the caches of their threads from call to call; fewer are not worth
// the meeting between the rounds.
constexpr std::int64_t least_in_rounds = 1 << 18, most_in_rounds = 1 << 22;

// What is known of a block. The numbers are one more than what they tell, and 0 before it is known.
struct Row {
    std::uint32_t kept, kept_up_to;  // in it; in it and all before it
    std::uint32_t live_groups;
    std::uint32_t form;  // of what is found of it, for those who may read it then: 0 = nothing yet
};
enum Form : std::uint32_t { as_bits = 1, as_samples = 2 };

// What is found of a block: a bit for each of its samples, or those that it keeps where they are few.
union Found {
    std::uint64_t words[large_block / 64];
    std::int32_t samples[MaskCode::few_room];
};

std::int64_t blocks_of(std::int64_t n, std::int64_t a_block) { return (n + a_block - 1) / a_block; }

// A block is read, and its samples are written where the number of those before it says. Small masks take two rounds,
// in which each thread has the blocks that it had at the last call: all are read, then all are written. Large ones one
// pass: a block is written as soon as it is known how many are kept before it; blocks are begun in ascending order, so
// the block before has its number soon. In both, where the thread that has a block does not run, whoever needs what it
// finds looks for it, too, and nobody waits.
class alignas(64) Compaction {  // no thread reads what lies in a line with the stack of another
  public:
    Compaction(const CompactCall& call)
        : call_(call),
          inverted_(call.mask_is_drop ? ~std::uint64_t(0) : 0),
          in_rounds_(call.n >= least_in_rounds && call.n <= most_in_rounds) {
        a_block_ = in_rounds_ || call.n < many_samples ? small_block : large_block;
        blocks_ = blocks_of(call.n, a_block_);
        rows_ = static_cast<Row*>(aligned_scratch(call.scratch));
        found_ = reinterpret_cast<Found*>(rows_ + blocks_);
        std::memset(rows_, 0, static_cast<std::size_t>(blocks_) * sizeof(Row));
    }

    void run() {
        if (in_rounds_) {
            Team::Part part = [](void* raw, std::int64_t p, std::int64_t count) {
                for (; count > 0; --count) static_cast<Compaction*>(raw)->run_part(p++);
            };
            Team::of_process().split_rounds(part, this, blocks_, Cost::of(reinterpret_cast<std::uint64_t>(part)));
        } else {
            auto part = [](void* raw, std::int64_t b, std::int64_t) { static_cast<Compaction*>(raw)->run_block(b); };
            over_blocks(part, this, blocks_);
        }
    }
    std::uint32_t kept() const { return blocks_ == 0 ? 0 : rows_[blocks_ - 1].kept_up_to - 1; }
    std::uint32_t live_groups() const {
        std::uint32_t sum = 0;
        for (std::int64_t b = 0; b < blocks_; ++b) sum += rows_[b].live_groups;
        return sum;
    }

  private:
    static std::atomic_ref<std::uint32_t> shared(std::uint32_t& number) { return std::atomic_ref(number); }
    std::int64_t size(std::int64_t b) const { return std::min(a_block_, call_.n - b * a_block_); }
    std::int32_t first(std::int64_t b) const { return static_cast<std::int32_t>(b * a_block_); }

    void run_block(std::int64_t b) {
        Found found;
        Form form;
        const MaskCounts counts = find(b, found, form);
        rows_[b].live_groups = counts.live_groups;
        write(found, form, b, counts.kept);
    }

    void run_part(std::int64_t p) {
        if (p >= blocks_) return write_found(p - blocks_);
        Form form;
        const MaskCounts counts = find(p, found_[p], form);
        rows_[p].live_groups = counts.live_groups;
        shared(rows_[p].kept).store(counts.kept + 1, std::memory_order_relaxed);
        shared(rows_[p].form).store(form, std::memory_order_release);
    }
    void write_found(std::int64_t b) {
        const std::uint32_t form = when_known(rows_[b].form, std::memory_order_acquire);
        if (form != 0) {
            return write(found_[b], Form(form), b, shared(rows_[b].kept).load(std::memory_order_relaxed) - 1);
        }
        Found found;
        Form own_form;
        const MaskCounts counts = find(b, found, own_form);
        write(found, own_form, b, counts.kept);
    }

    MaskCounts find(std::int64_t b, Found& found, Form& form) {
        MaskCounts counts{0, 0};
        form = as_samples;
        if (looks_for_few(b) && find_few(b, found, counts)) return counts;
        form = as_bits;
        return find_bits(code_, call_.mask + b * a_block_, size(b), inverted_, found.words);
    }
    // Where the last try was of use, and else now and then.
    bool looks_for_few(std::int64_t b) const {
        return code_.find_few && size(b) == a_block_ && (b % 8 == 0 || few_.load(std::memory_order_relaxed));
    }
    bool find_few(std::int64_t b, Found& found, MaskCounts& counts) {
        const std::int64_t kept = code_.find_few(call_.mask + b * a_block_, a_block_ / 64, inverted_, first(b),
                                                 found.samples, &counts.live_groups);
        const bool are_few = kept >= 0;
        if (few_.load(std::memory_order_relaxed) != are_few) few_.store(are_few, std::memory_order_relaxed);
        if (are_few) counts.kept = static_cast<std::uint32_t>(kept);
        return are_few;
    }

    void write(const Found& found, Form form, std::int64_t b, std::uint32_t kept) {
        std::int32_t* out = call_.index_map + place(b, kept);
        if (form == as_samples) {
            std::memcpy(out, found.samples, kept * sizeof *out);
        } else {
            code_.write(found.words, blocks_of(size(b), 64), first(b), out, out + kept, outgrows_caches(kept));
        }
    }
    // Where the others keep as many of theirs as this block.
    bool outgrows_caches(std::uint32_t kept) const {
        return double(kept) / double(a_block_) * double(call_.n) * double(sizeof *call_.index_map) > large_map;
    }

    // Tells what block b keeps, and returns how many are kept before it.
    std::uint32_t place(std::int64_t b, std::uint32_t kept) {
        Row& row = rows_[b];
        shared(row.kept).store(kept + 1, std::memory_order_relaxed);
        const std::uint32_t before = kept_before(b);
        shared(row.kept_up_to).store(before + kept + 1, std::memory_order_relaxed);
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
    std::uint32_t kept_of(std::int64_t b) {
        const std::uint32_t known = when_known(rows_[b].kept, std::memory_order_relaxed);
        if (known != 0) return known - 1;
        Found found;
        const std::uint32_t kept = find_bits(code_, call_.mask + b * a_block_, size(b), inverted_, found.words).kept;
        shared(rows_[b].kept).store(kept + 1, std::memory_order_relaxed);
        return kept;
    }
    // Of a block that a thread has begun: about as long as it takes to look for it, this one waits; 0 where that is not
    // enough.
    static std::uint32_t when_known(std::uint32_t& number, std::memory_order order) {
        const std::uint64_t begin = ticks();
        for (;;) {
            const std::uint32_t found = shared(number).load(order);
            if (found != 0 || ticks() - begin >= 10000) return found;
            relax();
        }
    }

    const CompactCall call_;
    std::uint64_t inverted_;
    bool in_rounds_;
    std::int64_t a_block_, blocks_;
    Row* rows_;
    Found* found_;  // of each block, in rounds
    const MaskCode& code_ = MaskCode::best();
    std::atomic<bool> few_{false};  // what the last look for few came to
};

bool worth_a_reorder(const CompactCall& call, std::uint32_t kept, std::uint32_t live_groups) {
    const std::uint32_t span = *call.span;
    const double full = double(call.theta) * 32.0 * double(live_groups);
    return double(kept) < full && kept < span && span >= least_span;
}

}  // namespace

std::uint64_t compact_scratch_bytes(std::int64_t n) {
    const std::int64_t rows = std::max<std::int64_t>(blocks_of(n, small_block), 1);
    const std::int64_t found = std::min(rows, blocks_of(most_in_rounds, small_block));
    return static_cast<std::uint64_t>(rows) * sizeof(Row) + static_cast<std::uint64_t>(found) * sizeof(Found) +
           scratch_alignment;
}

void run_compact(const CompactCall& call) {
    FloatEnvironment plain;
    Compaction compaction(call);
    compaction.run();
    const std::uint32_t kept = *call.count = compaction.kept();
    if (!call.live32 && !call.fire) return;
    const std::uint32_t live_groups = compaction.live_groups();
    if (call.live32) *call.live32 = live_groups;
    if (call.fire) *call.fire = worth_a_reorder(call, kept, live_groups) ? 1 : 0;
}

}  // namespace eagle::host
