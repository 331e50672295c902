#include "Reorder.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "FloatEnvironment.h"
#include "KeptBits.h"
#include "Scratch.h"

namespace eagle::host {
namespace {

struct Pair {
    std::uint64_t low, high;
};

constexpr std::int64_t a_block = KeptBits::a_block;

// Where the kept and the dropped of a block go; each is read and written as whole elements.
template <class T>
struct Halves {
    T *kept, *dropped;

    void take(std::uint64_t bits, const T* from, std::size_t count) {
        const std::uint64_t all = count == 64 ? ~std::uint64_t(0) : (std::uint64_t(1) << count) - 1;
        if (bits == all) return append(kept, from, count);
        if (bits == 0) return append(dropped, from, count);
        // Without branches, and never past what is this block's: the next block's elements lie there.
        T yes[64], no[64];
        std::size_t n = 0;
        for (std::size_t i = 0; i < count; ++i) {
            yes[n] = no[i - n] = from[i];
            n += bits >> i & 1u;
        }
        append(kept, yes, n);
        append(dropped, no, count - n);
    }
    static void append(T*& to, const T* from, std::size_t count) {
        std::memcpy(to, from, count * sizeof(T));
        to += count;
    }
};

struct Move {
    const KeptBits& bits;
    std::byte *data, *moved;  // the plane, and where its samples are gathered in their new order
    std::uint32_t elem_bytes;
    std::int64_t first;  // block before which nothing moves
};

template <class T>
void gather_block(const Move& move, std::int64_t b) {
    const KeptBits& bits = move.bits;
    T* to = reinterpret_cast<T*>(move.moved);
    const T* from = reinterpret_cast<const T*>(move.data) + b * a_block;
    const std::int64_t kept = bits.kept_before(b), dropped = bits.kept() + b * a_block - kept;
    Halves<T> halves{to + kept, to + dropped};
    const std::uint64_t* words = bits.words(b);
    const std::int64_t count = bits.size(b);
    for (std::int64_t at = 0; at < count; at += 64) {
        halves.take(*words++, from + at, static_cast<std::size_t>(std::min<std::int64_t>(64, count - at)));
    }
}

void gather(void* raw, std::int64_t block, std::int64_t) {
    const Move& move = *static_cast<const Move*>(raw);
    const std::int64_t b = move.first + block;
    switch (move.elem_bytes) {
        case 1:
            return gather_block<std::uint8_t>(move, b);
        case 2:
            return gather_block<std::uint16_t>(move, b);
        case 4:
            return gather_block<std::uint32_t>(move, b);
        case 8:
            return gather_block<std::uint64_t>(move, b);
        default:
            return gather_block<Pair>(move, b);
    }
}

void put_back(void* raw, std::int64_t block, std::int64_t) {
    const Move& move = *static_cast<const Move*>(raw);
    const std::int64_t b = move.first + block;
    const auto at = static_cast<std::uint64_t>(b * a_block) * move.elem_bytes;
    std::memcpy(move.data + at, move.moved + at, static_cast<std::uint64_t>(move.bits.size(b)) * move.elem_bytes);
}

std::int64_t first_with_a_drop(const KeptBits& bits) {
    std::int64_t b = 0;
    while (b < bits.blocks() && bits.kept(b) == bits.size(b)) ++b;
    return b;
}

void move_plane(const KeptBits& bits, std::int64_t first, const ReorderPlane& plane, std::byte* moved) {
    Move move{bits, static_cast<std::byte*>(plane.data), moved, plane.elem_bytes, first};
    const std::int64_t blocks = bits.blocks() - first;
    over_blocks(&gather, &move, blocks);
    over_blocks(&put_back, &move, blocks);
}

void identity(std::int32_t* out, std::int64_t from, std::int64_t to) {
    for (std::int64_t i = from; i < to; ++i) out[i] = static_cast<std::int32_t>(i);
}

// inv from perm over [0, span), and the index map. A value of perm that is no sample is left out: nothing is written
// outside of inv.
void rebuild_maps(const ReorderCall& call, std::int64_t span, std::int64_t kept) {
    struct Call {
        const ReorderCall& call;
        std::int64_t span, kept;
    } ctx{call, span, kept};
    auto part = [](void* raw, std::int64_t b, std::int64_t) {
        const Call& c = *static_cast<const Call*>(raw);
        const std::int64_t from = b * a_block, to = std::min(c.span, from + a_block);
        for (std::int64_t slot = from; slot < to; ++slot) {
            const std::int32_t sample = c.call.perm[slot];
            if (sample >= 0 && sample < c.call.n) c.call.inv[sample] = static_cast<std::int32_t>(slot);
        }
        identity(c.call.index_map, from, std::min(c.kept, to));
    };
    over_blocks(part, &ctx, (span + a_block - 1) / a_block);
}

}  // namespace

std::uint64_t reorder_scratch_bytes(std::int64_t n, std::uint32_t widest) {
    const auto samples = static_cast<std::uint64_t>(std::max<std::int64_t>(n, 1));
    return KeptBits::bytes(n) + samples * std::max<std::uint32_t>(widest, sizeof(std::int32_t)) + scratch_alignment;
}

void run_reorder(const ReorderCall& call) {
    if (call.fire && *call.fire == 0) return;
    FloatEnvironment plain;
    const std::int64_t span = std::min<std::int64_t>(*call.span, call.n);
    auto* scratch = static_cast<std::byte*>(aligned_scratch(call.scratch));
    KeptBits bits(scratch, span);
    bits.find(call.mask, call.mask_is_drop);
    const std::int64_t first = first_with_a_drop(bits);
    std::byte* moved = scratch + KeptBits::bytes(span);
    for (const ReorderPlane& plane : call.planes) move_plane(bits, first, plane, moved);
    move_plane(bits, first, {call.perm, sizeof(std::int32_t)}, moved);
    rebuild_maps(call, span, bits.kept());
    *call.count = *call.span = bits.kept();
    if (call.fire) *call.fire = 0;
}

void run_reset(const ReorderCall& call) {
    FloatEnvironment plain;
    auto part = [](void* raw, std::int64_t b, std::int64_t) {
        const ReorderCall& c = *static_cast<const ReorderCall*>(raw);
        const std::int64_t from = b * a_block, to = std::min(c.n, from + a_block);
        identity(c.perm, from, to);
        identity(c.inv, from, to);
        if (c.index_map) identity(c.index_map, from, to);
    };
    over_blocks(part, const_cast<ReorderCall*>(&call), (call.n + a_block - 1) / a_block);
    *call.count = *call.span = static_cast<std::uint32_t>(call.n);
}

}  // namespace eagle::host
