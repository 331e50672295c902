"""The kernels of the golden artifact: every declaration, branches, integers, a mask, both real types."""

import hawk
from hawk import Index, Mutable, Param, Scalar, Terminated, Vector


@hawk.kernel
def affine(x: Scalar, a: Param, b: Param) -> Scalar:
    return a * x + b


@hawk.kernel
def counted(n: Index, k: Param[Index], hits: Mutable[Index]) -> Index:
    hits = hits + (1 if n % k == 0 else 0)
    return n // k


@hawk.kernel
def oscillator(x: Mutable[Scalar], v: Mutable[Scalar], omega: Scalar, dt: Param, rest: Param, done: Terminated):
    v = v - dt * (omega * omega * x + 0.3 * omega * v)
    x = x + dt * v
    done = x * x + v * v < rest


@hawk.kernel(dtype="float32")
def turned(p: Vector[3], w: Scalar) -> dict(spin=Vector[3], size=Scalar):
    c, s = hawk.math.cos(w), hawk.math.sin(w)
    q = hawk.vector(c * p[0] - s * p[1], s * p[0] + c * p[1], p[2])
    return {"spin": q, "size": hawk.math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]) if w < 1.0 else 0.0}


KERNELS = [affine, counted, oscillator, turned]
