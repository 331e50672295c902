// float32 throughout: def fall(k: Scalar, floor: Param, terminated: Terminated, x: Mutable[Scalar]) -> Scalar:
//     x = x - k * x
//     terminated = x < floor
//     return 1 / x
#include "hawk/kernel.h"

namespace hawk::kernels {
namespace {

struct fall_kernel {
    using real = float;
    static constexpr int lane = 4;
    static constexpr int planes = 3, written = 2, fresh = 1;
    static constexpr u8 size[planes] = {4, 4, 4};
    static constexpr int vectors = vectors_for(4, planes, true);
    static constexpr bool finishes = true, faults = false;
    struct uni {
        real floor_;
    };
    template <class S>
    struct state {
        typename S::real out_, x_, k_;
    };
    template <class T, class F>
    static HAWK_FN void each(T& s, F&& f) {
        f(s.out_), f(s.x_), f(s.k_);
    }
    template <class S>
    static HAWK_FN typename S::mask step(state<S>& s, const uni& u, typename S::mask on, trap<S>& f) {
        using R = typename S::real;
        using M = typename S::mask;
        const R v0 = s.k_ * s.x_;
        const R v1 = s.x_ - v0;
        const M v2 = v1 < R(u.floor_);
        const R v3 = R(1.0) / v1;
        s.out_ = v3;
        s.x_ = v1;
        return v2;
    }
    // mutable: __control __next __steps x | out: out | per_sample: k | terminated | uniform: floor | nsamples
    static HAWK_FN void bind(void* const* a, call<fall_kernel>& c) {
        c.control = control_at(a[0]);
        c.next = cursor_at(a[1]);
        c.steps = plane_at<i64>(a[2]);
        c.at[0] = component_at<real>(a[4], 0);
        c.at[1] = plane_at<real>(a[3]);
        c.at[2] = plane_at<real>(a[5]);
        c.mask = plane_at<u8>(a[6]);
        c.uniforms = {uniform_at<real>(a[7])};
    }
};

}  // namespace
}  // namespace hawk::kernels

HAWK_ARTIFACT
HAWK_STEP(fall_kernel, fall_step)
HAWK_RUN(fall_kernel, fall_run)
