// Planes one at a time: what is checked of each, and how it comes before the kernel.
#include <eagle/Error.h>

#include <bit>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>

#include "Arguments.h"
#include "Convert.h"
#include "Text.h"

namespace eagle::marshal {
namespace {

struct ScalarView {  // docs/artifacts.md, "The sidecar": scalar planes, numbers a sample
    void* data;
    std::uint64_t samples, stride;
    std::int32_t device_type, device_id;
};
struct VectorView {
    void* data;
    std::uint64_t samples, comp_stride, sample_stride;
    std::int32_t device_type, device_id;
};
static_assert(sizeof(ScalarView) == 32 && sizeof(VectorView) == 40);

std::int64_t item_of(const Parameter& p) { return static_cast<std::int64_t>(dtype_size(p.dtype)); }

[[noreturn]] void refuse_type(const Arguments& a, const Parameter& p, ElementType found, bool safe) {
    std::string needed(dtype_name(p.dtype));
    std::string text = who(a.signature, p) + " has dtype " + element_type_name(found);
    if (found.swapped)
        text += "; it needs " + needed + " in this machine's byte order: convert it first, as with x.astype(\"" +
                needed + "\")";
    else if (a.signature.writes(p))
        text += "; it is written in place and needs " + needed + ": give an array of that dtype";
    else if (safe)
        text += "; it needs " + needed + ", and nothing is converted here: convert it first, as with x.astype(\"" +
                needed + "\")";
    else
        text += "; it needs " + needed + (p.dtype == Dtype::boolean ? " or 8-bit integers" : "") +
                ", and the conversion is not safe: convert it yourself";
    throw BufferRefused(text);
}

void check_type(const Arguments& a, const Parameter& p, Slot& slot) {
    slot.same_type = same_type(slot.view.type, p.dtype);
    if (slot.same_type) return;
    bool safe = converts_safely(slot.view.type, p.dtype);
    if (!safe || slot.written || a.options.conversion == Conversion::refuse) refuse_type(a, p, slot.view.type, safe);
}

void check_memory(const Arguments& a, const Parameter& p, const ArrayView& view) {
    for (int i = 0; i < view.ndim; ++i)
        if (view.shape[static_cast<std::size_t>(i)] < 0)
            throw LayoutError(who(a.signature, p) + " has shape " + shape_text(view) +
                              "; it needs extents of 0 or more: the producer is at fault");
    if (view.data == nullptr && view.size() != 0)
        throw BufferRefused(who(a.signature, p) + " has shape " + shape_text(view) +
                            " and no memory; it needs real data (a fake or meta array?): materialise it first");
}

void check_writable(const Arguments& a, const Parameter& p, const Slot& slot) {
    if (!slot.view.read_only) return;
    throw BufferRefused(who(a.signature, p) +
                        " is read-only, and the kernel writes it; it needs a writable array: pass a copy");
}

void check_written(const Arguments& a, const Parameter& p, const Slot& slot) {
    check_writable(a, p, slot);
    if (slot.obstacle == Obstacle::zero_stride || slot.obstacle == Obstacle::negative_stride)
        throw LayoutError(who(a.signature, p) + " " + obstacle_text(slot.obstacle) +
                          ", and the kernel writes it; it needs positive strides: pass a copy");
    if (overlaps_itself(Footprint::of(slot.reading, slot.view.data, item_of(p))))
        throw LayoutError(who(a.signature, p) +
                          " has elements that share memory, and the kernel writes it; it needs distinct elements: "
                          "pass a copy");
}

void check_count(const Arguments& a, const Parameter& p, const Slot& slot) {
    if (slot.reading.samples > std::numeric_limits<std::uint32_t>::max() && a.signature.find("nsamples") >= 0)
        throw LayoutError(who(a.signature, p) + " has " + std::to_string(slot.reading.samples) +
                          " samples; this kernel counts them in 32 bits, at most 4294967295: split the batch");
}

// What most arguments are, a dense (N,) array of the right dtype, passes without the general reading of axes.
bool dense_scalars(const Parameter& p, Slot& slot) {
    std::int64_t item = item_of(p), samples = slot.view.shape[0];
    auto address = reinterpret_cast<std::uintptr_t>(slot.view.data);
    if (!p.scalar() || !p.is_sample_plane() || slot.view.ndim != 1 || !slot.same_type || samples <= 0 ||
        slot.view.strides[0] != item || address == 0 || (address & static_cast<std::uintptr_t>(item - 1)) != 0)
        return false;
    slot.reading.samples = samples;
    slot.reading.sample_stride = item;
    slot.reading.col_stride = slot.reading.row_stride = samples * item;
    slot.low = address;
    slot.high = address + static_cast<std::uintptr_t>(samples * item);
    return true;
}

void note(Arguments& a, Notice::Kind kind, const Parameter& p, std::string text) {
    a.notices.push_back({kind, p.name, std::move(text)});
}

void note_copy(Arguments& a, const Parameter& p, const Slot& slot) {
    // No extents in these texts: a caller shows each once, and extents differ from call to call.
    if (slot.obstacle != Obstacle::none)
        note(a, Notice::Kind::layout, p,
             who(a.signature, p) + " " + obstacle_text(slot.obstacle) + " and is copied" +
                 (slot.written ? " and back" : "") + "; the kernel reads " + native_text(p) +
                 " with positive strides: keep it so to save the copy");
    if (!slot.same_type)
        note(a, Notice::Kind::performance, p,
             who(a.signature, p) + " has dtype " + element_type_name(slot.view.type) +
                 " and is converted by value to " + std::string(dtype_name(p.dtype)) +
                 "; give that dtype to save the copy");
}

std::size_t bytes_of(const Arguments& a, const Parameter& p, std::int64_t samples) {
    std::int64_t bytes = 0;
    if (__builtin_mul_overflow(samples, static_cast<std::int64_t>(p.width()) * item_of(p), &bytes))
        throw OutOfMemory(who(a.signature, p) + " would need more bytes than memory can have, for " +
                          std::to_string(samples) + " samples: give it fewer");
    return static_cast<std::size_t>(bytes);
}

std::shared_ptr<void> host_memory(std::size_t bytes) {
    constexpr std::size_t alignment = 64;
    std::size_t rounded = (bytes + alignment) / alignment * alignment;
    void* memory = std::aligned_alloc(alignment, rounded);
    if (memory == nullptr) return nullptr;
    return {memory, &std::free};
}

void* checked(const Arguments& a, const Parameter& p, const std::shared_ptr<void>& memory, std::size_t bytes) {
    if (memory == nullptr && bytes != 0)
        throw OutOfMemory("no memory for " + std::to_string(bytes) + " bytes of " + who(a.signature, p) +
                          ": use a smaller batch");
    return memory.get();
}

// Dense, native: components before samples.
Reading native_reading(const Parameter& p, std::int64_t samples, bool one) {
    Reading r;
    r.samples = samples;
    r.one = one;
    r.rows = p.rows;
    r.cols = p.cols;
    r.sample_stride = item_of(p);
    r.col_stride = samples * item_of(p);
    r.row_stride = r.col_stride * r.cols;
    return r;
}

void fill_block(const Parameter& p, Slot& slot, const Reading& reading, void* data) {
    int shift = std::countr_zero(dtype_size(p.dtype));
    auto in_elements = [&](std::int64_t bytes) { return static_cast<std::uint64_t>(bytes) >> shift; };
    auto samples = static_cast<std::uint64_t>(reading.samples);
    if (p.vector_view) {
        VectorView v{data,
                     samples,
                     in_elements(reading.col_stride),
                     in_elements(reading.sample_stride),
                     slot.view.device_type,
                     slot.view.device_id};
        std::memcpy(slot.block.bytes, &v, sizeof v);
        slot.block.size = sizeof v;
    } else {
        ScalarView v{data, samples, in_elements(reading.sample_stride), slot.view.device_type, slot.view.device_id};
        std::memcpy(slot.block.bytes, &v, sizeof v);
        slot.block.size = sizeof v;
    }
}

}  // namespace

void check_devices(const Arguments& a) {
    const Slot* first = nullptr;
    std::size_t first_index = 0;
    for (std::size_t i = 0; i < a.count; ++i) {
        const Slot& slot = a.slots[i];
        if (!slot.plane) continue;
        if (first == nullptr) {
            first = &slot;
            first_index = i;
        } else if (slot.view.device_type != first->view.device_type || slot.view.device_id != first->view.device_id) {
            throw BufferRefused(who(a.signature, a.parameter(i)) + " is on " +
                                device_text(slot.view.device_type, slot.view.device_id) + ", '" +
                                a.parameter(first_index).name + "' is on " +
                                device_text(first->view.device_type, first->view.device_id) +
                                "; a call needs every array on one device: copy one of them over");
        }
    }
    if (first != nullptr &&
        (first->view.device_type != a.options.device_type || first->view.device_id != a.options.device_id))
        throw BufferRefused(who(a.signature, a.parameter(first_index)) + " is on " +
                            device_text(first->view.device_type, first->view.device_id) + "; this call runs on " +
                            device_text(a.options.device_type, a.options.device_id) + ": copy it there first");
}

void check_plane(const Arguments& a, std::size_t i, Slot& slot) {
    const Parameter& p = a.parameter(i);
    check_type(a, p, slot);
    if (dense_scalars(p, slot)) {
        if (slot.written) check_writable(a, p, slot);
        return check_count(a, p, slot);
    }
    check_memory(a, p, slot.view);
    SamplesAxis axis = slot.view.axis != SamplesAxis::unspecified ? slot.view.axis : a.options.layout;
    slot.reading =
        p.is_sample_plane() ? read_plane(a.signature, p, slot.view, axis) : read_table(a.signature, p, slot.view);
    std::int64_t item = slot.view.type.bits / 8;
    settle_strides(slot.reading, item);
    slot.obstacle = obstacle(slot.reading, slot.view.data, item);
    if (slot.written) check_written(a, p, slot);
    if (slot.obstacle != Obstacle::none && a.options.conversion == Conversion::refuse)
        throw LayoutError(who(a.signature, p) + " " + obstacle_text(slot.obstacle) +
                          ", and nothing is copied here; it needs " + native_text(p) +
                          " with positive strides: pass a contiguous copy of that shape");
    Footprint footprint = Footprint::of(slot.reading, slot.view.data, item);
    slot.low = footprint.low;
    slot.high = footprint.high;
    check_count(a, p, slot);
}

void check_overlap(const Arguments& a, std::size_t i, const Slot& slot) {
    for (std::size_t k = 0; k < a.count; ++k) {
        const Slot& other = a.slots[k];
        if (k == i || !other.plane || (!slot.written && !other.written)) continue;
        if (slot.high <= other.low || other.high <= slot.low) continue;
        Footprint mine = Footprint::of(slot.reading, slot.view.data, slot.view.type.bits / 8);
        if (!overlap(mine, Footprint::of(other.reading, other.view.data, other.view.type.bits / 8))) continue;
        const Parameter& mutated = a.parameter(slot.written ? i : k);
        const Parameter& second = a.parameter(slot.written ? k : i);
        throw BufferRefused(who(a.signature, mutated) + " shares memory with '" + second.name +
                            "', and the kernel writes it; it needs memory of its own: pass a copy of one of them");
    }
}

void fill_view_block(const Parameter& p, Slot& slot, void* data) { fill_block(p, slot, slot.reading, data); }

void bind_plane(Arguments& a, std::size_t i, Slot& slot) {
    const Parameter& p = a.parameter(i);
    if (slot.obstacle == Obstacle::none && slot.same_type) return fill_block(p, slot, slot.reading, slot.view.data);
    std::size_t bytes = bytes_of(a, p, slot.reading.samples);
    slot.memory = host_memory(bytes);
    void* copy = checked(a, p, slot.memory, bytes);
    copy_in(a.signature, p, slot.view, slot.reading, copy);
    slot.copied = true;
    if (!p.is_sample_plane()) {
        Reading dense = slot.reading;
        dense.sample_stride = item_of(p);
        fill_block(p, slot, dense, copy);
    } else {
        fill_block(p, slot, native_reading(p, slot.reading.samples, slot.reading.one), copy);
    }
    note_copy(a, p, slot);
}

void allocate_out(Arguments& a, std::size_t i) {
    const Parameter& p = a.parameter(i);
    Slot& slot = a.slots[i];
    std::int64_t shape[3];
    std::size_t ndim = 0;
    if (!p.scalar()) {
        shape[ndim++] = p.matrix ? p.rows : p.width();
        if (p.matrix) shape[ndim++] = p.cols;
    }
    if (!a.one) shape[ndim++] = a.samples;
    std::span<const std::int64_t> extents(shape, ndim);
    std::size_t bytes = bytes_of(a, p, a.samples);
    if (a.options.allocator != nullptr) {
        slot.memory = a.options.allocator->allocate(i, p, extents, bytes);
    } else {
        slot.memory = host_memory(bytes);
        if (slot.memory != nullptr) std::memset(slot.memory.get(), 0, bytes);
    }
    void* data = checked(a, p, slot.memory, bytes);
    slot.view = ArrayView::host(data, p.dtype, extents);
    slot.view.device_type = a.options.device_type;
    slot.view.device_id = a.options.device_id;
    slot.reading = native_reading(p, a.samples, a.one);
    slot.plane = slot.written = slot.allocated = true;
    fill_block(p, slot, slot.reading, data);
}

}  // namespace eagle::marshal
