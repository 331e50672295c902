#include "active/Rows.h"

#include <eagle/Error.h>
#include <eagle/marshal/ShapeText.h>

#include <string>

namespace eagle::active {
namespace {

bool movable(std::int64_t bytes) { return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 || bytes == 16; }

std::int64_t extent(const ArrayView& view, int axis) { return view.shape[static_cast<std::size_t>(axis)]; }
std::int64_t stride(const ArrayView& view, int axis) { return view.strides[static_cast<std::size_t>(axis)]; }

// Samples last, as kernels have them, where both ends would do.
int samples_axis(const ArrayView& view, std::int64_t n) {
    const int last = view.ndim - 1;
    if (view.ndim > 0) {
        if (view.axis != SamplesAxis::first && extent(view, last) == n) return last;
        if (view.axis != SamplesAxis::last && extent(view, 0) == n) return 0;
    }
    throw LayoutError("the plane has shape " + shape_text(view) + "; it needs " + std::to_string(n) +
                      " samples along its last or first axis, as many as the mask has");
}

void require_neighbours(std::int64_t apart, std::int64_t bytes, std::int64_t n) {
    if (n <= 1 || apart == bytes) return;
    throw LayoutError("the samples of the plane lie " + std::to_string(apart) + " bytes apart and have " +
                      std::to_string(bytes) + " each; a reorder needs one next to the other: give a dense copy");
}

void require_movable(const ArrayView& view, std::int64_t bytes) {
    if (!movable(bytes))
        throw LayoutError("the plane of shape " + shape_text(view) + " has " + std::to_string(bytes) +
                          " bytes a sample together; a reorder moves 1, 2, 4, 8 or 16: give the plane with its "
                          "samples along the last axis");
}

void add_row(std::vector<Row>& rows, const ArrayView& view, std::int64_t offset, std::int64_t bytes) {
    const std::uint64_t address = reinterpret_cast<std::uint64_t>(view.data) + static_cast<std::uint64_t>(offset);
    if (address % static_cast<std::uint64_t>(bytes) != 0)
        throw LayoutError("a row of the plane lies " + std::to_string(address % static_cast<std::uint64_t>(bytes)) +
                          " bytes past a multiple of " + std::to_string(bytes) +
                          ", the bytes of a sample; it must be aligned to them: give a copy");
    rows.push_back({address, static_cast<std::uint32_t>(bytes)});
}

// One row for each index of the axes before the last.
void rows_by_component(std::vector<Row>& rows, const ArrayView& view, int axis, std::int64_t offset,
                       std::int64_t bytes) {
    if (axis + 1 == view.ndim) return add_row(rows, view, offset, bytes);
    for (std::int64_t i = 0; i < extent(view, axis); ++i)
        rows_by_component(rows, view, axis + 1, offset + i * stride(view, axis), bytes);
}

// All components of a sample as one element.
std::int64_t sample_bytes(const ArrayView& view) {
    std::int64_t bytes = view.type.bits / 8;
    for (int axis = view.ndim - 1; axis > 0; --axis) {
        if (extent(view, axis) > 1 && stride(view, axis) != bytes)
            throw LayoutError("the components of a sample of the plane of shape " + shape_text(view) +
                              " are not dense; a reorder needs them next to each other: give a dense copy");
        bytes *= extent(view, axis);
    }
    return bytes;
}

}  // namespace

std::vector<Row> rows_of(const ArrayView& plane, std::int64_t n) {
    const int axis = samples_axis(plane, n);
    if (plane.read_only)
        throw BufferRefused("the plane of shape " + shape_text(plane) +
                            " is read-only, and a reorder writes it in place; give a copy that may be written");
    std::vector<Row> rows;
    if (plane.size() == 0) return rows;
    const bool last = axis + 1 == plane.ndim;
    const std::int64_t bytes = last ? plane.type.bits / 8 * plane.type.lanes : sample_bytes(plane);
    require_movable(plane, bytes);
    require_neighbours(stride(plane, axis), bytes, n);
    if (last)
        rows_by_component(rows, plane, 0, 0, bytes);
    else
        add_row(rows, plane, 0, bytes);
    return rows;
}

}  // namespace eagle::active
