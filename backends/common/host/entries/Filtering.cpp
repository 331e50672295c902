// The group filtering: compaction.
#include "../Capture.h"
#include "../CompactDesc.h"
#include "Samples.h"

using namespace eagle::host;

namespace {

using CompactDesc = struct eagle_backend_compact_desc;

void require_reachable(const CompactDesc& d, std::int32_t device) {
    const auto n = static_cast<std::uint64_t>(d.n);
    Reach reach(device);
    reach.require(d.mask, n, "desc->mask");
    reach.require(d.index_map, n * sizeof(std::int32_t), "desc->index_map");
    reach.require(d.scratch, compact_scratch_bytes(d.n), "desc->scratch");
    for (auto [cell, name] : {std::pair(d.count, "desc->count"), {d.live32, "desc->live32"}, {d.fire, "desc->fire"}}) {
        reach.require(cell, sizeof(std::uint32_t), name);
    }
    if (d.fire) reach.require(d.span, sizeof(std::uint32_t), "desc->span");
}

void compact(CompactDesc* desc) {
    const CompactDesc d = read_compact(desc);
    require_usable();
    require_device(d.device);
    check_compact(d);
    if (d.scratch == 0) {
        desc->scratch_bytes = static_cast<std::int64_t>(compact_scratch_bytes(d.n));
        return;
    }
    const CompactCall call = compact_call(d);
    Stream& stream = Streams::of_process().of_raw(d.stream, d.device);
    require_reachable(d, stream.device);
    submit_built_in(stream, [call] { run_compact(call); });
}

}  // namespace

eagle_backend_status eagle_backend_compact_device(struct eagle_backend_compact_desc* desc) {
    return entry("eagle_backend_compact_device", [&] { compact(desc); });
}
