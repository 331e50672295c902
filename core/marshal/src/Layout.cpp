#include "Layout.h"

#include <eagle/Error.h>

#include <optional>
#include <string>

#include "Text.h"

namespace eagle::marshal {
namespace {

std::int64_t extent(const ArrayView& view, int i) { return view.shape[static_cast<std::size_t>(i)]; }
std::int64_t stride(const ArrayView& view, int i) { return view.strides[static_cast<std::size_t>(i)]; }

Reading blank(const Parameter& parameter) {
    Reading reading;
    reading.rows = parameter.rows;
    reading.cols = parameter.cols;
    return reading;
}

// Components that lie along one axis of stride `step`.
void flat_components(Reading& reading, std::int64_t step) {
    reading.col_stride = step;
    reading.row_stride = step * reading.cols;
}

std::optional<Reading> as_one(const Parameter& parameter, const ArrayView& view) {
    Reading reading = blank(parameter);
    reading.one = true;
    if (parameter.scalar()) {
        if (view.ndim != 0) return std::nullopt;
        return reading;
    }
    if (!parameter.matrix) {
        if (view.ndim != 1 || extent(view, 0) != reading.components()) return std::nullopt;
        flat_components(reading, stride(view, 0));
        return reading;
    }
    if (view.ndim != 2 || extent(view, 0) != reading.rows || extent(view, 1) != reading.cols) return std::nullopt;
    reading.row_stride = stride(view, 0);
    reading.col_stride = stride(view, 1);
    return reading;
}

// A batch whose samples lie along the first or the last axis.
std::optional<Reading> as_batch(const Parameter& parameter, const ArrayView& view, bool first) {
    Reading reading = blank(parameter);
    reading.samples_first = first;
    int samples_axis = first ? 0 : view.ndim - 1;
    int components_axis = first ? 1 : 0;
    if (view.ndim == 1 && parameter.scalar()) {
        flat_components(reading, 0);
    } else if (view.ndim == 2 && !parameter.scalar()) {
        if (extent(view, components_axis) != reading.components()) return std::nullopt;
        flat_components(reading, stride(view, components_axis));
    } else if (view.ndim == 3 && parameter.matrix) {
        if (extent(view, components_axis) != reading.rows || extent(view, components_axis + 1) != reading.cols)
            return std::nullopt;
        reading.row_stride = stride(view, components_axis);
        reading.col_stride = stride(view, components_axis + 1);
    } else {
        return std::nullopt;
    }
    reading.samples = extent(view, samples_axis);
    reading.sample_stride = stride(view, samples_axis);
    return reading;
}

[[noreturn]] void refuse_shape(const Signature& signature, const Parameter& parameter, const ArrayView& view,
                               SamplesAxis axis) {
    std::string text = who(signature, parameter) + " has shape " + shape_text(view) + "; it needs ";
    std::string sample = sample_text(parameter);
    if (sample.empty()) {
        text += "(N,), or () for one sample: reshape it";
    } else {
        if (axis != SamplesAxis::first) text += native_text(parameter);
        if (axis == SamplesAxis::unspecified) text += " or ";
        if (axis != SamplesAxis::last) text += samples_first_text(parameter);
        text += ", or (" + sample + (parameter.matrix ? ")" : ",)") + " for one sample: reshape or transpose it";
    }
    throw LayoutError(text);
}

[[noreturn]] void refuse_two_readings(const Signature& signature, const Parameter& parameter, const ArrayView& view) {
    throw LayoutError(who(signature, parameter) + " has shape " + shape_text(view) + ", which reads as " +
                      native_text(parameter) + " and as " + samples_first_text(parameter) +
                      "; say which: layout=\"samples_last\" or layout=\"samples_first\" on the call, or "
                      "samples_last(x) or samples_first(x) on the array");
}

}  // namespace

Reading read_plane(const Signature& signature, const Parameter& parameter, const ArrayView& view, SamplesAxis axis) {
    std::optional<Reading> one = as_one(parameter, view);
    if (one && axis == SamplesAxis::unspecified) return *one;
    std::optional<Reading> last, first;
    if (axis != SamplesAxis::first) last = as_batch(parameter, view, false);
    if (axis != SamplesAxis::last) first = as_batch(parameter, view, true);
    if (last && first) {
        // With one component both readings see the same elements.
        if (last->components() == 1) return *last;
        refuse_two_readings(signature, parameter, view);
    }
    if (last) return *last;
    if (first) return *first;
    if (one) return *one;
    refuse_shape(signature, parameter, view, axis);
}

Reading read_table(const Signature& signature, const Parameter& parameter, const ArrayView& view) {
    Reading reading;
    reading.samples = view.size();
    std::int64_t step = view.ndim > 0 ? stride(view, view.ndim - 1) : view.type.bits / 8;
    reading.sample_stride = step;
    for (int i = view.ndim - 1; i >= 0; --i) {
        if (extent(view, i) != 1 && stride(view, i) != step)
            throw LayoutError(who(signature, parameter) + " has shape " + shape_text(view) +
                              " and is not contiguous; a table needs one dimension or contiguous rows: pass a copy");
        step *= extent(view, i);
    }
    if (view.ndim == 0 || (parameter.width() > 1 && reading.samples != parameter.width()))
        throw LayoutError(who(signature, parameter) + " has shape " + shape_text(view) + "; the table needs " +
                          (parameter.width() > 1 ? std::to_string(parameter.width()) + " elements" : "a dimension"));
    return reading;
}

void settle_strides(Reading& reading, std::int64_t item) {
    bool none = reading.empty();
    if (reading.samples == 1 || none) reading.sample_stride = item;
    std::int64_t row = none ? 1 : reading.samples;
    if (reading.cols == 1 || none) reading.col_stride = reading.rows == 1 || none ? item * row : reading.row_stride;
    if (reading.rows == 1 || none) reading.row_stride = reading.col_stride * reading.cols;
}

Obstacle obstacle(const Reading& reading, const void* data, std::int64_t item) {
    if (reading.empty()) return Obstacle::none;
    const std::int64_t strides[] = {reading.sample_stride, reading.row_stride, reading.col_stride};
    for (std::int64_t s : strides)
        if (s == 0) return Obstacle::zero_stride;
    for (std::int64_t s : strides)
        if (s < 0) return Obstacle::negative_stride;
    // Sizes of elements are powers of two; a division would cost more than the rest of the check.
    std::uintptr_t low_bits = reinterpret_cast<std::uintptr_t>(data);
    for (std::int64_t s : strides) low_bits |= static_cast<std::uintptr_t>(s);
    if ((low_bits & static_cast<std::uintptr_t>(item - 1)) != 0) return Obstacle::unaligned;
    if (reading.row_stride != reading.cols * reading.col_stride) return Obstacle::split_components;
    if (reading.samples_first && reading.components() > 1 && reading.samples > 1 &&
        (reading.sample_stride != item || reading.col_stride != reading.samples * item))
        return Obstacle::samples_first;
    return Obstacle::none;
}

const char* obstacle_text(Obstacle found) {
    switch (found) {
        case Obstacle::samples_first:
            return "is laid out samples first";
        case Obstacle::zero_stride:
            return "repeats elements through a stride of 0";
        case Obstacle::negative_stride:
            return "runs backwards through a negative stride";
        case Obstacle::split_components:
            return "has rows that do not follow each other evenly";
        case Obstacle::unaligned:
            return "has elements that are not aligned to their size";
        case Obstacle::none:
            break;
    }
    return "fits";
}

}  // namespace eagle::marshal
