// Operations on int64 over arrays, in packs and in one lane. `code` receives the fault of each element, or 0.
#include "hawk/kernel.h"

namespace hawk::kernels {
namespace {

template <class S, class F>
HAWK_FN void one(const i64* x, const i64* y, i64* out, i32* code, F f) {
    typename S::i64 a, b;
    get(a, (const u8*)x);
    get(b, (const u8*)y);
    for (int l = 0; l < S::W; l++) code[l] = 0;
    trap<S> t(code);
    put(f(a, b, typename S::mask(true), t), (u8*)out);
}

template <class S, class F>
HAWK_FN void all_of(const i64* x, const i64* y, i64* out, i32* code, i64 n, F f) {
    i64 i = 0;
    for (; i + S::W <= n; i += S::W) one<S>(x + i, y + i, out + i, code + i, f);
    for (; i < n; i++) one<scalar<double>>(x + i, y + i, out + i, code + i, f);
}

}  // namespace
}  // namespace hawk::kernels

#define HAWK_ARRAY(PREFIX, TARGET, NAME, EXPRESSION)                                                       \
    HAWK_EXPORT void PREFIX##NAME(const hawk::i64* x, const hawk::i64* y, hawk::i64* out, hawk::i32* code, \
                                  hawk::i64 n) {                                                           \
        using namespace hawk;                                                                              \
        kernels::all_of<TARGET>(x, y, out, code, n, [](auto a, auto b, auto on, auto& f) HAWK_LAMBDA {     \
            using I = decltype(a);                                                                         \
            return I(EXPRESSION);                                                                          \
        });                                                                                                \
    }
#define SIMD hawk::simd<double, 8>
#define ONE hawk::scalar<double>
#define HAWK_ARRAYS(NAME, EXPRESSION)         \
    HAWK_ARRAY(pack_, SIMD, NAME, EXPRESSION) \
    HAWK_ARRAY(lane_, ONE, NAME, EXPRESSION)

HAWK_ARRAYS(floor_div, floor_div(a, b, on, f))
HAWK_ARRAYS(floor_mod, floor_mod(a, b, on, f))
HAWK_ARRAYS(add, a + b)
HAWK_ARRAYS(subtract, a - b)
HAWK_ARRAYS(multiply, a* b)
HAWK_ARRAYS(negate, -a)
HAWK_ARRAYS(shl, shl(a, b))
HAWK_ARRAYS(shr, shr(a, b))
HAWK_ARRAYS(magnitude, hawk::abs(a))
HAWK_ARRAYS(minimum, hawk::minimum(a, b))
HAWK_ARRAYS(maximum, hawk::maximum(a, b))

// A real becomes an integer and back.
template <class S, class T>
static HAWK_FN void to_integers(const T* x, hawk::i64* out, hawk::i64 n) {
    for (hawk::i64 i = 0; i < n; i += S::W) {
        typename S::real a;
        hawk::get(a, (const hawk::u8*)(x + i));
        hawk::put(hawk::to_int<S>(a), (hawk::u8*)(out + i));
    }
}
template <class S, class T>
static HAWK_FN void to_reals(const hawk::i64* x, T* out, hawk::i64 n) {
    for (hawk::i64 i = 0; i < n; i += S::W) {
        typename S::i64 a;
        hawk::get(a, (const hawk::u8*)(x + i));
        hawk::put(hawk::to_real<S>(a), (hawk::u8*)(out + i));
    }
}
// n is a multiple of 16.
HAWK_EXPORT void pack_to_int_f64(const double* x, hawk::i64* out, hawk::i64 n) { to_integers<SIMD>(x, out, n); }
HAWK_EXPORT void lane_to_int_f64(const double* x, hawk::i64* out, hawk::i64 n) { to_integers<ONE>(x, out, n); }
HAWK_EXPORT void pack_to_int_f32(const float* x, hawk::i64* out, hawk::i64 n) {
    to_integers<hawk::simd<float, 8>>(x, out, n);
}
HAWK_EXPORT void lane_to_int_f32(const float* x, hawk::i64* out, hawk::i64 n) {
    to_integers<hawk::scalar<float>>(x, out, n);
}
HAWK_EXPORT void pack_to_real_f64(const hawk::i64* x, double* out, hawk::i64 n) { to_reals<SIMD>(x, out, n); }
HAWK_EXPORT void lane_to_real_f64(const hawk::i64* x, double* out, hawk::i64 n) { to_reals<ONE>(x, out, n); }
HAWK_EXPORT void pack_to_real_f32(const hawk::i64* x, float* out, hawk::i64 n) {
    to_reals<hawk::simd<float, 8>>(x, out, n);
}
HAWK_EXPORT void lane_to_real_f32(const hawk::i64* x, float* out, hawk::i64 n) {
    to_reals<hawk::scalar<float>>(x, out, n);
}
