"""Kernels of the programs under mpiexec."""

import hawk
from hawk import Index, Mutable, Scalar


@hawk.kernel
def heavy(x: Scalar) -> Scalar:
    y = x
    for _ in range(20):
        y = hawk.math.sin(y + x)
    return y


@hawk.kernel
def divided(left: Mutable[Index], by: Index):
    left = left // by
