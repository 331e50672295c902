// turned(p: vec_in real[3], w: per_sample real, spin: out real[3], size: out real)
// fa9f9f9af46fc720839061e6b29f869514326f6d84ea7d590a3ed2ff56a64fb7
#include "hawk/host_cpu.h"
#include "hawk/kernel.h"
#include "hawk/math.h"

namespace hawk::kernels {
namespace {

struct turned_kernel {
    using real = float;
    static constexpr int lane = 4;
    static constexpr int planes = 8, written = 4, fresh = 4;
    static constexpr u8 size[planes] = {4, 4, 4, 4, 4, 4, 4, 4};
    static constexpr int vectors = vectors_for(93, planes, true);
    static constexpr bool finishes = false, faults = false;
    struct uni {};
    template <class S>
    struct state {
        typename S::real size_, spin_0, spin_1, spin_2, p_0, p_1, p_2, w_;
    };
    template <class T, class F>
    static HAWK_FN void each(T& s, F&& f) {
        f(s.size_), f(s.spin_0), f(s.spin_1), f(s.spin_2), f(s.p_0), f(s.p_1), f(s.p_2), f(s.w_);
    }
    template <class S>
    static HAWK_FN typename S::mask step(state<S>& s, const uni& u, typename S::mask on, trap<S>& f) {
        using R = typename S::real;
        using M = typename S::mask;
        const R v0 = cos(s.w_);
        const R v1 = sin(s.w_);
        const R v2 = v0 * s.p_0;
        const R v3 = v1 * s.p_1;
        const R v4 = v2 - v3;
        const R v5 = v1 * s.p_0;
        const R v6 = v0 * s.p_1;
        const R v7 = v5 + v6;
        const M v8 = s.w_ < R(1.0);
        R v9 = R(0.0);
        const M m0 = on & v8;
        if (any(m0)) {
            const R v10 = v4 * v4;
            const R v11 = v7 * v7;
            const R v12 = v10 + v11;
            const R v13 = s.p_2 * s.p_2;
            const R v14 = v12 + v13;
            const R v15 = sqrt(v14);
            v9 = sel(m0, v15, v9);
        }
        s.size_ = v9;
        s.spin_0 = v4;
        s.spin_1 = v7;
        s.spin_2 = s.p_2;
        return M(false);
    }
    // out: size spin | vec_in: p | per_sample: w | nsamples: n_samples
    static HAWK_FN void bind(void* const* a, call<turned_kernel>& c) {
        c.at[0] = component_at<real>(a[0], 0);
        c.at[1] = component_at<real>(a[1], 0);
        c.at[2] = component_at<real>(a[1], 1);
        c.at[3] = component_at<real>(a[1], 2);
        c.at[4] = component_at<real>(a[2], 0);
        c.at[5] = component_at<real>(a[2], 1);
        c.at[6] = component_at<real>(a[2], 2);
        c.at[7] = plane_at<real>(a[3]);
    }
};

}  // namespace
}  // namespace hawk::kernels

HAWK_ARTIFACT
HAWK_STEP(turned_kernel, turned_step)
