// oscillator(x: mutable real, v: mutable real, omega: per_sample real, dt: uniform real, rest: uniform real, done: terminated bool)
// dcae09cde8fe3df53e5bf072d407161c79b78531d67fa186477bcdfd06cbc791
#include "hawk/host_cpu.h"
#include "hawk/kernel.h"

namespace hawk::kernels {
namespace {

struct oscillator_kernel {
    using real = double;
    static constexpr int lane = 8;
    static constexpr int planes = 3, written = 2, fresh = 0;
    static constexpr u8 size[planes] = {8, 8, 8};
    static constexpr int vectors = vectors_for(13, planes, false);
    static constexpr bool finishes = true, faults = false;
    struct uni {
        real dt_, rest_;
    };
    template <class S>
    struct state {
        typename S::real v_, x_, omega_;
    };
    template <class T, class F>
    static HAWK_FN void each(T& s, F&& f) {
        f(s.v_), f(s.x_), f(s.omega_);
    }
    template <class S>
    static HAWK_FN typename S::mask step(state<S>& s, const uni& u, typename S::mask on, trap<S>& f) {
        using R = typename S::real;
        using M = typename S::mask;
        const R v0 = s.omega_ * s.omega_;
        const R v1 = v0 * s.x_;
        const R v2 = R(0.3) * s.omega_;
        const R v3 = v2 * s.v_;
        const R v4 = v1 + v3;
        const R v5 = R(u.dt_) * v4;
        const R v6 = s.v_ - v5;
        const R v7 = R(u.dt_) * v6;
        const R v8 = s.x_ + v7;
        const R v9 = v8 * v8;
        const R v10 = v6 * v6;
        const R v11 = v9 + v10;
        const M v12 = v11 < R(u.rest_);
        s.v_ = v6;
        s.x_ = v8;
        return v12;
    }
    // mutable: __control __next __steps v x | per_sample: omega | terminated: done | uniform: dt rest | nsamples: n_samples
    static HAWK_FN void bind(void* const* a, call<oscillator_kernel>& c) {
        c.control = control_at(a[0]);
        c.next = cursor_at(a[1]);
        c.steps = plane_at<i64>(a[2]);
        c.at[0] = plane_at<real>(a[3]);
        c.at[1] = plane_at<real>(a[4]);
        c.at[2] = plane_at<real>(a[5]);
        c.mask = plane_at<u8>(a[6]);
        c.uniforms = {uniform_at<real>(a[7]), uniform_at<real>(a[8])};
    }
};

}  // namespace
}  // namespace hawk::kernels

HAWK_ARTIFACT
HAWK_STEP(oscillator_kernel, oscillator_step)
HAWK_RUN(oscillator_kernel, oscillator_run)
