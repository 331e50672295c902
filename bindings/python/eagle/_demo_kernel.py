"""The model of the demo: a damped oscillator that stops when it has come to rest."""

import hawk
from hawk import Mutable, Param, Scalar, Terminated


@hawk.kernel
def oscillator(
    omega: Scalar,
    zeta: Scalar,
    dt: Param,
    rest: Param,
    terminated: Terminated,
    x: Mutable[Scalar],
    v: Mutable[Scalar],
):
    stiffness = omega * omega
    v = v - dt * (2.0 * zeta * omega * v + stiffness * x)
    x = x + dt * v
    terminated = v * v + stiffness * x * x <= rest * stiffness  # noqa: F841
