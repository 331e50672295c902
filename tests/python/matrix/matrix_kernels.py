"""Kernels that the rows about execution structures run: every kind of plane, branches, masks, both real types."""

import numpy as np

import hawk
from hawk import Index, Mutable, Param, Scalar, Terminated, Vector


@hawk.kernel
def affine(x: Scalar, a: Param, b: Param) -> Scalar:
    return a * x + b


@hawk.kernel
def turned(p: Vector[3], w: Scalar) -> dict(spin=Vector[3], size=Scalar):
    c, s = hawk.math.cos(w), hawk.math.sin(w)
    q = hawk.vector(c * p[0] - s * p[1], s * p[0] + c * p[1], p[2])
    return {"spin": q, "size": hawk.math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2])}


@hawk.kernel
def counted(n: Index, k: Param[Index], hits: Mutable[Index]) -> Index:
    hits = hits + (1 if n % k == 0 else 0)
    return n // k


@hawk.kernel(dtype="float32")
def branched(x: Scalar, limit: Param) -> Scalar:
    y = x
    for _ in range(7):
        y = hawk.math.exp(-y * y) if y < limit else y / 3.0
    return y


@hawk.kernel
def damped(x: Mutable[Scalar], v: Mutable[Scalar], omega: Scalar, dt: Param, rest: Param, done: Terminated):
    v = v - dt * (omega * omega * x + 0.3 * omega * v)
    x = x + dt * v
    done = x * x + v * v < rest


def planes(name: str, count: int) -> dict[str, object]:
    """Arguments of a kernel for `count` samples, the same for the same count; fresh arrays every time."""
    made = np.random.default_rng(count)
    real = made.standard_normal
    return {
        "affine": lambda: {"x": real(count), "a": 1.7, "b": -0.3},
        "turned": lambda: {"p": real((3, count)), "w": real(count)},
        "counted": lambda: {
            "n": made.integers(-1000, 1000, count),
            "k": 7,
            "hits": made.integers(0, 9, count),
        },
        "branched": lambda: {"x": real(count).astype(np.float32), "limit": 0.5},
        "damped": lambda: {
            "x": real(count),
            "v": real(count),
            "omega": 1.0 + made.random(count),
            "dt": 0.01,
            "rest": 0.5,
            "done": made.random(count) < 0.2,
        },
    }[name]()


KERNELS = {kernel.name: kernel for kernel in (affine, turned, counted, branched, damped)}
