"""Kernels that the tests of eagle run, with their arithmetic written down once more in NumPy or Python beside each
test.
"""

import hawk
from hawk import Index, Mutable, Param, Scalar, Terminated, Vector


@hawk.kernel
def scale(x: Scalar, y: Scalar, a: Param) -> Scalar:
    return a * x + y


@hawk.kernel
def sums(x: Scalar, y: Scalar) -> tuple[Scalar, Scalar]:
    return x + y, x - y


@hawk.kernel
def turn(p: Vector[2], q: Scalar) -> Vector[2]:
    return hawk.vector(q * p[1], -q * p[0])


@hawk.kernel
def add_in_place(total: Mutable[Scalar], x: Scalar):
    total = total + x


@hawk.kernel
def masked_double(x: Scalar, terminated: Terminated) -> Scalar:
    return 2.0 * x


@hawk.kernel
def quotient(a: Index, b: Index) -> Index:
    return a // b


@hawk.kernel
def countdown(left: Mutable[Scalar], ticks: Mutable[Scalar], terminated: Terminated):
    left = left - 1.0
    ticks = ticks + 1.0
    terminated = left <= 0.0


@hawk.kernel
def oscillator(
    omega: Scalar,
    t_end: Scalar,
    dt: Param,
    terminated: Terminated,
    x: Mutable[Scalar],
    v: Mutable[Scalar],
    t: Mutable[Scalar],
):
    x0, v0 = x, v
    x = x0 + dt * v0
    v = v0 - dt * omega * omega * x0
    t += dt
    terminated = t >= t_end


@hawk.kernel
def endless(x: Mutable[Scalar], terminated: Terminated):
    x = 0.5 * x + 1.0
    terminated = x < 0.0


@hawk.kernel
def long_work(x: Scalar) -> Scalar:
    y = x
    for _ in range(4000):
        y = 0.5 * y + 1.0
    return y


@hawk.kernel
def add_in_place_live(total: Mutable[Scalar], x: Scalar, terminated: Terminated):
    total = total + x
