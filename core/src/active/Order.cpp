#include "active/Order.h"

#include <eagle/Error.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "backend/Entry.h"
#include "lowering/KernelCall.h"
#include "lowering/builtin/entries.h"

namespace eagle::active {
namespace {

using ReorderDesc = struct eagle_backend_reorder_desc;

ReorderDesc describe(const Site& site, const Array& perm, const Array& inv) {
    ReorderDesc desc{};
    desc.struct_size = sizeof desc;
    desc.device = site.queue.device();
    desc.perm = address(perm);
    desc.inv = address(inv);
    desc.index_map = site.index_map;
    desc.count = site.cells.count_at;
    desc.span = site.cells.span_at;
    desc.n = site.n;
    desc.stream = site.queue.stream();
    return desc;
}

Array words(const Site& site, Dtype dtype, std::int64_t count) {
    const std::int64_t shape[] = {count};
    Array made = Array::empty(shape, dtype, site.queue.backend(), site.queue.device());
    site.queue.follow_default_stream();
    return made;
}

void require(const Backend& backend) {
    const auto& seam = backend.table();
    backend.require_symbol(reinterpret_cast<const void*>(seam.reorder_device), "eagle_backend_reorder_device");
    backend.require_symbol(reinterpret_cast<const void*>(seam.reset_device), "eagle_backend_reset_device");
}

}  // namespace

Cells::Cells(const Backend& backend, std::int32_t device, std::uint32_t n) {
    const std::int64_t one[] = {1}, two[] = {2};
    count = Array::zeros(one, Dtype::uint32, backend, device);
    span = Array::empty(one, Dtype::uint32, backend, device);
    trigger = Array::zeros(two, Dtype::uint32, backend, device);
    span.assign(ArrayView::of(std::span(&n, 1)));
    count_at = address(count);
    span_at = address(span);
    groups_at = address(trigger);
    fire_at = groups_at + sizeof(std::uint32_t);
}

Order::Order(Site site) : site_(site), builtin_(site.queue.backend(), site.queue.device()) {
    require(site.queue.backend());
    perm_ = words(site, Dtype::int32, site.n);
    inv_ = words(site, Dtype::int32, site.n);
    ReorderDesc desc = describe(site_, perm_, inv_);
    // Beside the identity the call writes count and span, which may say something already.
    const Array unused = words(site, Dtype::uint32, 2);
    desc.index_map = 0;
    desc.count = address(unused);
    desc.span = address(unused) + sizeof(std::uint32_t);
    const Backend& backend = site_.queue.backend();
    backend.check(backend.table().reset_device(&desc), "reset_device");
    site_.queue.wait();
}

void Order::scratch_of(std::uint64_t bytes) {
    if (static_cast<std::uint64_t>(scratch_.view().size()) >= bytes && scratch_.view().ndim != 0) return;
    site_.queue.wait();  // work on the stream may use the old one
    scratch_ = words(site_, Dtype::boolean, static_cast<std::int64_t>(bytes));
}

void Order::reorder(std::span<const Row> rows, bool if_fired) {
    const Backend& backend = site_.queue.backend();
    std::vector<eagle_backend_reorder_plane> planes;
    for (const Row& row : rows) planes.push_back({row.address, row.bytes, 0});
    ReorderDesc desc = describe(site_, perm_, inv_);
    desc.flags = site_.flags;
    desc.n_planes = static_cast<std::uint32_t>(planes.size());
    desc.planes = reinterpret_cast<std::uint64_t>(planes.data());
    desc.mask = site_.mask;
    desc.fire = if_fired ? site_.cells.fire_at : 0;
    backend.check(backend.table().reorder_device(&desc), "reorder_device");
    scratch_of(static_cast<std::uint64_t>(desc.scratch_bytes));
    desc.scratch = address(scratch_);
    backend.check(backend.table().reorder_device(&desc), "reorder_device");
    moved_ = true;
    samples_.reset();
}

void Order::restore(std::span<const Row> rows) {
    if (!moved_) return;
    std::optional<std::uint64_t> gather;
    try {
        gather = builtin_.function(builtin::Gather::entry);
    } catch (const BackendUnavailable&) {  // the way over the host is longer, and there on every kind
    }
    if (gather)
        restore_there(rows, *gather);
    else
        restore_over_host(rows);
    reset();
}

void Order::restore_there(std::span<const Row> rows, std::uint64_t function) {
    std::uint32_t widest = 4;
    for (const Row& row : rows) widest = std::max(widest, row.bytes);
    scratch_of(static_cast<std::uint64_t>(site_.n) * widest);
    builtin::Gather gather{};
    const void* params[] = {&gather};
    const std::uint64_t sizes[] = {sizeof gather};
    lowering::KernelCall call;
    call.function = function;
    call.part = {0, site_.n, site_.n};
    call.params = params;
    call.sizes = sizes;
    call.count = 1;
    for (const Row& row : rows) {
        gather = {row.address, address(scratch_), address(inv_), row.bytes};
        call.put(site_.queue.backend(), site_.queue.device(), site_.queue.stream());
        site_.queue.copy(row.address, address(scratch_), static_cast<std::uint64_t>(site_.n) * row.bytes);
    }
}

void Order::restore_over_host(std::span<const Row> rows) {
    const std::vector<std::int32_t>& order = samples();
    std::vector<std::byte> moved, restored;
    for (const Row& row : rows) {
        site_.queue.read(row.address, order.size() * row.bytes, moved);
        restored.resize(moved.size());
        for (std::size_t slot = 0; slot < order.size(); ++slot)
            std::memcpy(&restored[static_cast<std::size_t>(order[slot]) * row.bytes], &moved[slot * row.bytes],
                        row.bytes);
        site_.queue.write(row.address, restored.size(), restored.data());
    }
}

void Order::reset() {
    ReorderDesc desc = describe(site_, perm_, inv_);
    const Backend& backend = site_.queue.backend();
    backend.check(backend.table().reset_device(&desc), "reset_device");
    moved_ = false;
    samples_.reset();
}

const std::vector<std::int32_t>& Order::samples() {
    if (!samples_) site_.queue.read(address(perm_), static_cast<std::size_t>(site_.n), samples_.emplace());
    return *samples_;
}

}  // namespace eagle::active
