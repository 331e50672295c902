// affine(x: per_sample real, a: uniform real, b: uniform real, out: out real)
// c4a2a450dec408e477536ff335c5dfee7acd128397ec27478aa6f88f969214d5
#include "hawk/host_cpu.h"
#include "hawk/kernel.h"

namespace hawk::kernels {
namespace {

struct affine_kernel {
    using real = double;
    static constexpr int lane = 8;
    static constexpr int planes = 2, written = 1, fresh = 1;
    static constexpr u8 size[planes] = {8, 8};
    static constexpr int vectors = vectors_for(2, planes, false);
    static constexpr bool finishes = false, faults = false;
    struct uni {
        real a_, b_;
    };
    template <class S>
    struct state {
        typename S::real out_, x_;
    };
    template <class T, class F>
    static HAWK_FN void each(T& s, F&& f) {
        f(s.out_), f(s.x_);
    }
    template <class S>
    static HAWK_FN typename S::mask step(state<S>& s, const uni& u, typename S::mask on, trap<S>& f) {
        using R = typename S::real;
        using M = typename S::mask;
        const R v0 = R(u.a_) * s.x_;
        const R v1 = v0 + R(u.b_);
        s.out_ = v1;
        return M(false);
    }
    // out: out | per_sample: x | uniform: a b | nsamples: n_samples
    static HAWK_FN void bind(void* const* a, call<affine_kernel>& c) {
        c.at[0] = component_at<real>(a[0], 0);
        c.at[1] = plane_at<real>(a[1]);
        c.uniforms = {uniform_at<real>(a[2]), uniform_at<real>(a[3])};
    }
};

}  // namespace
}  // namespace hawk::kernels

HAWK_ARTIFACT
HAWK_STEP(affine_kernel, affine_step)
