#include "Eager.h"

#include <eagle/Capture.h>
#include <eagle/Memory.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <stdexcept>

#include "backend/Table.h"
#include "lowering/builtin/entries.h"

namespace graphtest {

using namespace eagle;
using namespace eagle::graph;

Eager::Eager(const GraphDescription& description, const Module& builtin)
    : Eager(description, builtin, std::make_shared<Stream>(builtin.backend())) {}

Eager::Eager(const GraphDescription& description, const Module& builtin, std::shared_ptr<Stream> stream)
    : Walker(description), builtin_(builtin), stream_(std::move(stream)) {
    for (std::uint32_t p = 0; p < description.planes().size(); ++p) {
        const Plane& plane = description.planes()[p];
        const bool own = plane.scratch && plane.root == p;
        const auto bytes = static_cast<std::int64_t>(plane.bytes);
        scratch_.push_back(own ? Array::empty({bytes}, Dtype::boolean, builtin.backend()) : Array());
    }
}

void Eager::run() {
    ran_.clear();
    body(0);
    stream_->synchronize();
    rooms_.clear();
}

std::uint64_t Eager::at(PlaneRef plane) const {
    const Plane& of = description_.plane(plane);
    if (!of.scratch) return of.address;
    return reinterpret_cast<std::uint64_t>(scratch_[of.root].view().data) + of.offset;
}

bool Eager::on_host(PlaneRef plane) const {
    const Plane& of = description_.plane(plane);
    return of.scratch ? stream_->backend().host_only() : of.device.host();
}

std::uint32_t Eager::read(CellRef cell) {
    std::uint32_t value = 0;
    eagle::copy(stream_->backend(), reinterpret_cast<std::uint64_t>(&value), at(cell), sizeof value,
                on_host(cell) ? CopyKind::host_to_host : CopyKind::device_to_host, stream_->native());
    stream_->synchronize();
    return value;
}

void Eager::write(PlaneRef plane, std::span<const std::uint32_t> words) {
    eagle::copy(stream_->backend(), at(plane), reinterpret_cast<std::uint64_t>(words.data()), words.size_bytes(),
                on_host(plane) ? CopyKind::host_to_host : CopyKind::host_to_device, stream_->native());
    stream_->synchronize();
}

void Eager::work(const Node& node) {
    if (const auto* copied = std::get_if<Copy>(&node.work)) return copy(*copied);
    if (const auto* filled = std::get_if<Fill>(&node.work)) return fill(*filled);
    if (const auto* bare = std::get_if<Function>(&node.work)) return function(*bare);
    if (const auto* folded = std::get_if<Reduce>(&node.work)) return reduce(*folded);
    if (const auto* compacted = std::get_if<Compact>(&node.work)) return compact(*compacted);
    if (const auto* host = std::get_if<HostCall>(&node.work)) {
        const auto call = [](void* function) { (*static_cast<const std::function<void()>*>(function))(); };
        return host_function(stream_->backend(), stream_->native(), call,
                             const_cast<std::function<void()>*>(&host->call));
    }
    if (const auto* child = std::get_if<Child>(&node.work)) {
        Eager inner(*child->graph, builtin_, stream_);
        inner.run();
        ran_.insert(ran_.end(), inner.ran_.begin(), inner.ran_.end());
        return;
    }
    throw std::logic_error("node '" + node.name + "' is a " + std::string(node.kind()) +
                           " node, which no random program has");
}

void Eager::copy(const Copy& work) {
    const bool from = on_host(work.from), to = on_host(work.to);
    const CopyKind kind = from ? to ? CopyKind::host_to_host : CopyKind::host_to_device
                          : to ? CopyKind::device_to_host
                               : CopyKind::device_to_device;
    eagle::copy(stream_->backend(), at(work.to), at(work.from), description_.plane(work.to).bytes, kind,
                stream_->native());
}

void Eager::launch(std::uint64_t function, std::int64_t count, const std::vector<const void*>& params,
                   const std::vector<std::uint64_t>& sizes) {
    eagle_backend_launch_desc desc{};
    desc.struct_size = sizeof desc;
    desc.device = stream_->device();
    desc.block = 64;
    desc.function = function;
    desc.params = reinterpret_cast<const std::uint64_t*>(params.data());
    desc.param_sizes = sizes.data();
    desc.nparams = static_cast<std::int64_t>(params.size());
    desc.count = desc.n_samples = count;
    desc.stream = stream_->native();
    std::int32_t launched = 0;
    const Backend& backend = stream_->backend();
    backend.check(backend.table().run_device(&desc, &launched), "run_device");
}

void Eager::fill(const Fill& work) {
    builtin::Fill argument{};
    argument.to = at(work.plane);
    argument.size = work.pattern.size();
    std::memcpy(argument.pattern, work.pattern.data(), work.pattern.size());
    const auto count = static_cast<std::int64_t>(description_.plane(work.plane).bytes / work.pattern.size());
    launch(builtin_.function(builtin::Fill::entry), count, {&argument}, {sizeof argument});
}

void Eager::function(const Function& work) {
    std::vector<std::array<std::byte, 16>> storage(work.arguments.size());
    std::vector<const void*> params;
    std::vector<std::uint64_t> sizes;
    for (std::size_t i = 0; i < storage.size(); ++i) {
        const FunctionArgument& argument = work.arguments[i];
        const std::uint64_t address = argument.plane ? at(argument.plane) : 0;
        const void* from = argument.plane ? static_cast<const void*>(&address) : argument.bytes.data();
        sizes.push_back(argument.plane ? sizeof address : argument.bytes.size());
        std::memcpy(storage[i].data(), from, sizes.back());
        params.push_back(storage[i].data());
    }
    launch(work.function, work.count, params, sizes);
}

void Eager::reduce(const Reduce& work) {
    const Plane& from = description_.plane(work.from);
    const auto number = [](const ElementType& type) {
        for (int dtype = 0;; ++dtype)
            if (ElementType::of(static_cast<Dtype>(dtype)) == type) return dtype;
    };
    builtin::Reduce first{};
    first.from = at(work.from);
    first.to = at(work.workspace);
    first.n = from.size();
    first.block = Reduce::block;
    first.fold = static_cast<std::int32_t>(work.fold);
    first.from_type = number(from.type);
    first.to_type = number(description_.plane(work.into).type);
    first.ndim = from.ndim;
    std::copy(from.shape.begin(), from.shape.end(), first.shape);
    std::copy(from.strides.begin(), from.strides.end(), first.strides);
    const std::int64_t blocks = (first.n + first.block - 1) / first.block;
    builtin::Reduce second = first;
    second.from = first.to;
    second.to = at(work.into);
    second.n = second.block = blocks;
    second.from_type = first.to_type;
    second.ndim = 0;
    const std::uint64_t entry = builtin_.function(builtin::Reduce::entry);
    launch(entry, blocks, {&first}, {sizeof first});
    launch(entry, 1, {&second}, {sizeof second});
}

void Eager::compact(const Compact& work) {
    const Backend& backend = stream_->backend();
    eagle_backend_compact_desc desc{};
    desc.struct_size = sizeof desc;
    desc.device = stream_->device();
    desc.flags = work.drop ? EAGLE_BACKEND_COMPACT_MASK_IS_DROP : 0;
    desc.n = description_.plane(work.mask).size();
    desc.stream = stream_->native();
    backend.check(backend.table().compact_device(&desc), "compact_device");
    const Array& room = rooms_.emplace_back(Array::empty({desc.scratch_bytes}, Dtype::boolean, backend));
    desc.mask = at(work.mask);
    desc.index_map = at(work.map);
    desc.count = at(work.count);
    desc.scratch = reinterpret_cast<std::uint64_t>(room.view().data);
    backend.check(backend.table().compact_device(&desc), "compact_device");
}

}  // namespace graphtest
