// float32 beside int64 and booleans: def mixed(most: Index, terminated: Terminated, n: Mutable[Index], odd:
// Mutable[bool],
//                                               x: Mutable[Scalar]):
//     n = n + 1
//     odd = not odd
//     x = x + (n if odd else -0.5)
//     terminated = n >= most
#include "hawk/kernel.h"

namespace hawk::kernels {
namespace {

struct mixed_kernel {
    using real = float;
    static constexpr int lane = 8;
    static constexpr int planes = 4, written = 3, fresh = 0;
    static constexpr u8 size[planes] = {8, 1, 4, 8};
    static constexpr int vectors = vectors_for(6, planes, false);
    static constexpr bool finishes = true, faults = false;
    struct uni {};
    template <class S>
    struct state {
        typename S::i64 n_;
        typename S::mask odd_;
        typename S::real x_;
        typename S::i64 most_;
    };
    template <class T, class F>
    static HAWK_FN void each(T& s, F&& f) {
        f(s.n_), f(s.odd_), f(s.x_), f(s.most_);
    }
    template <class S>
    static HAWK_FN typename S::mask step(state<S>& s, const uni& u, typename S::mask on, trap<S>& f) {
        using R = typename S::real;
        using I = typename S::i64;
        using M = typename S::mask;
        const I v0 = s.n_ + I(1);
        const M v1 = !s.odd_;
        const R v2 = to_real<S>(v0);
        const R v3 = sel(v1, v2, R(-0.5));
        const R v4 = s.x_ + v3;
        const M v5 = v0 >= s.most_;
        s.n_ = v0;
        s.odd_ = v1;
        s.x_ = v4;
        return v5;
    }
    // mutable: __control __next __steps n odd x | per_sample: most | terminated | nsamples
    static HAWK_FN void bind(void* const* a, call<mixed_kernel>& c) {
        c.control = control_at(a[0]);
        c.next = cursor_at(a[1]);
        c.steps = plane_at<i64>(a[2]);
        c.at[0] = plane_at<i64>(a[3]);
        c.at[1] = plane_at<u8>(a[4]);
        c.at[2] = plane_at<real>(a[5]);
        c.at[3] = plane_at<i64>(a[6]);
        c.mask = plane_at<u8>(a[7]);
        c.uniforms = {};
    }
};

}  // namespace
}  // namespace hawk::kernels

HAWK_ARTIFACT
HAWK_STEP(mixed_kernel, mixed_step)
HAWK_RUN(mixed_kernel, mixed_run)
