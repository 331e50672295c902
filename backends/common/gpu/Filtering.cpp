#include "Filtering.h"

#include <algorithm>

#include "Capture.h"

namespace eagle::gpu {
namespace {

constexpr std::uint64_t alignment = 16;
constexpr unsigned block = 256;

std::uint64_t aligned(std::uint64_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

std::uint64_t samples_of(std::int64_t n) { return static_cast<std::uint64_t>(std::max<std::int64_t>(n, 1)); }

unsigned tiles_of(std::int64_t n) { return static_cast<unsigned>((samples_of(n) + scan_tile - 1) / scan_tile); }

unsigned blocks_of(std::uint64_t threads) { return static_cast<unsigned>((threads + block - 1) / block); }

std::uint64_t scan_bytes(std::int64_t n) { return aligned(sizeof(ScanHeader)) + aligned(8ull * tiles_of(n)); }

// The caller's scratch, at whatever address, cut up.
struct Scratch {
    ScanHeader* header;
    unsigned long long* states;
    std::uint64_t rest;
    Scratch(const void* scratch, std::int64_t n) {
        const std::uint64_t begin = aligned(reinterpret_cast<std::uint64_t>(scratch));
        header = reinterpret_cast<ScanHeader*>(begin);
        states = reinterpret_cast<unsigned long long*>(begin + aligned(sizeof(ScanHeader)));
        rest = begin + scan_bytes(n);
    }
};

template <class... Arguments>
void put(int device, KernelName name, unsigned grid, unsigned threads, RawStream stream, Arguments... arguments) {
    launch_kernel(device, name, grid, threads, stream, arguments...);
    Node node;
    node.type = NodeType::kernel;
    node.has_fixed_layout = true;
    node.arguments = sizeof...(Arguments);
    note_tip(stream, std::move(node));
}

void begin_scan(const Scratch& scratch, std::int64_t n, const unsigned* span, const unsigned* fire, int device,
                RawStream stream) {
    put(device, KernelName::eagle_scan_begin, blocks_of(tiles_of(n)), block, stream, scratch.header, scratch.states,
        tiles_of(n), static_cast<unsigned>(n), span, fire);
}

}  // namespace

std::uint64_t compact_scratch_bytes(std::int64_t n) {
    return std::max(aligned(12 * samples_of(n)), scan_bytes(n) + alignment);
}

std::uint64_t reorder_scratch_bytes(std::int64_t n, std::uint32_t widest) {
    const std::uint64_t samples = samples_of(n), widest_plane = samples * std::max<std::uint32_t>(widest, 4);
    return alignment + scan_bytes(n) + aligned(4 * samples) + aligned(widest_plane);
}

void put_compact(const host::CompactCall& call, int device, RawStream stream) {
    const Scratch scratch(call.scratch, call.n);
    begin_scan(scratch, call.n, nullptr, nullptr, device, stream);
    CompactArguments to{};
    to.header = scratch.header;
    to.states = scratch.states;
    to.mask = call.mask;
    to.index_map = call.index_map;
    to.count = call.count;
    to.live32 = call.live32;
    to.fire = call.fire;
    to.span = call.span;
    to.theta = call.theta;
    to.mask_is_drop = call.mask_is_drop;
    put(device, KernelName::eagle_compact, tiles_of(call.n), scan_threads, stream, to);
}

void put_reorder(const host::ReorderCall& call, int device, RawStream stream) {
    const Scratch scratch(call.scratch, call.n);
    const std::uint64_t moved = scratch.rest + aligned(4 * samples_of(call.n));
    ReorderArguments to{};
    to.header = scratch.header;
    to.states = scratch.states;
    to.mask = call.mask;
    to.from = reinterpret_cast<int*>(scratch.rest);
    to.perm = call.perm;
    to.inv = call.inv;
    to.index_map = call.index_map;
    to.count = call.count;
    to.span = call.span;
    to.fire = call.fire;
    to.n = static_cast<unsigned>(call.n);
    to.mask_is_drop = call.mask_is_drop;
    begin_scan(scratch, call.n, call.span, call.fire, device, stream);
    put(device, KernelName::eagle_reorder_find, tiles_of(call.n), scan_threads, stream, to);
    const unsigned blocks = blocks_of(samples_of(call.n));
    auto move = [&](void* data, unsigned bytes) {
        put(device, KernelName::eagle_reorder_gather, blocks, block, stream, scratch.header, to.from, data, moved,
            bytes);
        put(device, KernelName::eagle_reorder_put_back, blocks, block, stream, scratch.header, data, moved, bytes);
    };
    for (const host::ReorderPlane& plane : call.planes) move(plane.data, plane.elem_bytes);
    move(call.perm, sizeof(std::int32_t));
    put(device, KernelName::eagle_reorder_maps, blocks, block, stream, to);
    put(device, KernelName::eagle_reorder_end, 1, 1, stream, to);
}

void put_reset(const host::ReorderCall& call, int device, RawStream stream) {
    put(device, KernelName::eagle_reset, blocks_of(samples_of(call.n)), block, stream, call.perm, call.inv,
        call.index_map, call.count, call.span, static_cast<unsigned>(call.n));
}

}  // namespace eagle::gpu
