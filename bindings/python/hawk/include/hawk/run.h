// Driver `run`: each sample to its end or to the most steps, state in registers, lanes refilled.
//
// No lane is ever masked in the loop. Every live lane is unfinished at the top of a step, so the loop leaves at the
// first finished lane, that sample is written back and the next one takes its place. The steps of a sample are the
// difference of the driver's step numbers at retirement and at load: no counter a lane. The most steps, and the next
// look at the stop flag, are the bound of the same loop.
#pragma once
#include "hawk/roster.h"

namespace hawk {

// N vectors of state, each in registers of its own.
template <class K, class S, int N>
struct Vectors {
    static constexpr int row = S::W * 8;
    using State = typename K::template state<S>;
    State head;
    Vectors<K, S, N - 1> tail;

    HAWK_FN void load(const u8* b) {
        int k = 0;
        K::each(head, [&](auto& x) { get(x, b + row * k++); });
        tail.load(b + row * K::planes);
    }
    HAWK_FN void store(u8* b) {
        int k = 0;
        K::each(head, [&](auto& x) {
            if (k < K::written) put(x, b + row * k);
            k++;
        });
        tail.store(b + row * K::planes);
    }
    // One step; the lanes that finished, and in `bad` those that failed, which keep their state.
    HAWK_FN u64 step(const typename K::uni& u, u64 on, i32* code, u64& bad) {
        const auto live = mask_from_bits<S::W>((u32)on);
        u64 fin, failed = 0;
        if constexpr (K::faults) {
            const State before = head;
            trap<S> f(code);
            fin = to_bits(K::template step<S>(head, u, live, f));
            if (__builtin_expect(any(f.failed), 0)) {
                restore(before, f.failed);
                failed = to_bits(f.failed);
            }
        } else {
            trap<S> f(code);
            fin = to_bits(K::template step<S>(head, u, live, f));
        }
        fin |= tail.step(u, on >> S::W, code + S::W, bad) << S::W;
        bad = bad << S::W | failed;
        return fin;
    }

  private:
    HAWK_FN void restore(State before, typename S::mask failed) {
        u8 rows[K::planes][row];
        int k = 0;
        K::each(before, [&](auto& x) { put(x, rows[k++]); });
        k = 0;
        K::each(head, [&](auto& x) {
            auto old = x;
            get(old, rows[k++]);
            x = sel(failed, old, x);
        });
    }
};
template <class K, class S>
struct Vectors<K, S, 0> {
    HAWK_FN void load(const u8*) {}
    HAWK_FN void store(u8*) {}
    HAWK_FN u64 step(const typename K::uni&, u64, i32*, u64& bad) {
        bad = 0;
        return 0;
    }
};

// Steps M vectors until a lane finishes or fails, or the bound is reached.
template <class K, class S, int M, class Lanes>
HAWK_FN void leg(Lanes& r, const typename K::uni& u) {
    Vectors<K, S, M> s;
    u8* const buf = r.buf[0][0];
    s.load(buf);
    const u64 on = r.on, from = r.now, bound = r.bound();
    u64 now = from, fin, bad = 0;
    do {
        fin = s.step(u, on, r.code, bad) & on;
        if constexpr (K::faults) fin |= bad;
        ++now;
    } while (!fin && now != bound);
    s.store(buf);
    r.event(now - from, fin, bad);
}

template <class K, class S, class Lanes>
__attribute__((noinline)) void last_legs(Lanes& r, const typename K::uni& u) {
    while (r.on) leg<K, S, 1>(r, u);
}

template <class K>
HAWK_FN void run_entry(void* const* arguments, i64 base, i64 count) {
    using S = simd<typename K::real, K::lane>;
    static_assert(K::finishes, "a kernel that never finishes has no run entry");
    call<K> c;
    K::bind(arguments, c);
    Roster<K, S::W, K::vectors> r;
    r.begin(c, base, count);
    const typename K::uni u = c.uniforms;
    if constexpr (K::vectors > 1)
        while (r.on > r.last) leg<K, S, K::vectors>(r, u);
    last_legs<K, S>(r, u);
    r.finish();
}

}  // namespace hawk
