"""`python -m benchmarks.accuracy`: the largest error of each function of hawk.math, in units of the last place.

Compared with mpmath at 120 bits, at points drawn over the function's domain (evenly in the exponent where it is wide).
Prints a Markdown table; exits with an error where an error is above 1.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable

import mpmath
import numpy as np

import hawk
from hawk import Scalar


def exp(x: Scalar) -> Scalar:
    return hawk.math.exp(x)


def log(x: Scalar) -> Scalar:
    return hawk.math.log(x)


def sqrt(x: Scalar) -> Scalar:
    return hawk.math.sqrt(x)


def sin(x: Scalar) -> Scalar:
    return hawk.math.sin(x)


def cos(x: Scalar) -> Scalar:
    return hawk.math.cos(x)


def tanh(x: Scalar) -> Scalar:
    return hawk.math.tanh(x)


def atan(x: Scalar) -> Scalar:
    return hawk.math.atan(x)


def atan2(x: Scalar, y: Scalar) -> Scalar:
    return hawk.math.atan2(x, y)


def power(x: Scalar, y: Scalar) -> Scalar:
    return hawk.math.pow(x, y)


Points = Callable[[np.random.Generator, int, type], tuple[np.ndarray, ...]]


def even(low: float, high: float) -> Points:
    return lambda rng, n, dtype: (rng.uniform(low, high, n).astype(dtype),)


def wide(low64: float, high64: float, low32: float, high32: float, signed: bool) -> Points:
    """Even in the exponent, between powers of ten given for float64 and float32."""

    def draw(rng: np.random.Generator, n: int, dtype: type) -> tuple[np.ndarray, ...]:
        low, high = (low64, high64) if dtype is np.float64 else (low32, high32)
        sign = rng.choice([-1.0, 1.0], n) if signed else 1.0
        return ((sign * 10.0 ** rng.uniform(low, high, n)).astype(dtype),)

    return draw


def both(first: Points, second: Points) -> Points:
    return lambda rng, n, dtype: first(rng, n, dtype) + second(rng, n, dtype)


REAL = wide(-300, 300, -36, 36, True)
ROWS: list[tuple[Callable, Callable, str, dict[type, Points]]] = [
    (sqrt, mpmath.sqrt, "all positive", dict.fromkeys((np.float64, np.float32), wide(-307, 308, -37, 38, False))),
    (exp, mpmath.exp, "results normal", {np.float64: even(-708, 709), np.float32: even(-87, 88)}),
    (log, mpmath.log, "all positive", dict.fromkeys((np.float64, np.float32), wide(-307, 308, -37, 38, False))),
    (log, mpmath.log, "0.5 to 2", dict.fromkeys((np.float64, np.float32), even(0.5, 2.0))),
    (sin, mpmath.sin, "-100 to 100", dict.fromkeys((np.float64, np.float32), even(-100.0, 100.0))),
    (sin, mpmath.sin, "any size", dict.fromkeys((np.float64, np.float32), REAL)),
    (cos, mpmath.cos, "-100 to 100", dict.fromkeys((np.float64, np.float32), even(-100.0, 100.0))),
    (cos, mpmath.cos, "any size", dict.fromkeys((np.float64, np.float32), REAL)),
    (tanh, mpmath.tanh, "-3 to 3", dict.fromkeys((np.float64, np.float32), even(-3.0, 3.0))),
    (atan, mpmath.atan, "any size", dict.fromkeys((np.float64, np.float32), REAL)),
    (atan2, mpmath.atan2, "-10 to 10", dict.fromkeys((np.float64, np.float32), both(even(-10, 10), even(-10, 10)))),
    (power, mpmath.power, "0.01 to 100, -20 to 20",
     {np.float64: both(even(0.01, 100.0), even(-20.0, 20.0)), np.float32: both(even(0.01, 30.0), even(-20.0, 20.0))}),
]  # fmt: skip


def largest_error(kernel: Callable, exact: Callable, points: tuple[np.ndarray, ...]) -> float:
    """Largest |result - exact| over the points, in units of the last place of the exact value."""
    got = kernel(*points)
    worst = 0.0
    for i, value in enumerate(got):
        want = exact(*(mpmath.mpf(float(p[i])) for p in points))
        unit = float(np.spacing(np.abs(got.dtype.type(float(want)))))
        worst = max(worst, abs(float((mpmath.mpf(float(value)) - want) / unit)))
    return worst


def table(count: int) -> tuple[str, float]:
    """The Markdown table, and the largest error in it."""
    rng = np.random.default_rng(7)
    lines, worst = ["| function | arguments | float64 | float32 |", "|---|---|---|---|"], 0.0
    with mpmath.workprec(120):
        for function, exact, words, domains in ROWS:
            errors = []
            for dtype in (np.float64, np.float32):
                kernel = hawk.kernel(dtype=np.dtype(dtype).name, name=f"{function.__name__}_{np.dtype(dtype).name}")(
                    function
                )
                errors.append(largest_error(kernel, exact, domains[dtype](rng, count, dtype)))
            worst = max(worst, *errors)
            name = "pow" if function is power else function.__name__
            lines.append(f"| {name} | {words} | {errors[0]:.2f} | {errors[1]:.2f} |")
    return "\n".join(lines), worst


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.accuracy", description=__doc__.splitlines()[0])
    parser.add_argument("--points", type=int, default=20_000, help="of each row")
    options = parser.parse_args()
    text, worst = table(options.points)
    print(text)
    if worst > 1.0:
        raise SystemExit(f"the largest error is {worst:.3f} units of the last place; it must be at most 1")


if __name__ == "__main__":
    main()
