// Device code of the group filtering: compaction, reorder, reset.
//
// It needs no runtime library and no header of a toolkit. Blocks are multiples of 32 threads, and every thread of a block
// comes to every warp operation.
#include "KernelTypes.h"

using namespace eagle::gpu;

namespace {

typedef unsigned long long Word;

constexpr unsigned all_lanes = 0xffffffffu;
constexpr unsigned least_span = 4096;  // a reorder of fewer samples costs more than it saves

// ---- the scan: one pass over the tiles, each of which looks back at what lies before it ----
//
// The state of a tile is one word, so that its flag and its values are seen together: 2 bits of flag, 27 of live groups,
// 31 of kept samples. (D. Merrill and M. Garland, "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016.)

constexpr Word has_own = Word(1) << 58, has_all = Word(2) << 58;
constexpr Word flag_bits = Word(3) << 58;
constexpr unsigned kept_bits = 31;

struct Sums {
    unsigned kept, live;
};

__device__ Word packed(Sums s) { return Word(s.live) << kept_bits | s.kept; }
__device__ Sums unpacked(Word w) {
    Sums s = {unsigned(w & ((Word(1) << kept_bits) - 1)), unsigned((w & ~flag_bits) >> kept_bits)};
    return s;
}

__device__ void publish(Word* states, unsigned tile, Word flag, Sums s) {
    *static_cast<volatile Word*>(states + tile) = flag | packed(s);
}

__device__ unsigned warp_sum(unsigned value) {
    for (unsigned d = 16; d > 0; d /= 2) value += __shfl_down_sync(all_lanes, value, d);
    return __shfl_sync(all_lanes, value, 0);
}

// What all tiles before this one hold. Called by one warp; 32 tiles are looked at together.
__device__ Sums look_back(const Word* states, unsigned tile, unsigned lane) {
    Sums before = {0, 0};
    for (int at = int(tile) - 1;; at -= 32) {
        const int mine = at - int(lane);
        Word state = has_all;
        do {
            if (mine >= 0) state = *static_cast<const volatile Word*>(states + mine);
        } while (__ballot_sync(all_lanes, (state & flag_bits) == 0) != 0);
        const unsigned ends = __ballot_sync(all_lanes, (state & flag_bits) == has_all);
        const unsigned last = ends ? unsigned(__ffs(int(ends)) - 1) : 31u;
        const Sums s = unpacked(state);
        const bool counts = mine >= 0 && lane <= last;
        before.kept += warp_sum(counts ? s.kept : 0u);
        before.live += warp_sum(counts ? s.live : 0u);
        if (ends) return before;
    }
}

// One tile of a mask, as the threads of its block see it.
struct Tile {
    unsigned index, lane, warp, first;  // first: the warp's first sample
    unsigned votes[scan_rounds];        // bit b: the warp's sample 32 * round + b is kept
    unsigned kept_before;               // the warp's first sample has that many kept ones before it, in all tiles
    bool is_last;
    Sums all;  // of thread 0 of the last tile: of the whole mask
};

__device__ unsigned next_tile(ScanHeader* header) {
    __shared__ unsigned tile;
    if (threadIdx.x == 0) tile = atomicAdd(&header->next_tile, 1u);
    __syncthreads();
    return tile;
}

__device__ Sums vote(Tile& t, const unsigned char* mask, unsigned drop, unsigned n) {
    Sums own = {0, 0};
    for (unsigned r = 0; r < scan_rounds; ++r) {
        const unsigned i = t.first + r * 32 + t.lane;
        const bool is_kept = i < n && (mask[i] != 0) != (drop != 0);
        t.votes[r] = __ballot_sync(all_lanes, is_kept);
        own.kept += unsigned(__popc(t.votes[r]));
        own.live += t.votes[r] != 0;
    }
    return own;
}

// Finds the tile of this block; false for a block that has none.
__device__ bool scan_tile_of(Tile& t, ScanHeader* header, Word* states, const unsigned char* mask, unsigned drop) {
    __shared__ Sums of_warp[scan_threads / 32];
    __shared__ Sums before;
    const unsigned n = header->span, tiles = (n + scan_tile - 1) / scan_tile;
    t.index = next_tile(header);
    if (t.index >= tiles) return false;
    t.lane = threadIdx.x % 32;
    t.warp = threadIdx.x / 32;
    t.first = t.index * scan_tile + t.warp * scan_rounds * 32;
    t.is_last = t.index + 1 == tiles;
    const Sums own = vote(t, mask, drop, n);
    if (t.lane == 0) of_warp[t.warp] = own;
    __syncthreads();
    if (t.warp == 0) {
        const bool is_warp = t.lane < scan_threads / 32;
        Sums tile = {warp_sum(is_warp ? of_warp[t.lane].kept : 0u), warp_sum(is_warp ? of_warp[t.lane].live : 0u)};
        if (t.lane == 0 && t.index > 0) publish(states, t.index, has_own, tile);
        const Sums found = look_back(states, t.index, t.lane);
        tile.kept += found.kept;
        tile.live += found.live;
        if (t.lane == 0) {
            publish(states, t.index, has_all, tile);
            before = found;
            t.all = tile;
        }
    }
    __syncthreads();
    t.kept_before = before.kept;
    for (unsigned w = 0; w < t.warp; ++w) t.kept_before += of_warp[w].kept;
    return true;
}

__device__ unsigned sample_of_thread() { return blockIdx.x * blockDim.x + threadIdx.x; }

__device__ bool is_worth_a_reorder(const CompactArguments& a, Sums all) {
    const double full = double(a.theta) * 32.0 * double(all.live);
    return double(all.kept) < full && all.kept < *a.span && *a.span >= least_span;
}

__device__ void finish(const CompactArguments& a, Sums all) {
    *a.count = all.kept;
    if (a.live32) *a.live32 = all.live;
    if (a.fire) *a.fire = is_worth_a_reorder(a, all) ? 1u : 0u;
}

template <class T>
__device__ void gather(const int* from, unsigned kept, unsigned span, const T* data, T* moved) {
    const unsigned slot = sample_of_thread();
    if (slot >= span) return;
    moved[slot] = data[slot < kept ? from[slot] : from[span - 1 - (slot - kept)]];
}

template <class T>
__device__ void put_back(unsigned span, T* data, const T* moved) {
    const unsigned slot = sample_of_thread();
    if (slot < span) data[slot] = moved[slot];
}

}  // namespace

