// Declaring planes and cells.
#include <eagle/GraphDescription.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "graph/Recording.h"
#include "graph/Text.h"

namespace eagle {

using namespace graph;

namespace {

void check_name(const Recording& recording, const std::string& name, const SourceLine& where) {
    if (name.empty()) refuse<ArgumentError>(where, "a plane has an empty name; it needs one: name it");
    if (std::any_of(name.begin(), name.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }))
        refuse<ArgumentError>(where, "the name of a plane holds a control character; it needs a printable one");
    if (auto found = recording.plane_names.find(name); found != recording.plane_names.end())
        refuse<ArgumentError>(where, "a plane named " + in_quotes(name) + " was declared before (" +
                                         recording.planes[found->second].where.text() +
                                         "); names of planes are unique: give another name, or use that plane");
}

// Shape and type, and the bytes that all elements are. Nothing overflows after it.
void check_shape(Plane& plane) {
    const std::string who = "plane " + in_quotes(plane.name);
    if (plane.ndim < 0 || plane.ndim > ArrayView::max_dims)
        refuse<LayoutError>(plane.where, who + " has " + std::to_string(plane.ndim) + " dimensions; it needs 0 to " +
                                             std::to_string(ArrayView::max_dims) + ": reshape it");
    if (plane.type.code == TypeCode::opaque || plane.type.code == TypeCode::none)
        refuse<BufferRefused>(plane.where, who + " has dtype " + element_type_name(plane.type) +
                                               "; a graph would copy their addresses: convert the array");
    if (plane.type.bits == 0 || plane.type.lanes == 0)
        refuse<BufferRefused>(plane.where, who + " has elements of 0 bits; it needs an element type with a size");
    std::int64_t reach = 0, bytes = static_cast<std::int64_t>(plane.item_bytes());
    bool empty = false;
    for (std::int32_t i = 0; i < plane.ndim; ++i) {
        const std::int64_t n = plane.shape[static_cast<std::size_t>(i)];
        if (n < 0)
            refuse<LayoutError>(plane.where, who + " has extent " + std::to_string(n) + " in dimension " +
                                                 std::to_string(i) + "; it needs 0 or more");
        empty = empty || n == 0;
    }
    for (std::int32_t i = 0; i < plane.ndim && !empty; ++i) {
        const auto k = static_cast<std::size_t>(i);
        std::int64_t far = 0;
        bool over = __builtin_mul_overflow(bytes, plane.shape[k], &bytes);
        over = over || plane.strides[k] == INT64_MIN;
        over = over || __builtin_mul_overflow(over ? 0 : std::abs(plane.strides[k]), plane.shape[k] - 1, &far);
        over = over || __builtin_add_overflow(reach, far, &reach);
        if (over)
            refuse<LayoutError>(plane.where, who + " spans more bytes than memory can have; it needs a smaller shape");
    }
    plane.bytes = empty ? 0 : static_cast<std::uint64_t>(bytes);
}

// First and one past the last byte, counted from element [0, 0, ...].
std::pair<std::int64_t, std::int64_t> reach_of(const Plane& plane) {
    if (plane.bytes == 0) return {0, 0};
    std::int64_t low = 0, high = static_cast<std::int64_t>(plane.item_bytes());
    for (std::int32_t i = 0; i < plane.ndim; ++i) {
        const auto k = static_cast<std::size_t>(i);
        const std::int64_t far = plane.strides[k] * (plane.shape[k] - 1);
        (far < 0 ? low : high) += far;
    }
    return {low, high};
}

void check_address(const Plane& plane) {
    if (plane.bytes == 0) return;
    if (plane.address == 0)
        refuse<BufferRefused>(plane.where, "plane " + in_quotes(plane.name) + " (" + array_text(plane) +
                                               ") has no memory; it needs the address of its first element");
    const auto [low, high] = reach_of(plane);
    const auto wide = static_cast<Wide>(plane.address);
    if (wide + low <= 0 || wide + high > static_cast<Wide>(~std::uint64_t{0}))
        refuse<LayoutError>(plane.where, "plane " + in_quotes(plane.name) + " (" + array_text(plane) +
                                             ") reaches past the end of the address space; its strides or its "
                                             "address are wrong");
}

void make_dense(Plane& plane) {
    auto stride = static_cast<std::int64_t>(plane.item_bytes());
    for (std::int32_t i = plane.ndim; i-- > 0;) {
        plane.strides[static_cast<std::size_t>(i)] = stride;
        // An overflow is refused with the shape; until then it must not be undefined.
        if (__builtin_mul_overflow(stride, std::max<std::int64_t>(plane.shape[static_cast<std::size_t>(i)], 1),
                                   &stride))
            stride = INT64_MAX;
    }
}

// Of int64 the low half is the cell, which on the machines there are comes first.
bool holds_cells(ElementType type) {
    static_assert(std::endian::native == std::endian::little);
    return type == ElementType::of(Dtype::uint32) || type == ElementType::of(Dtype::int32) ||
           type == ElementType::of(Dtype::int64);
}

void set_shape(Plane& plane, std::span<const std::int64_t> shape) {
    plane.ndim = static_cast<std::int32_t>(std::min<std::size_t>(shape.size(), 1000));
    plane.shape = plane.strides = {};
    std::copy_n(shape.begin(), std::min<std::size_t>(shape.size(), ArrayView::max_dims), plane.shape.begin());
}

}  // namespace

