// Every function over arrays: in packs (`pack_<name>_<type>`, the last elements in one lane) and in one lane throughout
// (`lane_<name>_<type>`). Unary ones ignore the second array.
#include "hawk/kernel.h"
#include "hawk/math.h"

namespace hawk::kernels {
namespace {

template <class T, int Lane, class F>
HAWK_FN void packs(const T* x, const T* y, T* out, i64 n, F f) {
    using R = typename simd<T, Lane>::real;
    constexpr int W = simd<T, Lane>::W;
    for (; n >= W; x += W, y += W, out += W, n -= W) {
        R a, b;
        get(a, (const u8*)x);
        get(b, (const u8*)y);
        put(f(a, b), (u8*)out);
    }
    for (; n > 0; x++, y++, out++, n--) *out = f(*x, *y);
}

}  // namespace
}  // namespace hawk::kernels

#define HAWK_ARRAY(NAME, TYPE, LANE, EXPRESSION)                                                               \
    HAWK_EXPORT void pack_##NAME(const TYPE* x, const TYPE* y, TYPE* out, hawk::i64 n) {                       \
        using namespace hawk;                                                                                  \
        kernels::packs<TYPE, LANE>(x, y, out, n, [](auto a, auto b) HAWK_LAMBDA { return hawk::EXPRESSION; }); \
    }                                                                                                          \
    HAWK_EXPORT void lane_##NAME(const TYPE* x, const TYPE* y, TYPE* out, hawk::i64 n) {                       \
        for (hawk::i64 i = 0; i < n; i++) {                                                                    \
            const TYPE a = x[i], b = y[i];                                                                     \
            out[i] = hawk::EXPRESSION;                                                                         \
        }                                                                                                      \
    }
#define HAWK_ARRAYS(NAME, EXPRESSION)             \
    HAWK_ARRAY(NAME##_f64, double, 8, EXPRESSION) \
    HAWK_ARRAY(NAME##_f32, float, 4, EXPRESSION)  \
    HAWK_ARRAY(NAME##_f32_narrow, float, 8, EXPRESSION)

HAWK_ARRAYS(sqrt, sqrt(a))
HAWK_ARRAYS(exp, exp(a))
HAWK_ARRAYS(log, log(a))
HAWK_ARRAYS(sin, sin(a))
HAWK_ARRAYS(cos, cos(a))
HAWK_ARRAYS(tanh, tanh(a))
HAWK_ARRAYS(atan, atan(a))
HAWK_ARRAYS(atan2, atan2(a, b))
HAWK_ARRAYS(pow, pow(a, b))
HAWK_ARRAYS(floor, floor(a))
HAWK_ARRAYS(ceil, ceil(a))
HAWK_ARRAYS(trunc, trunc(a))
HAWK_ARRAYS(rint, rint(a))
HAWK_ARRAYS(abs, abs(a))
HAWK_ARRAYS(copysign, copysign(a, b))
HAWK_ARRAYS(minimum, minimum(a, b))
HAWK_ARRAYS(maximum, maximum(a, b))
HAWK_ARRAYS(fmin, fmin(a, b))
HAWK_ARRAYS(fmax, fmax(a, b))
HAWK_ARRAYS(fma_sum, fma(a, b, b))
HAWK_ARRAYS(fma_rest, fma(a, b, -(a* b)))
