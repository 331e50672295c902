// Reorder and reset, each bound by itself.
#include <memory>

#include "../Capture.h"
#include "../ReorderDesc.h"
#include "Samples.h"

using namespace eagle::host;

namespace {

using ReorderDesc = struct eagle_backend_reorder_desc;

void require_reachable(const ReorderDesc& d, const ReorderCall& call, std::uint64_t scratch_bytes, const Reach& reach) {
    const auto n = static_cast<std::uint64_t>(d.n);
    for (std::size_t i = 0; i < call.planes.size(); ++i) {
        const auto address = reinterpret_cast<std::uint64_t>(call.planes[i].data);
        reach.require(address, n * call.planes[i].elem_bytes, row_name(static_cast<std::uint32_t>(i)) + ".data");
    }
    reach.require(d.perm, n * sizeof(std::int32_t), "desc->perm");
    reach.require(d.inv, n * sizeof(std::int32_t), "desc->inv");
    reach.require(d.index_map, n * sizeof(std::int32_t), "desc->index_map");
    reach.require(d.count, sizeof(std::uint32_t), "desc->count");
    reach.require(d.span, sizeof(std::uint32_t), "desc->span");
    if (call.fire) reach.require(d.fire, sizeof(std::uint32_t), "desc->fire");
    reach.require(d.scratch, scratch_bytes, "desc->scratch");
}

void submit(const ReorderDesc& d, std::shared_ptr<const ReorderCall> call, std::uint64_t scratch_bytes,
            void (*run)(const ReorderCall&)) {
    Stream& stream = Streams::of_process().of_raw(d.stream, d.device);
    require_reachable(d, *call, scratch_bytes, Reach(stream.device));
    submit_built_in(stream, [call = std::move(call), run] { run(*call); });
}

void reorder(ReorderDesc* desc) {
    const ReorderDesc d = read_reorder(desc);
    require_usable();
    require_device(d.device);
    require_samples(d.n);
    const ReorderRow* rows = read_rows(d);
    if (d.scratch == 0) {
        desc->scratch_bytes = static_cast<std::int64_t>(reorder_scratch_bytes(d.n, widest(rows, d.n_planes)));
        return;
    }
    auto call = std::make_shared<ReorderCall>(reorder_call(d, rows));
    call->scratch = reinterpret_cast<void*>(d.scratch);
    const std::uint64_t scratch_bytes = reorder_scratch_bytes(d.n, widest(rows, d.n_planes));
    require_apart(*call, scratch_bytes);
    submit(d, std::move(call), scratch_bytes, &run_reorder);
}

void reset(const ReorderDesc* desc) {
    const ReorderDesc d = read_desc(desc, "desc");
    require_flags(d.flags, 0, "desc");
    require_usable();
    require_device(d.device);
    require_samples(d.n);
    auto call = std::make_shared<ReorderCall>(reorder_call(d, nullptr));
    require_apart(*call, 0);
    submit(d, std::move(call), 0, &run_reset);
}

}  // namespace

eagle_backend_status eagle_backend_reorder_device(struct eagle_backend_reorder_desc* desc) {
    return entry("eagle_backend_reorder_device", [&] { reorder(desc); });
}

eagle_backend_status eagle_backend_reset_device(struct eagle_backend_reorder_desc* desc) {
    return entry("eagle_backend_reset_device", [&] { reset(desc); });
}
