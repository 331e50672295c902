// def damped(w2: Scalar, c: Scalar, last: Scalar, dt: Param, terminated: Terminated,
//            x: Mutable[Scalar], v: Mutable[Scalar], k: Mutable[Scalar]):
//     one RK4 step of x'' = -w2 x - c v
//     k += 1
//     terminated = k >= last
#include "hawk/kernel.h"

namespace hawk::kernels {
namespace {

struct damped_kernel {
    using real = double;
    static constexpr int lane = 8;
    static constexpr int planes = 6, written = 3, fresh = 0;
    static constexpr u8 size[planes] = {8, 8, 8, 8, 8, 8};
    static constexpr int vectors = vectors_for(49, planes, true);
    static constexpr bool finishes = true, faults = false;
    struct uni {
        real dt_;
    };
    template <class S>
    struct state {
        typename S::real k_, v_, x_, c_, last_, w2_;
    };
    template <class T, class F>
    static HAWK_FN void each(T& s, F&& f) {
        f(s.k_), f(s.v_), f(s.x_), f(s.c_), f(s.last_), f(s.w2_);
    }
    template <class S>
    static HAWK_FN typename S::mask step(state<S>& s, const uni& u, typename S::mask on, trap<S>& f) {
        using R = typename S::real;
        using M = typename S::mask;
        const R v0 = R(0.5) * R(u.dt_);
        const R v1 = s.w2_ * s.x_;
        const R v2 = -v1;
        const R v3 = s.c_ * s.v_;
        const R v4 = v2 - v3;
        const R v5 = v0 * v4;
        const R v6 = s.v_ + v5;
        const R v7 = v0 * s.v_;
        const R v8 = s.x_ + v7;
        const R v9 = s.w2_ * v8;
        const R v10 = -v9;
        const R v11 = s.c_ * v6;
        const R v12 = v10 - v11;
        const R v13 = v0 * v12;
        const R v14 = s.v_ + v13;
        const R v15 = v0 * v6;
        const R v16 = s.x_ + v15;
        const R v17 = s.w2_ * v16;
        const R v18 = -v17;
        const R v19 = s.c_ * v14;
        const R v20 = v18 - v19;
        const R v21 = R(u.dt_) * v20;
        const R v22 = s.v_ + v21;
        const R v23 = R(u.dt_) * v14;
        const R v24 = s.x_ + v23;
        const R v25 = s.w2_ * v24;
        const R v26 = -v25;
        const R v27 = s.c_ * v22;
        const R v28 = v26 - v27;
        const R v29 = R(u.dt_) / R(6.0);
        const R v30 = v6 + v14;
        const R v31 = R(2.0) * v30;
        const R v32 = s.v_ + v31;
        const R v33 = v32 + v22;
        const R v34 = v29 * v33;
        const R v35 = s.x_ + v34;
        const R v36 = v12 + v20;
        const R v37 = R(2.0) * v36;
        const R v38 = v4 + v37;
        const R v39 = v38 + v28;
        const R v40 = v29 * v39;
        const R v41 = s.v_ + v40;
        const R v42 = s.k_ + R(1.0);
        const M v43 = v42 >= s.last_;
        s.k_ = v42;
        s.v_ = v41;
        s.x_ = v35;
        return v43;
    }
    // mutable: __control __next __steps k v x | per_sample: c last w2 | terminated | uniform: dt | nsamples
    static HAWK_FN void bind(void* const* a, call<damped_kernel>& c) {
        c.control = control_at(a[0]);
        c.next = cursor_at(a[1]);
        c.steps = plane_at<i64>(a[2]);
        c.at[0] = plane_at<real>(a[3]);
        c.at[1] = plane_at<real>(a[4]);
        c.at[2] = plane_at<real>(a[5]);
        c.at[3] = plane_at<real>(a[6]);
        c.at[4] = plane_at<real>(a[7]);
        c.at[5] = plane_at<real>(a[8]);
        c.mask = plane_at<u8>(a[9]);
        c.uniforms = {uniform_at<real>(a[10])};
    }
};

}  // namespace
}  // namespace hawk::kernels

HAWK_ARTIFACT
HAWK_STEP(damped_kernel, damped_step)
HAWK_RUN(damped_kernel, damped_run)
