// eagle's own kernels for cards: fills, gathers, and folds in a fixed order. A thread does what one sample of the host's
// kernels does, so that both give the same bits; what it folds, the threads of its block fetch together.
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

// Of one launch block of a reduction: `rows` blocks of values from `first` on, and a piece of `width` values of each of
// them at a time. As many rows as there are threads have 32 values of each in the tile, and one row has 1,024.
constexpr int lanes = static_cast<int>(Reduce::threads);
constexpr int tile_values = lanes * (lanes + 1);

struct Piece {
    std::int64_t first, at;
    int rows, width;

    __device__ std::int64_t begin(const Reduce& r, int row) const { return (first + row) * r.block + at; }
    __device__ int count(const Reduce& r, int row) const {
        const std::int64_t whole = (first + row + 1) * r.block, end = whole < r.n ? whole : r.n;
        const std::int64_t left = end - begin(r, row);
        return left <= 0 ? 0 : left < width ? static_cast<int>(left) : width;
    }
    // Rows are one value apart, so that the threads of a warp meet no bank of the memory twice.
    __device__ int place(int row) const { return row * (width + 1); }
};

// Neighbours are fetched by neighbours, whoever folds them.
template <class In, class From>
__device__ void fetch_of(const Reduce& r, const Piece& piece, In* tile) {
    for (int row = 0; row < piece.rows; ++row) {
        const std::int64_t begin = piece.begin(r, row);
        const int count = piece.count(r, row);
        for (int k = static_cast<int>(threadIdx.x); k < count; k += lanes) {
            const From value = *reinterpret_cast<const From*>(builtin::element(r, begin + k, sizeof(From)));
            tile[piece.place(row) + k] = r.fold == fold_all ? builtin::taken<builtin::All<In>, From, In>(value)
                                                            : builtin::as<From, In>(value);
        }
    }
}
template <class In>
__device__ void fetch(const Reduce& r, const Piece& piece, In* tile) {
    switch (r.from_type) {
        case 0:
            return fetch_of<In, double>(r, piece, tile);
        case 1:
            return fetch_of<In, float>(r, piece, tile);
        case 2:
            return fetch_of<In, std::int64_t>(r, piece, tile);
        case 3:
            return fetch_of<In, std::int32_t>(r, piece, tile);
        case 4:
            return fetch_of<In, std::uint32_t>(r, piece, tile);
        default:
            return fetch_of<In, std::uint8_t>(r, piece, tile);
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
// Each thread folds a block of values one after the other, as the host does.
template <class To, class In>
__device__ void blocks(const Reduce& r, std::int64_t begin, std::int64_t end, void* shared) {
    In* tile = static_cast<In*>(shared);
    const int lane = static_cast<int>(threadIdx.x);
    const int rows = end - begin < lanes ? static_cast<int>(end - begin) : lanes;
    In result = first<To, In>(r.fold);
    Piece piece{begin, 0, rows, lanes * (lanes / rows)};
    for (; piece.at < r.block; piece.at += piece.width) {
        fetch(r, piece, tile);
        __syncthreads();
        const int count = lane < rows ? piece.count(r, lane) : 0;
#ifdef __CUDACC__
#pragma unroll 1  // the next addition waits for this one, however long the code is
#endif
        for (int k = 0; k < count; ++k) result = fold(r.fold, result, tile[piece.place(lane) + k]);
        __syncthreads();
    }
    if (lane < rows) reinterpret_cast<To*>(r.to)[begin + lane] = static_cast<To>(result);
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
    const std::int64_t begin = base + static_cast<std::int64_t>(blockIdx.x) * lanes, end = base + count;
    if (begin >= end) return;
    alignas(8) __shared__ unsigned char tile[8 * tile_values];  // one for all types: an SM holds more blocks
    switch (r.to_type) {
        case 0:
            return blocks<double, double>(r, begin, end, tile);
        case 1:
            return blocks<float, float>(r, begin, end, tile);
        case 2:
            return blocks<std::int64_t, std::int64_t>(r, begin, end, tile);
        case 3:
            return blocks<std::int32_t, std::int64_t>(r, begin, end, tile);
        case 4:
            return blocks<std::uint32_t, std::int64_t>(r, begin, end, tile);
        default:
            return blocks<std::uint8_t, std::int64_t>(r, begin, end, tile);
    }
}
