"""Kernels that the tests of graphs record."""

import hawk
from hawk import Mutable, Param, Scalar


@hawk.kernel
def scale(x: Scalar, a: Param, b: Param) -> Scalar:
    return a * x + b


@hawk.kernel
def square(x: Scalar) -> Scalar:
    return x * x


@hawk.kernel
def grow(x: Mutable[Scalar], rate: Param):
    x = x * rate


@hawk.kernel
def shift(x: Mutable[Scalar], by: Param):
    x = x + by
