// The bytes of a strided view, and whether two such sets meet.
#include <eagle/graph/Plane.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "graph/Text.h"

namespace eagle::graph {
namespace {

struct Search {
    std::int64_t steps = 1'000'000;
};

// Rows joined where they lie end to end or where one run holds them all.
void join(Extent& e) {
    std::sort(e.rows.begin(), e.rows.begin() + e.ndim,
              [](const auto& x, const auto& y) { return x.stride > y.stride; });
    bool again = true;
    while (again) {
        again = false;
        if (e.ndim > 0) {
            auto& inner = e.rows[static_cast<std::size_t>(e.ndim - 1)];
            if (inner.stride <= e.run) {
                e.run += inner.stride * (inner.count - 1);
                inner = {};
                --e.ndim;
                again = true;
                continue;
            }
        }
        for (std::int32_t i = 0; i + 1 < e.ndim; ++i) {
            auto& outer = e.rows[static_cast<std::size_t>(i)];
            auto& inner = e.rows[static_cast<std::size_t>(i + 1)];
            // Rows of the inner axis continue in those of the outer one without a jump.
            if (outer.stride % inner.stride != 0 || outer.stride > inner.stride * inner.count) continue;
            inner.count += outer.stride / inner.stride * (outer.count - 1);
            std::move(e.rows.begin() + i + 1, e.rows.begin() + e.ndim, e.rows.begin() + i);
            e.rows[static_cast<std::size_t>(--e.ndim)] = {};
            again = true;
            break;
        }
    }
}

// The smallest x >= 0 with low <= (a * x) mod m <= high, or -1. 0 <= low <= high < m, 0 <= a < m. The classic descent
// of the Euclidean algorithm: in one turn around the circle either a multiple of `a` falls into the range, or the
// question is the same one for the remainders.
Wide first_in_range(Wide a, Wide m, Wide low, Wide high) {
    if (low == 0) return 0;
    if (a == 0) return -1;
    const Wide x = (low + a - 1) / a;
    if (x * a <= high) return x;
    // a * x - m * y in [low, high], so (m * y) mod a in [-high, -low] mod a.
    const Wide y = first_in_range(m % a, a, ((-high) % a + a) % a, ((-low) % a + a) % a);
    if (y < 0) return -1;
    return (low + m * y + a - 1) / a;
}

// Runs of `a` at a.begin + i * stride (i < count) against runs of `b` likewise, one axis or none each.
bool lines_touch(std::uint64_t a0, Extent::Rows a, std::uint64_t a_run, std::uint64_t b0, Extent::Rows b,
                 std::uint64_t b_run) {
    if (b.stride == 0) {
        std::swap(a0, b0);
        std::swap(a, b);
        std::swap(a_run, b_run);
    }
    if (b.stride == 0) return a0 < b0 + b_run && b0 < a0 + a_run;
    if (a.stride == 0) a = {1, 1};
    // Run i of `a` meets one of `b` when (a0 + i s - b0 + a_run - 1) mod t < a_run + b_run - 1, for those i that lie
    // beside b's runs at all.
    const Wide t = static_cast<Wide>(b.stride), s = static_cast<Wide>(a.stride);
    const Wide shift = static_cast<Wide>(a0) - static_cast<Wide>(b0) + static_cast<Wide>(a_run) - 1;
    const Wide top = t * static_cast<Wide>(b.count - 1) + static_cast<Wide>(a_run) + static_cast<Wide>(b_run) - 2;
    Wide from = shift >= 0 ? 0 : (-shift + s - 1) / s;
    if (top < shift) return false;
    Wide to = std::min((top - shift) / s, static_cast<Wide>(a.count) - 1);
    if (from > to) return false;
    const Wide width = static_cast<Wide>(a_run) + static_cast<Wide>(b_run) - 1;
    if (width >= t) return true;
    // (s x + c) mod t in [0, width), x = i - from.
    const Wide c = ((shift + from * s) % t + t) % t;
    if (c < width) return true;
    const Wide low = t - c, high = t - c + width - 1;
    const Wide x = first_in_range(s % t, t, low, high);
    return x >= 0 && x <= to - from;
}

Extent inside(const Extent& e) {
    Extent row = e;
    std::move(row.rows.begin() + 1, row.rows.begin() + row.ndim, row.rows.begin());
    row.rows[static_cast<std::size_t>(--row.ndim)] = {};
    return row;
}

bool meet(const Extent& a, const Extent& b, Search& search);

// The rows of `a` along its outermost axis, those that lie beside `b`.
bool any_row_meets(const Extent& a, const Extent& b, Search& search) {
    Extent row = inside(a);
    const std::uint64_t length = row.end() - row.begin, stride = a.rows[0].stride;
    std::uint64_t first = 0;
    if (b.begin >= a.begin + length) first = (b.begin - a.begin - length) / stride + 1;
    for (std::uint64_t i = first; i < a.rows[0].count; ++i) {
        row.begin = a.begin + i * stride;
        if (row.begin >= b.end()) return false;
        if (meet(row, b, search)) return true;
    }
    return false;
}

// Both have the outermost stride `s`, and every row of either is no longer than it: row i can meet only a few rows j,
// and what counts is j - i.
bool equal_strides_meet(const Extent& a, const Extent& b, Search& search) {
    const auto s = static_cast<Wide>(a.rows[0].stride);
    const Extent row_a = inside(a), row_b = inside(b);
    const Wide gap = static_cast<Wide>(b.begin) - static_cast<Wide>(a.begin);
    const Wide length_a = static_cast<Wide>(row_a.end() - row_a.begin),
               length_b = static_cast<Wide>(row_b.end() - row_b.begin);
    // Row 0 of a against row d of b, which begins gap + d s after it.
    const auto floor_div = [](Wide x, Wide y) { return x >= 0 ? x / y : -((-x + y - 1) / y); };
    const Wide lowest = std::max(floor_div(-gap - length_b, s) + 1, -(static_cast<Wide>(a.rows[0].count) - 1));
    const Wide highest = std::min(floor_div(length_a - gap - 1, s), static_cast<Wide>(b.rows[0].count) - 1);
    for (Wide d = lowest; d <= highest; ++d) {
        Extent x = row_a, y = row_b;
        const Wide away = gap + d * s;
        // Only the distance counts, so both may move to where neither wraps.
        x.begin = away < 0 ? static_cast<std::uint64_t>(-away) : 0;
        y.begin = away < 0 ? 0 : static_cast<std::uint64_t>(away);
        if (meet(x, y, search)) return true;
    }
    return false;
}

bool meet(const Extent& a, const Extent& b, Search& search) {
    if (a.begin >= b.end() || b.begin >= a.end()) return false;
    if (a.ndim == 0 && b.ndim == 0) return true;
    if (--search.steps < 0) return true;
    if (a.ndim <= 1 && b.ndim <= 1) return lines_touch(a.begin, a.rows[0], a.run, b.begin, b.rows[0], b.run);
    if (a.ndim > 0 && b.ndim > 0 && a.rows[0].stride == b.rows[0].stride) {
        const Extent x = inside(a), y = inside(b);
        if (x.end() - x.begin <= a.rows[0].stride && y.end() - y.begin <= b.rows[0].stride)
            return equal_strides_meet(a, b, search);
    }
    if (b.ndim == 0 || (a.ndim > 0 && a.rows[0].stride >= b.rows[0].stride)) return any_row_meets(a, b, search);
    return any_row_meets(b, a, search);
}

}  // namespace

std::uint64_t Extent::end() const {
    std::uint64_t last = begin + run;
    for (std::int32_t i = 0; i < ndim; ++i)
        last += rows[static_cast<std::size_t>(i)].stride * (rows[static_cast<std::size_t>(i)].count - 1);
    return last;
}

bool touches(const Extent& a, const Extent& b) {
    if (a.space != b.space || a.empty() || b.empty()) return false;
    Search search;
    return meet(a, b, search);
}

bool covers(const Extent& outer, const Extent& inner) {
    if (inner.empty()) return true;
    if (outer.space != inner.space || outer.empty()) return false;
    if (outer.ndim == 0) return outer.begin <= inner.begin && inner.end() <= outer.end();
    return outer == inner;
}

std::int64_t Plane::size() const {
    std::int64_t n = 1;
    for (std::int32_t i = 0; i < ndim; ++i) n *= shape[static_cast<std::size_t>(i)];
    return n;
}

bool Plane::dense() const {
    auto stride = static_cast<std::int64_t>(item_bytes());
    for (std::int32_t i = ndim; i-- > 0;) {
        const auto k = static_cast<std::size_t>(i);
        if (shape[k] != 1 && strides[k] != stride) return size() == 0;
        stride *= shape[k];
    }
    return true;
}

Extent Plane::extent() const {
    Extent e;
    e.space = scratch ? root + 1 : 0;
    e.begin = scratch ? offset : address;
    if (size() == 0) return e;
    e.run = item_bytes();
    for (std::int32_t i = 0; i < ndim; ++i) {
        const auto k = static_cast<std::size_t>(i);
        if (shape[k] == 1 || strides[k] == 0) continue;
        const auto count = static_cast<std::uint64_t>(shape[k]);
        auto stride = static_cast<std::uint64_t>(strides[k]);
        if (strides[k] < 0) {
            stride = std::uint64_t{0} - stride;
            e.begin -= stride * (count - 1);
        }
        e.rows[static_cast<std::size_t>(e.ndim++)] = {count, stride};
    }
    join(e);
    return e;
}

ArrayView Plane::view(std::uint64_t at) const {
    ArrayView view;
    view.data = reinterpret_cast<void*>(at);
    view.type = type;
    view.ndim = ndim;
    view.shape = shape;
    view.strides = strides;
    view.device_type = device.type;
    view.device_id = device.id;
    view.read_only = read_only;
    return view;
}

}  // namespace eagle::graph
