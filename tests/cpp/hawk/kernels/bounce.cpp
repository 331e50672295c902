// def bounce(e: Scalar, every: Index, dt: Param, g: Param, most: Param[Index], terminated: Terminated,
//            hits: Mutable[Index], r: Mutable[Vector[2]], v: Mutable[Vector[2]]):
//     vh = v[1] - g * dt
//     h = r[1] + vh * dt
//     if h < 0:
//         speed = math.sqrt(v[1] * v[1] + 2 * g * r[1])
//         late = dt - (speed + v[1]) / g
//         vh = e * speed - g * late
//         h = late * 0.5 * (e * speed + vh)
//         hits += 1
//         if hits % every == 0:
//             v[0] = v[0] * math.cos(r[0])
//     r[0] = r[0] + v[0] * dt
//     r[1] = h
//     v[1] = vh
//     terminated = hits >= most
#include "hawk/kernel.h"
#include "hawk/math.h"

namespace hawk::kernels {
namespace {

struct bounce_kernel {
    using real = double;
    static constexpr int lane = 8;
    static constexpr int planes = 7, written = 5, fresh = 0;
    static constexpr u8 size[planes] = {8, 8, 8, 8, 8, 8, 8};
    static constexpr int vectors = vectors_for(66, planes, true);
    static constexpr bool finishes = true, faults = true;
    struct uni {
        real dt_, g_;
        i64 most_;
    };
    template <class S>
    struct state {
        typename S::i64 hits_;
        typename S::real r_0, r_1, v_0, v_1, e_;
        typename S::i64 every_;
    };
    template <class T, class F>
    static HAWK_FN void each(T& s, F&& f) {
        f(s.hits_), f(s.r_0), f(s.r_1), f(s.v_0), f(s.v_1), f(s.e_), f(s.every_);
    }
    template <class S>
    static HAWK_FN typename S::mask step(state<S>& s, const uni& u, typename S::mask on, trap<S>& f) {
        using R = typename S::real;
        using I = typename S::i64;
        using M = typename S::mask;
        const R v0 = R(u.g_) * R(u.dt_);
        const R v1 = s.v_1 - v0;
        const R v2 = v1 * R(u.dt_);
        const R v3 = s.r_1 + v2;
        const M v4 = v3 < R(0.0);
        R v5 = v1;
        R v6 = v3;
        I v7 = s.hits_;
        R v8 = s.v_0;
        const M m0 = on & v4;
        if (any(m0)) {
            const R v9 = s.v_1 * s.v_1;
            const R v10 = R(2.0) * R(u.g_);
            const R v11 = v10 * s.r_1;
            const R v12 = v9 + v11;
            const R v13 = sqrt(v12);
            const R v14 = v13 + s.v_1;
            const R v15 = v14 / R(u.g_);
            const R v16 = R(u.dt_) - v15;
            const R v17 = s.e_ * v13;
            const R v18 = R(u.g_) * v16;
            const R v19 = v17 - v18;
            const R v20 = v16 * R(0.5);
            const R v21 = v17 + v19;
            const R v22 = v20 * v21;
            const I v23 = s.hits_ + I(1);
            const I v24 = floor_mod(v23, s.every_, m0, f);
            const M v25 = v24 == I(0);
            R v26 = s.v_0;
            const M m1 = m0 & v25;
            if (any(m1)) {
                const R v27 = cos(s.r_0);
                const R v28 = s.v_0 * v27;
                v26 = sel(m1, v28, v26);
            }
            v5 = sel(m0, v19, v5);
            v6 = sel(m0, v22, v6);
            v7 = sel(m0, v23, v7);
            v8 = sel(m0, v26, v8);
        }
        const R v29 = v8 * R(u.dt_);
        const R v30 = s.r_0 + v29;
        const M v31 = v7 >= I(u.most_);
        s.hits_ = v7;
        s.r_0 = v30;
        s.r_1 = v6;
        s.v_0 = v8;
        s.v_1 = v5;
        return v31;
    }
    // mutable: __control __next __steps hits r v | per_sample: e every | terminated | uniform: dt g most | nsamples
    static HAWK_FN void bind(void* const* a, call<bounce_kernel>& c) {
        c.control = control_at(a[0]);
        c.next = cursor_at(a[1]);
        c.steps = plane_at<i64>(a[2]);
        c.at[0] = plane_at<i64>(a[3]);
        c.at[1] = component_at<real>(a[4], 0);
        c.at[2] = component_at<real>(a[4], 1);
        c.at[3] = component_at<real>(a[5], 0);
        c.at[4] = component_at<real>(a[5], 1);
        c.at[5] = plane_at<real>(a[6]);
        c.at[6] = plane_at<i64>(a[7]);
        c.mask = plane_at<u8>(a[8]);
        c.uniforms = {uniform_at<real>(a[9]), uniform_at<real>(a[10]), uniform_at<i64>(a[11])};
    }
};

}  // namespace
}  // namespace hawk::kernels

HAWK_ARTIFACT
HAWK_STEP(bounce_kernel, bounce_step)
HAWK_RUN(bounce_kernel, bounce_run)
