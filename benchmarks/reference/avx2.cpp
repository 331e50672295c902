// The loops with AVX2; a mask is a vector.
#include <immintrin.h>

#include "loops.h"

namespace reference {
namespace {

struct Avx2 {
    static constexpr int W = 4;
    struct D {
        __m256d r;
        D() = default;
        D(__m256d v) : r(v) {}
        D(double s) : r(_mm256_set1_pd(s)) {}
        friend D operator+(D a, D b) { return _mm256_add_pd(a.r, b.r); }
        friend D operator-(D a, D b) { return _mm256_sub_pd(a.r, b.r); }
        friend D operator*(D a, D b) { return _mm256_mul_pd(a.r, b.r); }
    };
    using M = D;
    static D load(const double* p) { return _mm256_loadu_pd(p); }
    static void store(double* p, D a) { _mm256_storeu_pd(p, a.r); }
    static void store_past_cache(double* p, D a) { _mm256_stream_pd(p, a.r); }
    static void fence() { _mm_sfence(); }
    static M all() { return _mm256_castsi256_pd(_mm256_set1_epi64x(-1)); }
    static M from_bits(unsigned b) {
        const __m256i bit = _mm256_set_epi64x(8, 4, 2, 1), v = _mm256_and_si256(_mm256_set1_epi64x(b), bit);
        return _mm256_castsi256_pd(_mm256_cmpeq_epi64(v, bit));
    }
    static unsigned bits(M m) { return static_cast<unsigned>(_mm256_movemask_pd(m.r)); }
    static D choose(M m, D a, D b) { return _mm256_blendv_pd(b.r, a.r, m.r); }
    static M and_less(M m, D a, D b) { return _mm256_and_pd(m.r, _mm256_cmp_pd(a.r, b.r, _CMP_LT_OQ)); }
    static void set(D& a, int lane, double x) { reinterpret_cast<double*>(&a)[lane] = x; }
    static double get(const D& a, int lane) { return reinterpret_cast<const double*>(&a)[lane]; }
};

}  // namespace

extern const Loops avx2_loops;
const Loops avx2_loops = LoopsOver<Avx2>::table();

}  // namespace reference
