"""Kernels of the programs under mpiexec."""

import hawk
from hawk import Index, Mutable, Scalar, Terminated


@hawk.kernel
def heavy(x: Scalar) -> Scalar:
    y = x
    for _ in range(20):
        y = hawk.math.sin(y + x)
    return y


@hawk.kernel
def divided(left: Mutable[Index], by: Index):
    left = left // by


@hawk.kernel
def countdown(left: Mutable[Scalar], done: Terminated):
    left = left - 1.0
    done = left <= 0.0
