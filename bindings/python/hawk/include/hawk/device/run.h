// Driver `run` on a card: each sample to its end or to the most steps, one a lane, state in registers. The grid is as
// large as the card holds and stays; a lane whose sample is done draws the next one, with one atomic for the warp. The
// warp looks after each step, by one vote; the steps of a sample are the difference of the warp's step numbers at
// retirement and at load.
#pragma once
#include "hawk/device/step.h"

namespace hawk {

constexpr u64 look_every = 1024;  // steps between two looks at the stop flag

template <class K>
struct Lane {
    using S = scalar<typename K::real>;

    const call<K>& c;
    const Warp warp;
    i64 end, alone, alone_end;  // `alone`: the warp's own cursor, where none is supplied
    u64 cap;
    LaneState<K> s;
    i64 id = -1;             // the sample, -1: none
    u64 now = 0, start = 0;  // steps of the warp, and when the sample was loaded
    u64 before = 0;          // steps that the sample had then
    u64 total = 0;
    bool is_dry = false;  // nothing is left to draw
    bool is_finished = false, has_failed = false;
    i32 code = 0;

    HAWK_FN Lane(const call<K>& of, i64 base, i64 count) : c(of), end(base + count), s{} {
        cap = !c.control ? ~0ull >> 1 : c.control[MaxSteps] > 0 ? (u64)c.control[MaxSteps] : 0;
        const i64 warps = (threads_of_grid() + 31) / 32, each = (count + warps - 1) / warps;
        alone = base + thread_of_grid() / 32 * each;
        alone_end = alone + each < end ? alone + each : end;
        if (!c.next) end = alone_end;
        is_dry = cap == 0 || is_stopped();
    }

    HAWK_FN bool is_stopped() const { return c.control && look_at(c.control + StopFlag) != 0; }

    // Lanes without a sample take the next ones that are to be stepped.
    HAWK_FN void refill() {
        for (;;) {
            const bool wants = id < 0 && !is_dry;
            const u32 who = warp.ballot(wants);
            if (!who) return;
            const u32 count = (u32)__popc(who);
            u64 first = (u64)alone;
            if (c.next) {
                const int leader = lowest_bit(who);
                if ((int)warp.lane == leader) first = draw_from(c.next, count);
                first = warp.from(leader, first);
            }
            alone += count;
            if (wants) take((i64)first + __popc(who & ((1u << warp.lane) - 1)));
        }
    }

    HAWK_FN void take(i64 i) {
        if (i >= end) {
            is_dry = true;
            return;
        }
        if (is_masked(c, i)) return;
        before = c.steps.data ? (u64)steps_of(c.steps, i) : 0;
        if (before >= cap) return;
        load_sample(s, c, i);
        id = i;
        start = now;
        is_finished = has_failed = false;
    }

    // Only copies are handed to functions, whose arguments by address lie in memory: the rest stays in registers.
    HAWK_FN void step(const typename K::uni& u) {
        LaneState<K> stepped = s;
        i32 why = 0;
        trap<S> f(&why);
        is_finished = K::template step<S>(stepped, u, true, f);
        if constexpr (K::faults) {
            has_failed = f.failed;
            code = why;
            if (has_failed) return;
        }
        s = stepped;
    }

    // Steps until a lane of the warp is done, or it is time to look at the flag.
    HAWK_FN void leg(const typename K::uni& u, u64 until) {
        const u64 left = id >= 0 ? cap - before : ~0ull;
        u64 made = now - start;
        bool is_over;
        do {
            if (id >= 0) step(u);
            ++now;
            ++made;
            is_over = id >= 0 && (is_finished || has_failed || made == left);
        } while (!warp.any(is_over) && now != until);
        if (is_over) retire();
    }

    HAWK_FN void retire() {
        const u64 made = now - start - (has_failed ? 1 : 0);
        save_sample(s, c, id);
        if (c.steps.data) steps_of(c.steps, id) = (i64)(before + made);
        if (has_failed)
            report_fault(c.control, code, id);
        else if (is_finished && c.mask.data)
            c.mask.data[id * c.mask.stride] = 1;
        total += made;
        id = -1;
    }

    HAWK_FN void run(const typename K::uni& u) {
        u64 look = look_every;
        for (;;) {
            refill();
            if (!warp.any(id >= 0)) return;
            leg(u, look);
            if (now != look) continue;
            look += look_every;
            if (!warp.any(is_stopped())) continue;
            if (id >= 0) retire();
            return;
        }
    }
};

template <class K>
HAWK_FN void run_entry(void* const* arguments, i64 base, i64 count) {
    static_assert(K::finishes, "a kernel that never finishes has no run entry");
    call<K> c;
    K::bind(arguments, c);
    const typename K::uni uniforms = c.uniforms;  // a long body takes its address
    Lane<K> lane(c, base, count);
    lane.run(uniforms);
    // The sum lies in the host's memory: one write a block.
    __shared__ u64 sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    atomicAdd(&sum, lane.total);
    __syncthreads();
    if (threadIdx.x == 0 && sum != 0 && c.control) add_to(c.control + TotalSteps, sum);
}

}  // namespace hawk
