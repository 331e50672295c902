// Which sample sits in which lane of a run: drawing, loading, retiring, refilling. It is not the hot loop, and compiled
// with -O1, since it would otherwise be half of a small kernel's compile time.
#pragma once
#include "hawk/call.h"

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC push_options
#pragma GCC optimize("O1")
#endif

namespace hawk {

constexpr u64 look_every = 1024;  // steps between two looks at the stop flag

// K: the kernel; W lanes a vector; N vectors.
template <class K, int W, int N>
struct Roster {
    static constexpr int lanes = W * N;
    static_assert(lanes <= 64, "one bit of a word for each lane");
    static constexpr u64 row = (1ull << W) - 1, full = ~0ull >> (64 - lanes);

    alignas(64) u8 buf[N][K::planes][W * 8];
    i32 code[lanes];  // why a lane failed
    const plane* pl;
    plane mask, steps;
    i64* control;
    i64* cursor;
    i64 alone;  // the cursor where none is supplied
    i64 end;
    u64 cap;    // most steps of a sample
    u64 now;    // steps the driver has made
    u64 limit;  // no lane reaches the cap before this step
    u64 look;   // when to look at the stop flag
    u64 total;  // steps made, over all lanes
    u64 on;     // lanes that hold a sample
    u64 last;   // 0, or row when nothing is left to draw: lanes within it are stepped alone
    i64 cur, stop;
    u32 block;  // vectors whose samples are neighbours in memory and came together
    bool unit;
    i64 id[lanes];
    u64 born[lanes];  // the step at which the sample had made none

    void begin(const call<K>& c, i64 base, i64 count) {
        pl = c.at, mask = c.mask, steps = c.steps, control = c.control;
        alone = base, end = base + count;
        cursor = c.next ? c.next : &alone;
        cap = !control ? ~0ull >> 1 : control[MaxSteps] > 0 ? (u64)control[MaxSteps] : 0;
        now = total = on = last = 0, cur = stop = 0, block = 0;
        limit = ~0ull, look = look_every;
        __builtin_memset(buf, 0, sizeof buf);
        unit = (!mask.data || mask.stride == 1) && (!steps.data || steps.stride == 8);
        for (int k = 0; k < K::planes; k++) unit &= pl[k].stride == K::size[k];
        if (cap && !stopped()) fill(full);
    }
    HAWK_FN u64 bound() const { return limit < look ? limit : look; }

    // After a leg of `made` steps: lanes in `fin` finished with its last step, lanes in `bad` failed in it.
    __attribute__((noinline)) void event(u64 made, u64 fin, u64 bad) {
        now += made;
        total += made * (u64)__builtin_popcountll(on) - (u64)__builtin_popcountll(bad);
        fin &= ~bad;
        u64 gone = fin | bad;
        if (now == limit) gone |= expired(gone);
        on &= ~gone;
        if (bad) fail(bad), gone &= ~bad;
        u64 empty = bad;
        for (int g = 0; g < N; g++) {
            const int at = g * W;
            const u64 e = gone >> at & row, d = fin >> at & row;
            if (e != row || !(block >> g & 1) || (d && d != row)) continue;
            put_block(g, d);
            gone &= ~(row << at);
            empty |= row << at;
        }
        if (now >= look) {
            look = now + look_every;
            if (stopped()) {
                retire(gone, fin);
                retire(on, 0);
                on = 0;
                return;
            }
        }
        if (empty) fill(empty);
        for (; gone; gone &= gone - 1) {
            const int l = __builtin_ctzll(gone);
            put(l, now - born[l], fin >> l & 1);
            take(l);
        }
        if (on > last && last && __builtin_popcountll(on) <= W) gather();
    }
    void finish() {
        if (control) __atomic_fetch_add(control + TotalSteps, (i64)total, __ATOMIC_RELAXED);
    }