// `span` null: n samples; `fire` null: always active.
extern "C" __global__ void eagle_scan_begin(ScanHeader* header, Word* states, unsigned tiles, unsigned n,
                                            const unsigned* span, const unsigned* fire) {
    const unsigned i = sample_of_thread();
    if (i < tiles) states[i] = 0;
    if (i != 0) return;
    header->next_tile = 0;
    header->is_active = !fire || *fire != 0;
    header->span = !span || *span > n ? n : *span;
    header->kept = 0;
}

extern "C" __global__ void __launch_bounds__(scan_threads) eagle_compact(CompactArguments a) {
    Tile t;
    if (!scan_tile_of(t, a.header, a.states, a.mask, a.mask_is_drop)) {
        const Sums none = {0, 0};
        if (a.header->span == 0 && threadIdx.x == 0) finish(a, none);
        return;
    }
    unsigned at = t.kept_before;
    for (unsigned r = 0; r < scan_rounds; ++r) {
        const unsigned vote_bits = t.votes[r], below = vote_bits & ((1u << t.lane) - 1u);
        if (vote_bits >> t.lane & 1u) a.index_map[at + unsigned(__popc(below))] = int(t.first + r * 32 + t.lane);
        at += unsigned(__popc(vote_bits));
    }
    if (t.is_last && threadIdx.x == 0) finish(a, t.all);
}

extern "C" __global__ void __launch_bounds__(scan_threads) eagle_reorder_find(ReorderArguments a) {
    if (!a.header->is_active) return;
    Tile t;
    if (!scan_tile_of(t, a.header, a.states, a.mask, a.mask_is_drop)) return;
    unsigned at = t.kept_before;
    for (unsigned r = 0; r < scan_rounds; ++r) {
        const unsigned i = t.first + r * 32 + t.lane, vote_bits = t.votes[r];
        const unsigned kept = at + unsigned(__popc(vote_bits & ((1u << t.lane) - 1u)));
        if (i < a.header->span) {
            const unsigned dropped = i - kept;
            a.from[vote_bits >> t.lane & 1u ? kept : a.header->span - 1 - dropped] = int(i);
        }
        at += unsigned(__popc(vote_bits));
    }
    if (t.is_last && threadIdx.x == 0) a.header->kept = t.all.kept;
}

extern "C" __global__ void eagle_reorder_gather(const ScanHeader* header, const int* from, const void* data, void* moved,
                                                unsigned bytes) {
    if (!header->is_active) return;
    const unsigned kept = header->kept, span = header->span;
    switch (bytes) {
        case 1:
            return gather(from, kept, span, (const unsigned char*)data, (unsigned char*)moved);
        case 2:
            return gather(from, kept, span, (const unsigned short*)data, (unsigned short*)moved);
        case 4:
            return gather(from, kept, span, (const unsigned*)data, (unsigned*)moved);
        case 8:
            return gather(from, kept, span, (const Word*)data, (Word*)moved);
        default:
            return gather(from, kept, span, (const uint4*)data, (uint4*)moved);
    }
}

extern "C" __global__ void eagle_reorder_put_back(const ScanHeader* header, void* data, const void* moved,
                                                  unsigned bytes) {
    if (!header->is_active) return;
    switch (bytes) {
        case 1:
            return put_back(header->span, (unsigned char*)data, (const unsigned char*)moved);
        case 2:
            return put_back(header->span, (unsigned short*)data, (const unsigned short*)moved);
        case 4:
            return put_back(header->span, (unsigned*)data, (const unsigned*)moved);
        case 8:
            return put_back(header->span, (Word*)data, (const Word*)moved);
        default:
            return put_back(header->span, (uint4*)data, (const uint4*)moved);
    }
}

// inv from perm, and the index map. A value of perm that is no sample is left out: nothing is written outside of inv.
extern "C" __global__ void eagle_reorder_maps(ReorderArguments a) {
    if (!a.header->is_active) return;
    const unsigned slot = sample_of_thread();
    if (slot >= a.header->span) return;
    const unsigned sample = unsigned(a.perm[slot]);
    if (sample < a.n) a.inv[sample] = int(slot);
    if (slot < a.header->kept) a.index_map[slot] = int(slot);
}

extern "C" __global__ void eagle_reorder_end(ReorderArguments a) {
    if (!a.header->is_active) return;
    *a.count = *a.span = a.header->kept;
    if (a.fire) *a.fire = 0;
}

extern "C" __global__ void eagle_reset(int* perm, int* inv, int* index_map, unsigned* count, unsigned* span, unsigned n) {
    const unsigned i = sample_of_thread();
    if (i == 0) *count = *span = n;
    if (i >= n) return;
    perm[i] = inv[i] = int(i);
    if (index_map) index_map[i] = int(i);
}
