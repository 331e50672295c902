// Driver `step`: one step of every unmasked sample of [base, base + count).
//
// Whole vectors of unmasked samples go straight between memory and registers. What is left (the end of a range, strided
// planes, vectors with masked samples, a vector with a fault) passes through a small buffer and the same body, so bits
// do not depend on where a range begins or ends.
#pragma once
#include "hawk/call.h"

namespace hawk {

// A store that does not fetch the line it writes. `p` is aligned to the vector.
using Line = raw<double, HAWK_BYTES / 8>;
HAWK_FN void store_past_cache(void* p, Line v) {
#if defined(__clang__)
    __builtin_nontemporal_store(v, (Line*)p);
#elif HAWK_BYTES == 64
    __builtin_ia32_movntpd512((double*)p, v);
#elif HAWK_BYTES == 32
    __builtin_ia32_movntpd256((double*)p, v);
#elif defined(__SSE2__)
    __builtin_ia32_movntpd((double*)p, v);
#else
    *(Line*)p = v;
#endif
}
HAWK_FN void stores_done() {
#if defined(__SSE2__)
    __builtin_ia32_sfence();
#endif
}
template <class T, int N>
HAWK_FN void put_past_cache(const pack<T, N>& x, u8* p) {
    if constexpr (sizeof x == HAWK_BYTES)
        store_past_cache(p, (Line)x.v);
    else
        put(x, p);
}
template <int N>
HAWK_FN void put_past_cache(const mask<N>& x, u8* p) {
    put(x, p);
}

}  // namespace hawk

// Not the hot loop: compiled with -O1, for the compile time of small kernels.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC optimize("O1")
#endif

namespace hawk {

// The planes that are read of c samples from i on, between memory and rows of W elements. Lanes past c get the last
// sample's values, so that the body meets nothing unusual there.
template <class K, int W>
__attribute__((noinline)) void gather_rows(const plane* at, u8* rows, i64 i, int c) {
    for (int k = K::fresh; k < K::planes; k++) {
        const u8* p = at[k].data + i * at[k].stride;
        u8* row = rows + k * W * 8;
        if (c == W && at[k].stride == K::size[k]) {
            __builtin_memcpy(row, p, (u64)(W * K::size[k]));
            continue;
        }
        for (int l = 0; l < W; l++)
            move_element(K::size[k], row + l * K::size[k], p + (l < c ? l : c - 1) * at[k].stride);
    }
}
template <class K, int W>
__attribute__((noinline)) void scatter_rows(const plane* at, const u8* rows, i64 i, u32 lanes) {
    for (int k = 0; k < K::written; k++) {
        u8* p = at[k].data + i * at[k].stride;
        const u8* row = rows + k * W * 8;
        for (u32 m = lanes; m; m &= m - 1) {
            const int l = __builtin_ctz(m);
            move_element(K::size[k], p + l * at[k].stride, row + l * K::size[k]);
        }
    }
}

// Up to W samples from i on, whatever their masks and strides.
template <class K>
__attribute__((noinline)) void step_some(const call<K>& c, i64 i, int count) {
    using S = simd<typename K::real, K::lane>;
    constexpr int W = S::W;
    u32 on = (u32)((1ull << count) - 1);
    if (c.mask.data)
        for (int l = 0; l < count; l++)
            if (c.mask.data[(i + l) * c.mask.stride]) on &= ~(1u << l);
    if (!on) return;
    alignas(64) u8 rows[K::planes][W * 8];
    i32 code[W];
    gather_rows<K, W>(c.at, rows[0], i, count);
    typename K::template state<S> s;
    int k = 0;
    K::each(s, [&](auto& x) {
        if (k >= K::fresh) get(x, rows[k]);
        k++;
    });
    trap<S> f(code);
    const auto end = K::template step<S>(s, c.uniforms, mask_from_bits<W>(on), f);
    k = 0;
    K::each(s, [&](auto& x) {
        if (k < K::written) put(x, rows[k]);
        k++;
    });
    const u32 bad = K::faults ? to_bits(f.failed) & on : 0, done = on & ~bad;
    scatter_rows<K, W>(c.at, rows[0], i, done);
    for (u32 m = bad; m; m &= m - 1) report_fault(c.control, code[__builtin_ctz(m)], i + __builtin_ctz(m));
    if (c.steps.data)
        for (u32 m = done; m; m &= m - 1) steps_of(c.steps, i + __builtin_ctz(m))++;
    if (K::finishes && c.mask.data)
        for (u32 m = to_bits(end) & done; m; m &= m - 1) c.mask.data[(i + __builtin_ctz(m)) * c.mask.stride] = 1;
}

}  // namespace hawk

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC pop_options
#endif

