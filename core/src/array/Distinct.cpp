#include "array/Distinct.h"

#include <algorithm>
#include <cstdlib>
#include <utility>
#include <vector>

namespace eagle {
namespace {

std::uint64_t bytes_of(const ArrayView& view) {
    return static_cast<std::uint64_t>(view.type.bits / 8) * view.type.lanes;
}

// From the first element to behind the last.
std::uint64_t reach_of(const ArrayView& view) {
    std::uint64_t reach = bytes_of(view);
    for (std::size_t k = 0; k < static_cast<std::size_t>(view.ndim); ++k)
        reach += static_cast<std::uint64_t>(view.shape[k] - 1) * static_cast<std::uint64_t>(std::abs(view.strides[k]));
    return reach;
}

// Distances from the element that lies first, ascending.
std::vector<std::uint64_t> places_of(const ArrayView& view) {
    std::vector<std::uint64_t> places{0};
    places.reserve(static_cast<std::size_t>(view.size()));
    for (std::size_t k = 0; k < static_cast<std::size_t>(view.ndim); ++k) {
        const auto stride = static_cast<std::uint64_t>(std::abs(view.strides[k]));
        const std::size_t rows = places.size();
        for (std::int64_t i = 1; i < view.shape[k]; ++i)
            for (std::size_t row = 0; row < rows; ++row)
                places.push_back(places[row] + static_cast<std::uint64_t>(i) * stride);
    }
    std::sort(places.begin(), places.end());
    return places;
}

}  // namespace

bool strides_nest(std::span<const std::int64_t> shape, std::span<const std::int64_t> strides, std::uint64_t item) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> axes;  // stride, count
    for (std::size_t k = 0; k < shape.size(); ++k) {
        if (shape[k] == 0) return true;
        if (shape[k] != 1)
            axes.emplace_back(static_cast<std::uint64_t>(std::abs(strides[k])), static_cast<std::uint64_t>(shape[k]));
    }
    std::sort(axes.begin(), axes.end());
    std::uint64_t span = item;
    for (const auto& [stride, count] : axes) {
        if (stride < span) return false;
        span += stride * (count - 1);
    }
    return true;
}

bool elements_share_bytes(const ArrayView& view) {
    const auto axes = static_cast<std::size_t>(view.ndim);
    const std::uint64_t item = bytes_of(view);
    if (strides_nest({view.shape.data(), axes}, {view.strides.data(), axes}, item)) return false;
    if (static_cast<std::uint64_t>(view.size()) * item > reach_of(view)) return true;  // more than there is room for
    const std::vector<std::uint64_t> places = places_of(view);
    return std::adjacent_find(places.begin(), places.end(),
                              [item](std::uint64_t a, std::uint64_t b) { return b - a < item; }) != places.end();
}

}  // namespace eagle
