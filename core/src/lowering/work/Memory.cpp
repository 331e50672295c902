// Copies and fills.
#include "lowering/work/Memory.h"

#include <eagle/Capture.h>

#include <algorithm>

#include "backend/Entry.h"

namespace eagle::lowering {
namespace {

// Scratch lies where the graph runs.
bool on_host(const graph::Plane& plane, const Backend& backend) {
    return plane.scratch ? backend.host_only() : plane.device.host();
}

CopyKind kind_of(bool from_host, bool to_host) {
    if (from_host) return to_host ? CopyKind::host_to_host : CopyKind::host_to_device;
    return to_host ? CopyKind::device_to_host : CopyKind::device_to_device;
}

}  // namespace

CopyWork::CopyWork(Frame& frame, Site& site, std::uint32_t node)
    : frame_(frame), site_(site), copy_(std::get<graph::Copy>(frame.node(node).work)) {
    kind_ = kind_of(on_host(frame.plane(copy_.from), site.backend()), on_host(frame.plane(copy_.to), site.backend()));
}

void CopyWork::record(Recorder&, std::uint64_t stream) {
    to_ = frame_.at(copy_.to);
    from_ = frame_.at(copy_.from);
    copy(site_.backend(), to_, from_, frame_.plane(copy_.from).bytes, kind_, stream);
}

bool CopyWork::repoint(Launcher& launcher) {
    if (to_ != frame_.at(copy_.to)) return false;
    if (from_ == frame_.at(copy_.from)) return true;
    if (!launcher.can_set_memcpy_source() || handles.size() != 1) return false;
    launcher.set_memcpy_source(handles.front(), frame_.at(copy_.from));
    from_ = frame_.at(copy_.from);
    return true;
}

ClearWork::ClearWork(Frame& frame, Site& site, std::uint32_t node)
    : frame_(frame), site_(site), plane_(std::get<graph::Fill>(frame.node(node).work).plane) {}

void ClearWork::record(Recorder&, std::uint64_t stream) {
    to_ = frame_.at(plane_);
    clear(site_.backend(), to_, frame_.plane(plane_).bytes, stream);
}

PatternWork::PatternWork(Frame& frame, Site& site, std::uint32_t node)
    : KernelWork(site), frame_(frame), plane_(std::get<graph::Fill>(frame.node(node).work).plane) {
    const auto& pattern = std::get<graph::Fill>(frame.node(node).work).pattern;
    fill_.size = pattern.size();
    std::memcpy(fill_.pattern, pattern.data(), pattern.size());
    KernelCall call;
    call.function = site.builtin.function(builtin::Fill::entry);
    call.part = Partition::whole(static_cast<std::int64_t>(frame.plane(plane_).bytes / pattern.size()));
    call.params = &param_;
    call.sizes = &size_;
    call.count = 1;
    calls_.push_back(call);
    readdress();
}

std::unique_ptr<Work> make_fill(Frame& frame, Site& site, std::uint32_t node) {
    const auto& pattern = std::get<graph::Fill>(frame.node(node).work).pattern;
    const bool zero = std::all_of(pattern.begin(), pattern.end(), [](std::byte b) { return b == std::byte{0}; });
    if (zero && site.backend().table().memset_device != nullptr) return std::make_unique<ClearWork>(frame, site, node);
    return std::make_unique<PatternWork>(frame, site, node);
}

}  // namespace eagle::lowering
