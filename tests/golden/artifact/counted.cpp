// counted(n: per_sample int, k: uniform int, hits: mutable int, out: out int)
// d68c5b57d8bce992571d79aea6760b3fe0e33a9019dec79d2317a2ab0c146c99
#include "hawk/host_cpu.h"
#include "hawk/kernel.h"

namespace hawk::kernels {
namespace {

struct counted_kernel {
    using real = double;
    static constexpr int lane = 8;
    static constexpr int planes = 3, written = 2, fresh = 1;
    static constexpr u8 size[planes] = {8, 8, 8};
    static constexpr int vectors = vectors_for(5, planes, false);
    static constexpr bool finishes = false, faults = true;
    struct uni {
        i64 k_;
    };
    template <class S>
    struct state {
        typename S::i64 out_, hits_, n_;
    };
    template <class T, class F>
    static HAWK_FN void each(T& s, F&& f) {
        f(s.out_), f(s.hits_), f(s.n_);
    }
    template <class S>
    static HAWK_FN typename S::mask step(state<S>& s, const uni& u, typename S::mask on, trap<S>& f) {
        using R = typename S::real;
        using I = typename S::i64;
        using M = typename S::mask;
        const I v0 = floor_mod(s.n_, I(u.k_), on, f);
        const M v1 = v0 == I(0);
        const I v2 = sel(v1, I(1), I(0));
        const I v3 = s.hits_ + v2;
        const I v4 = floor_div(s.n_, I(u.k_), on, f);
        s.out_ = v4;
        s.hits_ = v3;
        return M(false);
    }
    // mutable: __control hits | out: out | per_sample: n | uniform: k | nsamples: n_samples
    static HAWK_FN void bind(void* const* a, call<counted_kernel>& c) {
        c.control = control_at(a[0]);
        c.at[1] = plane_at<i64>(a[1]);
        c.at[0] = component_at<i64>(a[2], 0);
        c.at[2] = plane_at<i64>(a[3]);
        c.uniforms = {uniform_at<i64>(a[4])};
    }
};

}  // namespace
}  // namespace hawk::kernels

HAWK_ARTIFACT
HAWK_STEP(counted_kernel, counted_step)
