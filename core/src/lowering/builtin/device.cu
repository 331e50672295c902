// eagle's own kernels for cards: fills, gathers, and folds in a fixed order. A thread does what one sample of the host's
// kernels does, so that both give the same bits.
#include <cstdint>

#include "folds.h"

namespace {

using eagle::builtin::Fill;
using eagle::builtin::Gather;
using eagle::builtin::Reduce;
namespace builtin = eagle::builtin;

__device__ std::int64_t first_of(std::int64_t base) {
    return base + static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}

struct alignas(16) Sixteen {
    std::uint64_t words[2];
};

template <class T>
__device__ void fill(const Fill& f, std::int64_t i) {
    reinterpret_cast<T*>(f.to)[i] = *reinterpret_cast<const T*>(f.pattern);
}

// A pattern of 16 bytes begins where one of 8 may.
__device__ void fill_sixteen(const Fill& f, std::int64_t i) {
    auto* const to = reinterpret_cast<std::uint64_t*>(f.to) + 2 * i;
    const auto* const from = reinterpret_cast<const std::uint64_t*>(f.pattern);
    to[0] = from[0];
    to[1] = from[1];
}

template <class T>
__device__ void gather(const Gather& g, std::int64_t i, std::int32_t at) {
    reinterpret_cast<T*>(g.to)[i] = reinterpret_cast<const T*>(g.from)[at];
}

enum { fold_sum, fold_max, fold_min, fold_all, fold_product };

template <class To, class From>
__device__ To taken(const Reduce& r, std::int64_t i) {
    const From value = *reinterpret_cast<const From*>(builtin::element(r, i, sizeof(From)));
    return r.fold == fold_all ? builtin::taken<builtin::All<To>, From, To>(value) : builtin::as<From, To>(value);
}
template <class To>
__device__ To element_as(const Reduce& r, std::int64_t i) {
    switch (r.from_type) {
        case 0:
            return taken<To, double>(r, i);
        case 1:
            return taken<To, float>(r, i);
        case 2:
            return taken<To, std::int64_t>(r, i);
        case 3:
            return taken<To, std::int32_t>(r, i);
        case 4:
            return taken<To, std::uint32_t>(r, i);
        default:
            return taken<To, std::uint8_t>(r, i);
    }
}

template <class To>
__device__ To fold(std::int32_t fold, To a, To b) {
    switch (fold) {
        case fold_sum:
            return builtin::Sum<To>::fold(a, b);
        case fold_max:
            return builtin::Max<To>::fold(a, b);
        case fold_min:
            return builtin::Min<To>::fold(a, b);
        case fold_all:
            return builtin::All<To>::fold(a, b);
        default:
            return builtin::Product<To>::fold(a, b);
    }
}

// The identity in type To, as a value of type In.
template <class To, class In>
__device__ In first(std::int32_t fold) {
    switch (fold) {
        case fold_sum:
            return static_cast<In>(builtin::Sum<To>::first());
        case fold_max:
            return static_cast<In>(builtin::Max<To>::first());
        case fold_min:
            return static_cast<In>(builtin::Min<To>::first());
        default:  // of all and of a product
            return In{1};
    }
}

// Integers and masks of every width are folded as int64: cut to their width, sums, products and extremes are the same.
template <class To, class In>
__device__ void block(const Reduce& r, std::int64_t b) {
    const std::int64_t begin = b * r.block, end = begin + r.block < r.n ? begin + r.block : r.n;
    In result = first<To, In>(r.fold);
#ifdef __CUDACC__
#pragma unroll 1  // the next addition waits for this one, however long the code is
#endif
    for (std::int64_t i = begin; i < end; ++i) result = fold(r.fold, result, element_as<In>(r, i));
    reinterpret_cast<To*>(r.to)[b] = static_cast<To>(result);
}

}  // namespace

extern "C" __global__ void eagle_builtin_fill(const Fill f, std::int64_t base, std::int64_t count, std::int64_t) {
    const std::int64_t i = first_of(base);
    if (i >= base + count) return;
    switch (f.size) {
        case 1:
            return fill<std::uint8_t>(f, i);
        case 2:
            return fill<std::uint16_t>(f, i);
        case 4:
            return fill<std::uint32_t>(f, i);
        case 8:
            return fill<std::uint64_t>(f, i);
        default:
            return fill_sixteen(f, i);
    }
}

extern "C" __global__ void eagle_builtin_gather(const Gather g, std::int64_t base, std::int64_t count, std::int64_t) {
    const std::int64_t i = first_of(base);
    if (i >= base + count) return;
    const std::int32_t at = reinterpret_cast<const std::int32_t*>(g.index)[i];
    switch (g.size) {
        case 1:
            return gather<std::uint8_t>(g, i, at);
        case 2:
            return gather<std::uint16_t>(g, i, at);
        case 4:
            return gather<std::uint32_t>(g, i, at);
        case 8:
            return gather<std::uint64_t>(g, i, at);
        default:
            return gather<Sixteen>(g, i, at);
    }
}

extern "C" __global__ void eagle_builtin_reduce(const Reduce r, std::int64_t base, std::int64_t count, std::int64_t) {
    const std::int64_t b = first_of(base);
    if (b >= base + count) return;
    switch (r.to_type) {
        case 0:
            return block<double, double>(r, b);
        case 1:
            return block<float, float>(r, b);
        case 2:
            return block<std::int64_t, std::int64_t>(r, b);
        case 3:
            return block<std::int32_t, std::int64_t>(r, b);
        case 4:
            return block<std::uint32_t, std::int64_t>(r, b);
        default:
            return block<std::uint8_t, std::int64_t>(r, b);
    }
}
