#include "CompactDesc.h"

#include <cstddef>

#include "CheckArrays.h"

namespace eagle::host {
namespace {

using CompactDesc = struct eagle_backend_compact_desc;

constexpr std::uint32_t up_to_scratch_bytes = offsetof(CompactDesc, scratch_bytes) + sizeof(std::int64_t);

void require_zero(std::uint32_t found, const char* name) {
    if (found != 0) refuse(std::string(name) + " is " + std::to_string(found) + "; it must be 0");
}

void read_trigger(const CompactDesc& d, CompactCall& call) {
    if (d.live32) call.live32 = array_at<std::uint32_t>(d.live32, "desc->live32");
    if (!d.fire) return;
    call.fire = array_at<std::uint32_t>(d.fire, "desc->fire");
    if (!d.span) refuse("desc->fire is set and desc->span is null; the trigger compares with the samples now in use");
    call.span = array_at<std::uint32_t>(d.span, "desc->span");
    if (!(d.theta > 0 && d.theta < 1)) {
        refuse("desc->fire is set and desc->theta is " + std::to_string(d.theta) + "; it must lie between 0 and 1");
    }
    call.theta = d.theta;
}

}  // namespace

CompactDesc read_compact(const CompactDesc* desc) {
    const CompactDesc d = read_desc(desc, "desc", up_to_scratch_bytes);
    require_flags(d.flags, EAGLE_BACKEND_COMPACT_MASK_IS_DROP, "desc");
    return d;
}

void check_compact(const CompactDesc& d) {
    require_zero(d.reserved, "desc->reserved");
    require_zero(d.reserved2, "desc->reserved2");
    require_samples(d.n);
}

CompactCall compact_call(const CompactDesc& d) {
    CompactCall call;
    call.n = d.n;
    call.mask_is_drop = (d.flags & EAGLE_BACKEND_COMPACT_MASK_IS_DROP) != 0;
    call.mask = samples_at<std::uint8_t>(d.mask, "desc->mask", d.n);
    call.index_map = samples_at<std::int32_t>(d.index_map, "desc->index_map", d.n);
    call.count = array_at<std::uint32_t>(d.count, "desc->count");
    call.scratch = reinterpret_cast<void*>(d.scratch);
    read_trigger(d, call);
    return call;
}

}  // namespace eagle::host
