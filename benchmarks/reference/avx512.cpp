// The loops with AVX-512.
#include <immintrin.h>

#include "loops.h"

namespace reference {
namespace {

struct Avx512 {
    static constexpr int W = 8;
    using M = __mmask8;
    struct D {
        __m512d r;
        D() = default;
        D(__m512d v) : r(v) {}
        D(double s) : r(_mm512_set1_pd(s)) {}
        friend D operator+(D a, D b) { return _mm512_add_pd(a.r, b.r); }
        friend D operator-(D a, D b) { return _mm512_sub_pd(a.r, b.r); }
        friend D operator*(D a, D b) { return _mm512_mul_pd(a.r, b.r); }
    };
    static D load(const double* p) { return _mm512_loadu_pd(p); }
    static void store(double* p, D a) { _mm512_storeu_pd(p, a.r); }
    static void store_past_cache(double* p, D a) { _mm512_stream_pd(p, a.r); }
    static void fence() { _mm_sfence(); }
    static M all() { return 0xff; }
    static M from_bits(unsigned b) { return static_cast<M>(b); }
    static unsigned bits(M m) { return m; }
    static D choose(M m, D a, D b) { return _mm512_mask_mov_pd(b.r, m, a.r); }
    static M and_less(M m, D a, D b) { return _mm512_mask_cmp_pd_mask(m, a.r, b.r, _CMP_LT_OQ); }
    static void set(D& a, int lane, double x) { reinterpret_cast<double*>(&a)[lane] = x; }
    static double get(const D& a, int lane) { return reinterpret_cast<const double*>(&a)[lane]; }
};

}  // namespace

extern const Loops avx512_loops;
const Loops avx512_loops = LoopsOver<Avx512>::table();

}  // namespace reference
