// The functions of hawk.math that are more than an instruction, for double and float lanes: at most 1 ulp, special
// values as in C99 Annex F, the same value in every lane of every width.
#pragma once
#include "hawk/math/float.h"

namespace hawk {

using f64::atan;
using f64::atan2;
using f64::cos;
using f64::exp;
using f64::log;
using f64::pow;
using f64::sin;
using f64::tanh;

#define HAWK_FLOAT_1(F)                            \
    HAWK_FN float F(float x) { return f32::F(x); } \
    template <int N>                               \
    HAWK_FN pack<float, N> F(pack<float, N> x) {   \
        return f32::F(x);                          \
    }
#define HAWK_FLOAT_2(F)                                            \
    HAWK_FN float F(float x, float y) { return f32::F(x, y); }     \
    template <int N>                                               \
    HAWK_FN pack<float, N> F(pack<float, N> x, pack<float, N> y) { \
        return f32::F(x, y);                                       \
    }
HAWK_FLOAT_1(atan)
HAWK_FLOAT_1(cos)
HAWK_FLOAT_1(exp)
HAWK_FLOAT_1(log)
HAWK_FLOAT_1(sin)
HAWK_FLOAT_1(tanh)
HAWK_FLOAT_2(atan2)
HAWK_FLOAT_2(pow)
#undef HAWK_FLOAT_1
#undef HAWK_FLOAT_2

}  // namespace hawk