PlaneRef GraphDescription::plane(std::string name, const ArrayView& array, SourceLine where) {
    recording_->check_open(where);
    check_name(*recording_, name, where);
    Plane made;
    made.name = std::move(name);
    made.where = std::move(where);
    made.device = {array.device_type, array.device_id};
    made.address = reinterpret_cast<std::uint64_t>(array.data);
    made.read_only = array.read_only;
    made.root = none;
    made.type = array.type;
    made.ndim = array.ndim;
    for (std::size_t i = 0; i < ArrayView::max_dims && static_cast<std::int32_t>(i) < array.ndim; ++i) {
        made.shape[i] = array.shape[i];
        made.strides[i] = array.strides[i];
    }
    if (array.device_type <= 0)
        refuse<BufferRefused>(made.where, "plane " + in_quotes(made.name) + " has device type " +
                                              std::to_string(array.device_type) +
                                              "; it needs a DLPack device type, 1 (host memory) or more");
    check_shape(made);
    check_address(made);
    return recording_->add(std::move(made));
}

PlaneRef GraphDescription::scratch(std::string name, std::span<const std::int64_t> shape, ElementType type,
                                   SourceLine where) {
    recording_->check_open(where);
    check_name(*recording_, name, where);
    Plane made;
    made.name = std::move(name);
    made.where = std::move(where);
    made.scratch = true;
    made.root = none;
    made.type = type;
    set_shape(made, shape);
    if (made.ndim <= ArrayView::max_dims) make_dense(made);
    check_shape(made);
    return recording_->add(std::move(made));
}

PlaneRef GraphDescription::scratch(std::string name, std::initializer_list<std::int64_t> shape, Dtype dtype,
                                   SourceLine where) {
    return scratch(std::move(name), std::span<const std::int64_t>(shape.begin(), shape.size()), ElementType::of(dtype),
                   std::move(where));
}

void GraphDescription::keep(PlaneRef plane, SourceLine where) {
    recording_->check_open(where);
    const Plane& kept = recording_->plane_of(plane, "a result", where);
    if (!kept.scratch) return;
    recording_->planes[kept.root].kept = true;
    recording_->results.push_back(plane.index);
}

