// What a body above 600 operations looks like: one copy, out of line, one vector at a time. This one is short all the
// same. def whole(most: Index, terminated: Terminated, n: Mutable[Index], sum: Mutable[Index]):
//     n = n + 1
//     sum = sum * 3 + n
//     terminated = n >= most
#include "hawk/kernel.h"

namespace hawk::kernels {
namespace {

struct whole_kernel {
    using real = double;
    static constexpr int lane = 8;
    static constexpr int planes = 3, written = 2, fresh = 0;
    static constexpr u8 size[planes] = {8, 8, 8};
    static constexpr int vectors = vectors_for(601, planes, false);
    static constexpr bool finishes = true, faults = false;
    struct uni {};
    template <class S>
    struct state {
        typename S::i64 n_, sum_, most_;
    };
    template <class T, class F>
    static HAWK_FN void each(T& s, F&& f) {
        f(s.n_), f(s.sum_), f(s.most_);
    }
    template <class S>
    static HAWK_LONG typename S::mask step(state<S>& s, const uni& u, typename S::mask on, trap<S>& f) {
        using I = typename S::i64;
        using M = typename S::mask;
        const I v0 = s.n_ + I(1);
        const I v1 = s.sum_ * I(3);
        const I v2 = v1 + v0;
        const M v3 = v0 >= s.most_;
        s.n_ = v0;
        s.sum_ = v2;
        return v3;
    }
    // mutable: __control __next __steps n sum | per_sample: most | terminated | nsamples
    static HAWK_FN void bind(void* const* a, call<whole_kernel>& c) {
        c.control = control_at(a[0]);
        c.next = cursor_at(a[1]);
        c.steps = plane_at<i64>(a[2]);
        c.at[0] = plane_at<i64>(a[3]);
        c.at[1] = plane_at<i64>(a[4]);
        c.at[2] = plane_at<i64>(a[5]);
        c.mask = plane_at<u8>(a[6]);
        c.uniforms = {};
    }
};

}  // namespace
}  // namespace hawk::kernels

HAWK_ARTIFACT
HAWK_STEP(whole_kernel, whole_step)
HAWK_RUN(whole_kernel, whole_run)