namespace hawk {

template <class K>
struct Sweep {
    using S = simd<typename K::real, K::lane>;
    static constexpr int W = S::W;
    using State = typename K::template state<S>;

    // Whole vectors from i to end; planes, mask and steps have unit strides.
    template <bool Stream>
    static HAWK_FN void whole(const call<K>& c, u8* const* p, const typename K::uni& u, i64 i, i64 end) {
        u8* const masks = c.mask.data;
        i64* const steps = (i64*)c.steps.data;
        i32 code[W];
        for (; i < end; i += W) {
            if (masks && any_byte(masks + i)) {
                step_some(c, i, W);
                continue;
            }
            State s;
            int k = 0;
            K::each(s, [&](auto& x) {
                if (k >= K::fresh) get(x, p[k] + i * K::size[k]);
                k++;
            });
            trap<S> f(code);
            const auto fin = K::template step<S>(s, u, typename S::mask(true), f);
            if constexpr (K::faults)
                if (__builtin_expect(any(f.failed), 0)) {
                    step_some(c, i, W);
                    continue;
                }
            k = 0;
            K::each(s, [&](auto& x) {
                if (Stream && k < K::fresh)
                    put_past_cache(x, p[k] + i * K::size[k]);
                else if (k < K::written)
                    put(x, p[k] + i * K::size[k]);
                k++;
            });
            if constexpr (K::finishes) {
                if (steps)
                    for (int l = 0; l < W; l++) steps[i + l]++;
                if (masks)
                    for (u32 m = to_bits(fin); m; m &= m - 1) masks[i + __builtin_ctz(m)] = 1;
            }
        }
        if (Stream) stores_done();
    }

    static HAWK_FN bool any_byte(const u8* p) {
        u64 w = 0;
        __builtin_memcpy(&w, p, W < 8 ? W : 8);
        if constexpr (W > 8) w |= eight_bytes(p + 8);
        return w != 0;
    }

    // Moves i to where the first output is aligned to a vector, and says whether every output is aligned there.
    static HAWK_FN bool align(const call<K>& c, u8* const* p, i64& i, i64 end) {
        if (K::size[0] != K::lane) return false;
        const i64 head = (i64)(-(u64)(p[0] + i * K::lane) % HAWK_BYTES) / K::lane;
        if (head > end - i) return false;
        if (head) step_some(c, i, (int)head);
        i += head;
        bool all = true;
        for (int k = 0; k < K::fresh; k++) all &= (u64)(p[k] + i * K::lane) % HAWK_BYTES == 0 && K::size[k] == K::lane;
        return all;
    }

    static HAWK_FN void run(const call<K>& c, i64 base, i64 count, i64 total) {
        const typename K::uni u = c.uniforms;
        u8* p[K::planes];
        bool unit = (!c.mask.data || c.mask.stride == 1) && (!c.steps.data || c.steps.stride == 8);
        for (int k = 0; k < K::planes; k++) p[k] = c.at[k].data, unit &= c.at[k].stride == K::size[k];
        i64 i = base;
        const i64 end = base + count;
        if (unit) {
            bool past = false;
            if constexpr (K::fresh > 0)
                past = total * K::fresh * (i64)K::size[0] > HAWK_CACHE_BYTES / 2 && align(c, p, i, end);
            const i64 last = i + (end - i) / W * W;
            if (K::fresh && past)
                whole<true>(c, p, u, i, last);
            else
                whole<false>(c, p, u, i, last);
            i = last;
        }
        for (; i < end; i += W) step_some(c, i, end - i < W ? (int)(end - i) : W);
    }
};

template <class K>
HAWK_FN void step_entry(void* const* arguments, i64 base, i64 count, i64 total) {
    call<K> c;
    K::bind(arguments, c);
    Sweep<K>::run(c, base, count, total);
}

}  // namespace hawk
