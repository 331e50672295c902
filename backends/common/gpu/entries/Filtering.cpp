// Compaction, reorder and reset.
#include "../Filtering.h"

#include <algorithm>

#include "../../host/CheckArrays.h"
#include "../../host/CompactDesc.h"
#include "../../host/ReorderDesc.h"
#include "../Capture.h"
#include "Entries.h"

using namespace eagle::gpu;

namespace {

using CompactDesc = struct eagle_backend_compact_desc;
using ReorderDesc = struct eagle_backend_reorder_desc;

void compact(CompactDesc* desc) {
    const CompactDesc d = eagle::host::read_compact(desc);
    require_usable();
    const int device = device_of(d.device, d.stream);
    eagle::host::check_compact(d);
    const Current current(device);
    if (d.scratch == 0) {
        load_kernels(device);
        desc->scratch_bytes = static_cast<std::int64_t>(compact_scratch_bytes(d.n));
        return;
    }
    const eagle::host::CompactCall call = eagle::host::compact_call(d);
    require_apart_from_captures(d.stream, device);
    put_compact(call, device, d.stream);
}

void reorder(ReorderDesc* desc) {
    const ReorderDesc d = eagle::host::read_reorder(desc);
    require_usable();
    const int device = device_of(d.device, d.stream);
    eagle::host::require_samples(d.n);
    const auto* rows = eagle::host::read_rows(d);
    const Current current(device);
    const std::uint64_t scratch_bytes = reorder_scratch_bytes(d.n, eagle::host::widest(rows, d.n_planes));
    if (d.scratch == 0) {
        load_kernels(device);
        desc->scratch_bytes = static_cast<std::int64_t>(scratch_bytes);
        return;
    }
    eagle::host::ReorderCall call = eagle::host::reorder_call(d, rows);
    call.scratch = reinterpret_cast<void*>(d.scratch);
    eagle::host::require_apart(call, scratch_bytes);
    require_apart_from_captures(d.stream, device);
    put_reorder(call, device, d.stream);
}

void reset(const ReorderDesc* desc) {
    const ReorderDesc d = read_desc(desc, "desc");
    require_flags(d.flags, 0, "desc");
    require_usable();
    const int device = device_of(d.device, d.stream);
    eagle::host::require_samples(d.n);
    const eagle::host::ReorderCall call = eagle::host::reorder_call(d, nullptr);
    eagle::host::require_apart(call, 0);
    const Current current(device);
    require_apart_from_captures(d.stream, device);
    put_reset(call, device, d.stream);
}

}  // namespace

eagle_backend_status eagle_backend_compact_device(struct eagle_backend_compact_desc* desc) {
    return entry("eagle_backend_compact_device", [&] { compact(desc); });
}

eagle_backend_status eagle_backend_reorder_device(struct eagle_backend_reorder_desc* desc) {
    return entry("eagle_backend_reorder_device", [&] { reorder(desc); });
}

eagle_backend_status eagle_backend_reset_device(struct eagle_backend_reorder_desc* desc) {
    return entry("eagle_backend_reset_device", [&] { reset(desc); });
}
