#include "Overlap.h"

#include <cstdlib>
#include <numeric>
#include <utility>

namespace eagle::marshal {
namespace {

std::int64_t remainder(std::uintptr_t value, std::int64_t modulus) {
    return static_cast<std::int64_t>(value % static_cast<std::uintptr_t>(modulus));
}

// The footprint modulo `modulus` as one circular interval: where it starts and how long it is. Axes whose stride is a
// multiple of the modulus do not move it.
struct Residues {
    std::int64_t start, length;
};

Residues residues(const Footprint& f, std::int64_t modulus) {
    std::uintptr_t start = f.origin;
    std::int64_t length = f.item;
    for (int i = 0; i < 3; ++i) {
        std::int64_t reach = f.stride[i] * (f.extent[i] - 1);
        if (f.stride[i] % modulus == 0) continue;
        if (reach < 0) start += static_cast<std::uintptr_t>(reach);
        length += std::abs(reach);
    }
    return {remainder(start, modulus), length};
}

bool apart_modulo(const Footprint& a, const Footprint& b, std::int64_t modulus) {
    Residues x = residues(a, modulus), y = residues(b, modulus);
    std::int64_t from_x_to_y = (y.start - x.start + modulus) % modulus;
    return x.length <= from_x_to_y && from_x_to_y + y.length <= modulus;
}

}  // namespace

Footprint Footprint::of(const Reading& reading, const void* data, std::int64_t item) {
    Footprint f;
    f.origin = reinterpret_cast<std::uintptr_t>(data);
    f.item = item;
    f.low = f.high = f.origin;
    if (reading.empty()) return f;
    const std::int64_t extents[] = {reading.samples, reading.rows, reading.cols};
    const std::int64_t strides[] = {reading.sample_stride, reading.row_stride, reading.col_stride};
    f.high += static_cast<std::uintptr_t>(item);
    for (int i = 0; i < 3; ++i) {
        f.extent[i] = extents[i];
        f.stride[i] = extents[i] == 1 ? 0 : strides[i];
        std::int64_t reach = f.stride[i] * (f.extent[i] - 1);
        (reach < 0 ? f.low : f.high) += static_cast<std::uintptr_t>(reach);
    }
    return f;
}

bool overlap(const Footprint& a, const Footprint& b) {
    if (a.low == a.high || b.low == b.high || a.high <= b.low || b.high <= a.low) return false;
    std::int64_t common = 0;
    for (const Footprint* f : {&a, &b})
        for (std::int64_t s : f->stride) {
            common = std::gcd(common, s);
            if (s != 0 && apart_modulo(a, b, std::abs(s))) return false;
        }
    return common == 0 || !apart_modulo(a, b, common);
}

bool overlaps_itself(const Footprint& f) {
    if (f.low == f.high) return false;
    std::int64_t step[3], extent[3];
    for (int i = 0; i < 3; ++i) {
        if (f.extent[i] != 1 && f.stride[i] == 0) return true;
        step[i] = std::abs(f.stride[i]);
        extent[i] = f.extent[i];
    }
    for (auto [x, y] : {std::pair{0, 1}, {1, 2}, {0, 1}})
        if (step[x] > step[y]) {
            std::swap(step[x], step[y]);
            std::swap(extent[x], extent[y]);
        }
    std::int64_t span = f.item;
    for (int i = 0; i < 3; ++i) {
        if (extent[i] == 1) continue;
        if (step[i] < span) return true;
        span += step[i] * (extent[i] - 1);
    }
    return false;
}

}  // namespace eagle::marshal
