// Driver `step` on a card: a thread makes one step of one sample. What both drivers of a card share stands here too.
#pragma once
#include "hawk/call.h"

namespace hawk {

// The lowest faulty sample wins, whichever thread meets it first. The words lie in the host's memory, far from the
// card, and every sample may fail at once: one that lies behind the reported one goes without the lock. Of the first
// report the sample is there before the code.
HAWK_FN bool is_reported(const i64* control, i64 sample) {
    if (look_at(control + FaultCode) == 0) return false;
    __threadfence();
    return look_at(control + FaultSample) <= sample;
}

// A warp's lanes may come here together: the lock is taken and let go in one turn of the loop, so that no lane waits
// for one that waits for it.
HAWK_COLD void report_fault(i64* control, i64 code, i64 sample) {
    if (!control) return;
    u64* const lock = (u64*)control + FaultLock;
    while (!is_reported(control, sample)) {
        if (atomicCAS(lock, 0ull, 1ull) != 0) continue;
        __threadfence();
        if (!is_reported(control, sample)) {
            set_at(control + FaultIndex, 0);
            set_at(control + FaultSample, sample);
            __threadfence();
            set_at(control + FaultCode, code);
        }
        __threadfence();
        atomicExch(lock, 0ull);
    }
}

template <class T>
HAWK_FN void load(T& x, const u8* p) {
    x = *(const T*)p;
}
HAWK_FN void load(bool& x, const u8* p) { x = *p != 0; }
template <class T>
HAWK_FN void save(const T& x, u8* p) {
    *(T*)p = x;
}
HAWK_FN void save(const bool& x, u8* p) { *p = x; }

template <class K>
using LaneState = typename K::template state<scalar<typename K::real>>;

template <class K>
HAWK_FN void load_sample(LaneState<K>& s, const call<K>& c, i64 i) {
    int k = 0;
    K::each(s, [&](auto& x) {
        if (k >= K::fresh) load(x, c.at[k].data + i * c.at[k].stride);
        k++;
    });
}
template <class K>
HAWK_FN void save_sample(LaneState<K>& s, const call<K>& c, i64 i) {
    int k = 0;
    K::each(s, [&](auto& x) {
        if (k < K::written) save(x, c.at[k].data + i * c.at[k].stride);
        k++;
    });
}
template <class K>
HAWK_FN bool is_masked(const call<K>& c, i64 i) {
    return c.mask.data && c.mask.data[i * c.mask.stride];
}

template <class K>
HAWK_FN void step_sample(const call<K>& c, const typename K::uni& u, i64 i) {
    using S = scalar<typename K::real>;
    if (is_masked(c, i)) return;
    LaneState<K> s;
    load_sample(s, c, i);
    i32 code = 0;
    trap<S> f(&code);
    const bool is_finished = K::template step<S>(s, u, true, f);
    if constexpr (K::faults) {
        if (f.failed) {
            report_fault(c.control, code, i);
            return;
        }
    }
    save_sample(s, c, i);
    if (c.steps.data) steps_of(c.steps, i)++;
    if (K::finishes && is_finished && c.mask.data) c.mask.data[i * c.mask.stride] = 1;
}

// Any grid does: a thread goes on with the samples that no thread is left for.
template <class K>
HAWK_FN void step_entry(void* const* arguments, i64 base, i64 count) {
    call<K> c;
    K::bind(arguments, c);
    const typename K::uni uniforms = c.uniforms;  // a long body takes its address
    for (i64 j = thread_of_grid(); j < count; j += threads_of_grid()) step_sample(c, uniforms, base + j);
}

}  // namespace hawk
