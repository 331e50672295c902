#include "lowering/work/Reductions.h"

#include "backend/Entry.h"

namespace eagle::lowering {
namespace {

std::int32_t type_number(const ElementType& type) {
    for (const Dtype dtype : {Dtype::float64, Dtype::float32, Dtype::int64, Dtype::int32, Dtype::uint32})
        if (ElementType::of(dtype) == type) return static_cast<std::int32_t>(dtype);
    return static_cast<std::int32_t>(Dtype::boolean);
}
static_assert(static_cast<int>(Dtype::float64) == 0 && static_cast<int>(Dtype::boolean) == 5);
static_assert(static_cast<int>(graph::Fold::sum) == 0 && static_cast<int>(graph::Fold::all) == 3);

eagle_backend_compact_desc compact_desc(const Site& site, std::int64_t n, bool drop) {
    eagle_backend_compact_desc desc{};
    desc.struct_size = sizeof desc;
    desc.device = site.device();
    desc.flags = drop ? EAGLE_BACKEND_COMPACT_MASK_IS_DROP : 0;
    desc.n = n;
    return desc;
}

}  // namespace

ReduceWork::ReduceWork(Frame& frame, Site& site, std::uint32_t node)
    : KernelWork(site), frame_(frame), reduce_(std::get<graph::Reduce>(frame.node(node).work)) {
    const graph::Plane& from = frame.plane(reduce_.from);
    const std::int64_t block = graph::Reduce::block, blocks = (from.size() + block - 1) / block;
    builtin::Reduce& first = stages_[0];
    first.n = from.size();
    first.block = block;
    first.fold = static_cast<std::int32_t>(reduce_.fold);
    first.from_type = type_number(from.type);
    first.to_type = type_number(frame.plane(reduce_.into).type);
    first.ndim = from.dense() ? 0 : from.ndim;
    std::copy(from.shape.begin(), from.shape.end(), first.shape);
    std::copy(from.strides.begin(), from.strides.end(), first.strides);
    builtin::Reduce& second = stages_[1];
    second = first;
    second.n = second.block = blocks;
    second.from_type = first.to_type;
    second.ndim = 0;
    KernelCall call;
    call.function = site.builtin.function(builtin::Reduce::entry);
    call.sizes = &size_;
    call.count = 1;
    if (!site.backend().takes_host_files()) call.block = builtin::Reduce::threads;
    for (std::size_t stage = 0; stage < 2; ++stage) {
        call.params = &params_[stage];
        call.part = Partition::whole(stage == 0 ? blocks : 1);
        calls_.push_back(call);
    }
    readdress();
}

void ReduceWork::readdress() {
    stages_[0].from = frame_.at(reduce_.from);
    stages_[0].to = stages_[1].from = frame_.at(reduce_.workspace);
    stages_[1].to = frame_.at(reduce_.into);
}

CompactWork::CompactWork(Frame& frame, Site& site, std::uint32_t node)
    : frame_(frame), site_(site), compact_(std::get<graph::Compact>(frame.node(node).work)) {}

std::array<std::uint64_t, 3> CompactWork::places() const {
    return {frame_.at(compact_.mask), frame_.at(compact_.map), frame_.at(compact_.count.plane)};
}

void CompactWork::record(Recorder&, std::uint64_t stream) {
    recorded_ = places();
    eagle_backend_compact_desc desc = compact_desc(site_, frame_.plane(compact_.mask).size(), compact_.drop);
    desc.mask = recorded_[0];
    desc.index_map = recorded_[1];
    desc.count = recorded_[2];
    desc.scratch = frame_.at(compact_.workspace);
    desc.stream = stream;
    site_.backend().check(site_.backend().table().compact_device(&desc), "compact_device");
}

bool CompactWork::repoint(Launcher&) { return recorded_ == places(); }

std::uint64_t compact_workspace(const Site& site, std::int64_t n) {
    site.backend().require(Group::filtering);
    eagle_backend_compact_desc desc = compact_desc(site, n, false);
    desc.stream = site.executor.stream().native();
    site.backend().check(site.backend().table().compact_device(&desc), "compact_device");
    return static_cast<std::uint64_t>(desc.scratch_bytes);
}

}  // namespace eagle::lowering