  private:
    bool stopped() const { return control && __atomic_load_n(control + StopFlag, __ATOMIC_RELAXED) != 0; }
    HAWK_FN u8* at(int l, int k) { return buf[(unsigned)l / W][k] + (unsigned)l % W * K::size[k]; }
    // Out of line each: the copies would cost more compile time than the calls cost at run time.
    __attribute__((noinline)) void put(int l, u64 made, bool finished) {
        const i64 i = id[l];
        for (int k = 0; k < K::written; k++) move_element(K::size[k], pl[k].data + i * pl[k].stride, at(l, k));
        if (steps.data) steps_of(steps, i) = (i64)made;
        if (finished && mask.data) mask.data[i * mask.stride] = 1;
    }
    __attribute__((noinline)) void take(int l) {
        if (!draw()) return;
        const i64 i = cur++;
        for (int k = 0; k < K::planes; k++) move_element(K::size[k], at(l, k), pl[k].data + i * pl[k].stride);
        id[l] = i;
        born[l] = now - made_before(i);
        if (born[l] + cap < limit) limit = born[l] + cap;
        on |= 1ull << l;
        block &= ~(1u << (unsigned)l / W);
    }
    HAWK_FN u64 made_before(i64 i) const { return steps.data ? (u64)steps_of(steps, i) : 0; }
    void retire(u64 which, u64 fin) {
        for (; which; which &= which - 1) {
            const int l = __builtin_ctzll(which);
            put(l, now - born[l], fin >> l & 1);
        }
    }
    // The driver has put the state before the failed step back.
    __attribute__((noinline, cold)) void fail(u64 bad) {
        for (; bad; bad &= bad - 1) {
            const int l = __builtin_ctzll(bad);
            block &= ~(1u << (unsigned)l / W);
            put(l, now - 1 - born[l], false);
            report_fault(control, code[l], id[l]);
        }
    }
    // True when `cur` is a sample to take.
    __attribute__((noinline)) bool draw() {
        for (;;) {
            if (cur >= stop && !next_chunk()) return false;
            if (mask.data && mask.data[cur * mask.stride]) {
                const bool eight = mask.stride == 1 && cur + 8 <= stop && !zero_bytes(eight_bytes(mask.data + cur));
                cur += eight ? 8 : 1;
            } else if (steps.data && steps_of(steps, cur) >= (i64)cap) {
                cur++;
            } else {
                return true;
            }
        }
    }
    // A chunk is a sixteenth of what is left, so that the workers end together, and whole vectors of at most 256.
    __attribute__((noinline)) bool next_chunk() {
        if (stop < 0) return false;
        const i64 left = (end - __atomic_load_n(cursor, __ATOMIC_RELAXED)) / 16;
        const i64 chunk = left < W ? W : left > 256 ? 256 : left / W * W;
        cur = __atomic_fetch_add(cursor, chunk, __ATOMIC_RELAXED);
        if (cur >= end) {
            stop = -1, last = row;
            return false;
        }
        stop = cur + chunk < end ? cur + chunk : end;
        return true;
    }
    // Nothing is left to draw: the last lanes move to the first vector.
    __attribute__((noinline, cold)) void gather() {
        for (u64 m = on & ~row; m; m &= m - 1) {
            const int l = __builtin_ctzll(m), to = __builtin_ctzll(~on);
            for (int k = 0; k < K::planes; k++) move_element(K::size[k], at(to, k), at(l, k));
            id[to] = id[l];
            born[to] = born[l];
            on = (on | 1ull << to) & ~(1ull << l);
        }
        block = 0;
    }
    // Lanes at the cap, beside those that are gone anyway; sets when the next one will be.
    __attribute__((noinline)) u64 expired(u64 gone) {
        u64 r = 0;
        limit = ~0ull;
        for (u64 m = on & ~gone; m; m &= m - 1) {
            const int l = __builtin_ctzll(m);
            const u64 end_of = born[l] + cap;
            if (end_of == now)
                r |= 1ull << l;
            else if (end_of < limit)
                limit = end_of;
        }
        return r;
    }
    // Whole vectors of neighbours move as one.
    void put_block(int g, bool finished) {
        const i64 i = id[g * W];
        for (int k = 0; k < K::written; k++)
            __builtin_memcpy(pl[k].data + i * K::size[k], buf[g][k], (u64)(W * K::size[k]));
        if (steps.data)
            for (int l = 0; l < W; l++) ((i64*)steps.data)[i + l] = (i64)(now - born[g * W + l]);
        if (finished && mask.data) __builtin_memset(mask.data + i, 1, W);
    }
    bool get_block(int g) {
        if (!unit || stop - cur < W) return false;
        for (int l = 0; l < W; l++) {
            if (mask.data && mask.data[cur + l]) return false;
            if (steps.data && ((i64*)steps.data)[cur + l] >= (i64)cap) return false;
        }
        for (int k = 0; k < K::planes; k++)
            __builtin_memcpy(buf[g][k], pl[k].data + cur * K::size[k], (u64)(W * K::size[k]));
        for (int l = 0; l < W; l++) {
            const u64 b = now - made_before(cur + l);
            id[g * W + l] = cur + l;
            born[g * W + l] = b;
            if (b + cap < limit) limit = b + cap;
        }
        block |= 1u << g;
        on |= row << g * W;
        cur += W;
        return true;
    }
    // Draws samples into empty lanes.
    void fill(u64 empty) {
        for (int g = 0; g < N; g++) {
            u64 e = empty >> g * W & row;
            if (!e || !draw()) continue;
            if (e == row && get_block(g)) continue;
            for (; e; e &= e - 1) take(g * W + __builtin_ctzll(e));
        }
    }
};

}  // namespace hawk

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC pop_options
#endif
