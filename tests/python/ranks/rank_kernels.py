"""Kernels of the programs under mpiexec."""

import hawk
from hawk import Scalar


@hawk.kernel
def heavy(x: Scalar) -> Scalar:
    y = x
    for _ in range(20):
        y = hawk.math.sin(y + x)
    return y
