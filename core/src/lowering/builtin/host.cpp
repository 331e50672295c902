// eagle's own kernels for kinds that launch functions of the host: fills, gathers, and folds in a fixed order.
#include <cstdint>
#include <cstring>

#include "folds.h"

namespace {

namespace builtin = eagle::builtin;
using builtin::Fill;
using builtin::Gather;
using builtin::Reduce;

template <std::size_t Size>
void fill(const Fill& f, std::int64_t base, std::int64_t count) {
    auto* to = reinterpret_cast<unsigned char*>(f.to) + base * std::int64_t{Size};
    for (std::int64_t i = 0; i < count; ++i) std::memcpy(to + i * std::int64_t{Size}, f.pattern, Size);
}

template <std::size_t Size>
void gather(const Gather& g, std::int64_t base, std::int64_t count) {
    struct Element {
        unsigned char bytes[Size];
    };
    const auto* const from = reinterpret_cast<const Element*>(g.from);
    auto* const to = reinterpret_cast<Element*>(g.to);
    const auto* const index = reinterpret_cast<const std::int32_t*>(g.index);
    for (std::int64_t i = base; i < base + count; ++i) to[i] = from[index[i]];
}

template <class Fold, class From, class To>
void blocks(const Reduce& r, std::int64_t base, std::int64_t count) {
    auto* const to = reinterpret_cast<unsigned char*>(r.to);
    for (std::int64_t b = base; b < base + count; ++b) {
        const std::int64_t begin = b * r.block, end = begin + r.block < r.n ? begin + r.block : r.n;
        To result = Fold::first();
        for (std::int64_t i = begin; i < end; ++i) {
            From value;
            std::memcpy(&value, builtin::element(r, i, sizeof value), sizeof value);
            result = Fold::fold(result, builtin::taken<Fold, From, To>(value));
        }
        std::memcpy(to + b * static_cast<std::int64_t>(sizeof result), &result, sizeof result);
    }
}

template <class From, class To>
void folds(const Reduce& r, std::int64_t base, std::int64_t count) {
    switch (r.fold) {
        case 0:
            return blocks<builtin::Sum<To>, From, To>(r, base, count);
        case 1:
            return blocks<builtin::Max<To>, From, To>(r, base, count);
        case 2:
            return blocks<builtin::Min<To>, From, To>(r, base, count);
        case 3:
            return blocks<builtin::All<To>, From, To>(r, base, count);
        default:
            return blocks<builtin::Product<To>, From, To>(r, base, count);
    }
}

template <class From>
void into(const Reduce& r, std::int64_t base, std::int64_t count) {
    switch (r.to_type) {
        case 0:
            return folds<From, double>(r, base, count);
        case 1:
            return folds<From, float>(r, base, count);
        case 2:
            return folds<From, std::int64_t>(r, base, count);
        case 3:
            return folds<From, std::int32_t>(r, base, count);
        case 4:
            return folds<From, std::uint32_t>(r, base, count);
        default:
            return folds<From, std::uint8_t>(r, base, count);
    }
}

}  // namespace

#define EAGLE_ENTRY extern "C" __attribute__((visibility("default"))) void

EAGLE_ENTRY eagle_builtin_fill(void* const* params, std::int64_t base, std::int64_t count, std::int64_t) {
    const Fill& f = *static_cast<const Fill*>(params[0]);
    switch (f.size) {
        case 1:
            return fill<1>(f, base, count);
        case 2:
            return fill<2>(f, base, count);
        case 4:
            return fill<4>(f, base, count);
        case 8:
            return fill<8>(f, base, count);
        default:
            return fill<16>(f, base, count);
    }
}

EAGLE_ENTRY eagle_builtin_gather(void* const* params, std::int64_t base, std::int64_t count, std::int64_t) {
    const Gather& g = *static_cast<const Gather*>(params[0]);
    switch (g.size) {
        case 1:
            return gather<1>(g, base, count);
        case 2:
            return gather<2>(g, base, count);
        case 4:
            return gather<4>(g, base, count);
        case 8:
            return gather<8>(g, base, count);
        default:
            return gather<16>(g, base, count);
    }
}

EAGLE_ENTRY eagle_builtin_reduce(void* const* params, std::int64_t base, std::int64_t count, std::int64_t) {
    const Reduce& r = *static_cast<const Reduce*>(params[0]);
    switch (r.from_type) {
        case 0:
            return into<double>(r, base, count);
        case 1:
            return into<float>(r, base, count);
        case 2:
            return into<std::int64_t>(r, base, count);
        case 3:
            return into<std::int32_t>(r, base, count);
        case 4:
            return into<std::uint32_t>(r, base, count);
        default:
            return into<std::uint8_t>(r, base, count);
    }
}