PlaneRef GraphDescription::view(std::string name, PlaneRef of, std::int64_t offset, std::span<const std::int64_t> shape,
                                std::span<const std::int64_t> strides, SourceLine where) {
    recording_->check_open(where);
    check_name(*recording_, name, where);
    const Plane& base = recording_->plane_of(of, "view " + in_quotes(name), where);
    Plane made = base;
    made.name = std::move(name);
    made.where = std::move(where);
    made.cell = made.hidden = made.kept = false;
    if (shape.size() != strides.size())
        refuse<LayoutError>(made.where, "view " + in_quotes(made.name) + " has " + std::to_string(shape.size()) +
                                            " extents and " + std::to_string(strides.size()) +
                                            " strides; it needs one stride, in bytes, for each extent");
    set_shape(made, shape);
    std::copy_n(strides.begin(), std::min<std::size_t>(strides.size(), ArrayView::max_dims), made.strides.begin());
    check_shape(made);
    const auto [low, high] = reach_of(made);
    const auto [base_low, base_high] = reach_of(base);
    const auto wide = static_cast<Wide>(offset);
    if (made.bytes != 0 && (wide + low < base_low || wide + high > base_high))
        refuse<LayoutError>(made.where, "view " + in_quotes(made.name) + " (" + array_text(made) + ") at byte " +
                                            std::to_string(offset) + " reaches outside " + plane_text(base) +
                                            ", which has the bytes " + std::to_string(base_low) + " to " +
                                            std::to_string(base_high) +
                                            "; give an offset, a shape and strides that "
                                            "lie inside");
    (made.scratch ? made.offset : made.address) += static_cast<std::uint64_t>(offset);
    if (made.bytes == 0) made.offset = 0;
    return recording_->add(std::move(made));
}

CellRef GraphDescription::cell(std::string name, std::uint64_t address, Device device, SourceLine where) {
    ArrayView one;
    one.data = reinterpret_cast<void*>(address);
    one.type = ElementType::of(Dtype::uint32);
    one.ndim = 1;
    one.shape[0] = 1;
    one.strides[0] = 4;
    one.device_type = device.type;
    one.device_id = device.id;
    if (address % 4 != 0)
        refuse<BufferRefused>(where, "cell " + in_quotes(name) +
                                         " lies at an address that is no multiple of 4; it needs "
                                         "an aligned uint32");
    const PlaneRef made = plane(std::move(name), one, std::move(where));
    recording_->planes[made.index].cell = true;
    return {made};
}

CellRef GraphDescription::cell(std::string name, SourceLine where) {
    const PlaneRef made = scratch(std::move(name), {1}, Dtype::uint32, std::move(where));
    recording_->planes[made.index].cell = true;
    return {made};
}

CellRef GraphDescription::cell(std::string name, PlaneRef of, std::int64_t index, SourceLine where) {
    recording_->check_open(where);
    const Plane& base = recording_->plane_of(of, "cell " + in_quotes(name), where);
    if (!holds_cells(base.type))
        refuse<BufferRefused>(where, "cell " + in_quotes(name) + " is an element of " + plane_text(base) +
                                         "; it needs a plane of uint32, or one of int32 or int64, whose low 32 bits "
                                         "are the cell");
    if (index < 0 || index >= base.size())
        refuse<IndexError>(where, "cell " + in_quotes(name) + " is element " + std::to_string(index) + " of " +
                                      plane_text(base) + "; it needs an index from 0 to " +
                                      std::to_string(base.size() - 1));
    std::int64_t offset = 0;
    for (std::int32_t i = base.ndim; i-- > 0;) {
        const auto k = static_cast<std::size_t>(i);
        offset += index % base.shape[k] * base.strides[k];
        index /= base.shape[k];
    }
    const std::int64_t one = 1, four = 4;
    const PlaneRef made = view(std::move(name), of, offset, {&one, 1}, {&four, 1}, std::move(where));
    Plane& cell = recording_->planes[made.index];
    cell.cell = true;
    cell.type = ElementType::of(Dtype::uint32);
    cell.bytes = 4;
    return {made};
}

CellRef GraphDescription::as_cell(PlaneRef plane, SourceLine where) const {
    const Plane& one = recording_->plane_of(plane, "a cell", where);
    if (!holds_cells(one.type))
        refuse<BufferRefused>(where,
                              plane_text(one) + " is no cell, since its dtype is " + element_type_name(one.type) +
                                  "; what decides control flow is one integer, int64, int32 or uint32: give a "
                                  "plane of one int64, such as g.scratch(1, \"int64\") in Python, which a kernel "
                                  "that returns an Index writes");
    if (one.type != ElementType::of(Dtype::uint32) || one.size() != 1)
        refuse<BufferRefused>(where, plane_text(one) +
                                         " is no cell; a cell is one uint32, as the low half of one int64 is: take an "
                                         "element (in C++ with cell(name, plane, index), in Python with "
                                         "plane[i:i + 1])");
    return {plane};
}

}  // namespace eagle
