// def oscillator(omega: Scalar, t_end: Param, dt: Param, terminated: Terminated,
//                x: Mutable[Scalar], v: Mutable[Scalar], t: Mutable[Scalar]):
//     x0, v0 = x, v
//     x = x0 + dt * v0
//     v = v0 - dt * omega * omega * x0
//     t += dt
//     terminated = t >= t_end
#include "hawk/kernel.h"

namespace hawk::kernels {
namespace {

struct oscillator_kernel {
    using real = double;
    static constexpr int lane = 8;
    static constexpr int planes = 4, written = 3, fresh = 0;
    static constexpr u8 size[planes] = {8, 8, 8, 8};
    static constexpr int vectors = vectors_for(8, planes, false);
    static constexpr bool finishes = true, faults = false;
    struct uni {
        real dt_, t_end_;
    };
    template <class S>
    struct state {
        typename S::real t_, v_, x_, omega_;
    };
    template <class T, class F>
    static HAWK_FN void each(T& s, F&& f) {
        f(s.t_), f(s.v_), f(s.x_), f(s.omega_);
    }
    template <class S>
    static HAWK_FN typename S::mask step(state<S>& s, const uni& u, typename S::mask on, trap<S>& f) {
        using R = typename S::real;
        using M = typename S::mask;
        const R v0 = R(u.dt_) * s.v_;
        const R v1 = s.x_ + v0;
        const R v2 = R(u.dt_) * s.omega_;
        const R v3 = v2 * s.omega_;
        const R v4 = v3 * s.x_;
        const R v5 = s.v_ - v4;
        const R v6 = s.t_ + R(u.dt_);
        const M v7 = v6 >= R(u.t_end_);
        s.t_ = v6;
        s.v_ = v5;
        s.x_ = v1;
        return v7;
    }
    // mutable: __control __next __steps t v x | per_sample: omega | terminated | uniform: dt t_end | nsamples
    static HAWK_FN void bind(void* const* a, call<oscillator_kernel>& c) {
        c.control = control_at(a[0]);
        c.next = cursor_at(a[1]);
        c.steps = plane_at<i64>(a[2]);
        c.at[0] = plane_at<real>(a[3]);
        c.at[1] = plane_at<real>(a[4]);
        c.at[2] = plane_at<real>(a[5]);
        c.at[3] = plane_at<real>(a[6]);
        c.mask = plane_at<u8>(a[7]);
        c.uniforms = {uniform_at<real>(a[8]), uniform_at<real>(a[9])};
    }
};

}  // namespace
}  // namespace hawk::kernels

HAWK_ARTIFACT
HAWK_STEP(oscillator_kernel, oscillator_step)
HAWK_RUN(oscillator_kernel, oscillator_run)
