// def divide(a: Index, b: Index, terminated: Terminated) -> tuple[Index, Index]:   (terminated is not written)
//     return a // b, a % b
#include "hawk/kernel.h"

namespace hawk::kernels {
namespace {

struct divide_kernel {
    using real = double;
    static constexpr int lane = 8;
    static constexpr int planes = 4, written = 2, fresh = 2;
    static constexpr u8 size[planes] = {8, 8, 8, 8};
    static constexpr int vectors = vectors_for(2, planes, true);
    static constexpr bool finishes = false, faults = true;
    struct uni {};
    template <class S>
    struct state {
        typename S::i64 out0_, out1_, a_, b_;
    };
    template <class T, class F>
    static HAWK_FN void each(T& s, F&& f) {
        f(s.out0_), f(s.out1_), f(s.a_), f(s.b_);
    }
    template <class S>
    static HAWK_FN typename S::mask step(state<S>& s, const uni& u, typename S::mask on, trap<S>& f) {
        using I = typename S::i64;
        using M = typename S::mask;
        const I v0 = floor_div(s.a_, s.b_, on, f);
        const I v1 = floor_mod(s.a_, s.b_, on, f);
        s.out0_ = v0;
        s.out1_ = v1;
        return M(false);
    }
    // mutable: __control | out: out0 out1 | per_sample: a b | terminated | nsamples
    static HAWK_FN void bind(void* const* a, call<divide_kernel>& c) {
        c.control = control_at(a[0]);
        c.at[0] = component_at<i64>(a[1], 0);
        c.at[1] = component_at<i64>(a[2], 0);
        c.at[2] = plane_at<i64>(a[3]);
        c.at[3] = plane_at<i64>(a[4]);
        c.mask = plane_at<u8>(a[5]);
        c.uniforms = {};
    }
};

}  // namespace
}  // namespace hawk::kernels

HAWK_ARTIFACT
HAWK_STEP(divide_kernel, divide_step)
