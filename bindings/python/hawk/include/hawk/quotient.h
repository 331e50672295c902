// `//` and `%` of reals, bit by bit as Python has them. A zero divisor, and a quotient beyond the whole numbers that R
// holds one by one (2^53 for double, 2^24 for float), give NaN.
#pragma once
#include "hawk/real.h"

namespace hawk {

// a - n * b for the whole n nearest a / b towards zero, exactly; the sign is a's.
template <class R>
HAWK_FN R cut_mod(R a, R b) {
    const R n = trunc(a / b);
    R m = fma(-n, b, a);
    // a / b may have been rounded up to a whole number: then m lies on the far side of zero, and one b brings it back.
    m = sel((m != R(0)) & (copysign(R(1), m) != copysign(R(1), a)), m + copysign(b, a), m);
    m = sel(isinf(b) & isfinite(a), a, m);
    return sel(isinf(b) | (magnitude(n) < R(2 * Whole<R>::from)), m, R(nan));
}
template <class R>
HAWK_FN R floor_mod(R a, R b) {
    const R m = cut_mod(a, b);
    const auto other = (m < R(0)) ^ (b < R(0));
    return sel(m == R(0), copysign(R(0), b), sel(other, m + b, m));
}
template <class R>
HAWK_FN R floor_div(R a, R b) {
    const R m = cut_mod(a, b);
    const auto other = (m != R(0)) & ((m < R(0)) ^ (b < R(0)));
    R n = (a - m) / b;
    n = sel(other, n - R(1), n);
    const R whole = floor(n);
    const R nearest = sel(n - whole > R(0.5), whole + R(1), whole);
    return sel(n == R(0), copysign(R(0), a / b), nearest);
}

}  // namespace hawk
