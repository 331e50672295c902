#include "ReorderDesc.h"

#include <algorithm>
#include <cstddef>

#include "CheckArrays.h"

namespace eagle::host {
namespace {

using ReorderDesc = struct eagle_backend_reorder_desc;

constexpr std::uint32_t up_to_scratch_bytes = offsetof(ReorderDesc, scratch_bytes) + sizeof(std::int64_t);

// What the call reads or writes for every sample.
struct Range {
    std::string name;
    std::uint64_t begin, end;
};

void require_apart(std::vector<Range> ranges) {
    std::sort(ranges.begin(), ranges.end(), [](const Range& a, const Range& b) { return a.begin < b.begin; });
    for (std::size_t i = 1; i < ranges.size(); ++i) {
        const Range &a = ranges[i - 1], &b = ranges[i];
        if (b.begin < a.end) {
            refuse(a.name + " and " + b.name + " overlap by " + std::to_string(std::min(a.end, b.end) - b.begin) +
                   " bytes; every array must have memory of its own");
        }
    }
}

std::vector<ReorderPlane> read_planes(const ReorderDesc& d, const ReorderRow* rows) {
    std::vector<ReorderPlane> planes;
    for (std::uint32_t i = 0; i < d.n_planes; ++i) {
        const std::string name = row_name(i) + ".data";
        void* data = samples_at<std::uint8_t>(rows[i].data, name, d.n);
        require_aligned(rows[i].data, name, rows[i].elem_bytes);
        planes.push_back({data, rows[i].elem_bytes});
    }
    auto is_mask = [&](const ReorderPlane& p) {
        return p.data == reinterpret_cast<void*>(d.mask) && p.elem_bytes == 1;
    };
    if (std::none_of(planes.begin(), planes.end(), is_mask)) {
        refuse("desc->mask is none of the " + std::to_string(d.n_planes) +
               " planes; it must be one of them, of 1 byte a sample, since it moves with the samples");
    }
    return planes;
}

void read_words(const ReorderDesc& d, ReorderCall& call) {
    call.n = d.n;
    call.perm = samples_at<std::int32_t>(d.perm, "desc->perm", d.n);
    call.inv = samples_at<std::int32_t>(d.inv, "desc->inv", d.n);
    call.count = array_at<std::uint32_t>(d.count, "desc->count");
    call.span = array_at<std::uint32_t>(d.span, "desc->span");
}

}  // namespace

std::string row_name(std::uint32_t i) { return "desc->planes[" + std::to_string(i) + "]"; }

ReorderDesc read_reorder(const ReorderDesc* desc) {
    const ReorderDesc d = read_desc(desc, "desc", up_to_scratch_bytes);
    require_flags(d.flags, EAGLE_BACKEND_COMPACT_MASK_IS_DROP, "desc");
    return d;
}

const ReorderRow* read_rows(const ReorderDesc& d) {
    if (d.n_planes == 0) refuse("desc->n_planes is 0; it must be 1 or more: the mask is one of the planes");
    const auto* rows = array_at<const ReorderRow>(d.planes, "desc->planes");
    for (std::uint32_t i = 0; i < d.n_planes; ++i) {
        const std::uint32_t bytes = rows[i].elem_bytes;
        if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8 && bytes != 16) {
            refuse(row_name(i) + ".elem_bytes is " + std::to_string(bytes) + "; it must be 1, 2, 4, 8 or 16");
        }
        if (rows[i].reserved != 0) {
            refuse(row_name(i) + ".reserved is " + std::to_string(rows[i].reserved) + "; it must be 0");
        }
    }
    return rows;
}

std::uint32_t widest(const ReorderRow* rows, std::uint32_t count) {
    auto narrower = [](const ReorderRow& a, const ReorderRow& b) { return a.elem_bytes < b.elem_bytes; };
    return std::max_element(rows, rows + count, narrower)->elem_bytes;
}

ReorderCall reorder_call(const ReorderDesc& d, const ReorderRow* rows) {
    ReorderCall call;
    if (rows) {
        call.planes = read_planes(d, rows);
        call.mask = reinterpret_cast<const std::uint8_t*>(d.mask);
        call.mask_is_drop = (d.flags & EAGLE_BACKEND_COMPACT_MASK_IS_DROP) != 0;
    }
    read_words(d, call);
    if (rows) {
        call.index_map = samples_at<std::int32_t>(d.index_map, "desc->index_map", d.n);
        if (d.fire) call.fire = array_at<std::uint32_t>(d.fire, "desc->fire");
    } else if (d.index_map) {
        call.index_map = array_at<std::int32_t>(d.index_map, "desc->index_map");
    }
    return call;
}

void require_apart(const ReorderCall& call, std::uint64_t scratch_bytes) {
    if (call.n == 0) return;
    std::vector<Range> ranges;
    const auto scratch = reinterpret_cast<std::uint64_t>(call.scratch);
    auto add = [&](std::string name, const void* data, std::uint64_t elem_bytes) {
        auto begin = reinterpret_cast<std::uint64_t>(data);
        ranges.push_back({std::move(name), begin, begin + static_cast<std::uint64_t>(call.n) * elem_bytes});
    };
    for (std::size_t i = 0; i < call.planes.size(); ++i) {
        add(row_name(static_cast<std::uint32_t>(i)), call.planes[i].data, call.planes[i].elem_bytes);
    }
    add("desc->perm", call.perm, 4);
    add("desc->inv", call.inv, 4);
    if (call.index_map) add("desc->index_map", call.index_map, 4);
    if (scratch_bytes > 0) ranges.push_back({"desc->scratch", scratch, scratch + scratch_bytes});
    require_apart(std::move(ranges));
}

}  // namespace eagle::host
