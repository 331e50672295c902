# %% [markdown]
# A rod that is hot at one end, relaxed until it has come to rest: a loop, a switch and a host function in one graph,
# and one launch for the whole run. Where it goes on and which arm it takes is decided where the work runs.
#
#     python examples/python/heat_until_converged.py --samples 1000 --out out/heat.png
"""Heat on a rod until it has come to rest, as one graph with a loop, a switch and a host function."""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

import eagle
import hawk
from example import Check, plots, save
from hawk import Index, Mutable, Param, Scalar


# %% [markdown]
# One explicit step of u' = u'' with a rate of dt / dx^2. A point's neighbours are planes of their own: views of the rod
# that are shifted by one.
# %%
@hawk.kernel
def relax(left: Scalar, here: Scalar, right: Scalar, rate: Param):
    new = here + rate * (left - 2.0 * here + right)
    change = new - here if new > here else here - new
    return {"next": new, "change": change}


@hawk.kernel
def judge(worst: Scalar, going: Mutable[Index], phase: Mutable[Index], tolerance: Param):
    going = 1 if worst > tolerance else 0
    phase = 0 if worst > 100.0 * tolerance else (1 if worst > 10.0 * tolerance else 2)


@hawk.kernel
def count(steps: Mutable[Index]):
    steps += 1


# %% [markdown]
# The graph. `going` ends the loop, `phase` says which of three counters counts the step.
# %%
@eagle.graph
def heat(g, u, steps, turns, rate, tolerance, note):
    going, phase = g.scratch(1, "int64", "going"), g.scratch(1, "int64", "phase")
    inner = u.shape[0] - 2
    new, change = g.scratch(inner, name="new"), g.scratch(inner, name="change")
    g.fill(going, 1)
    g.fill(phase, 0)
    g.fill(steps, 0)
    with g.while_(going, cap=10_000_000) as loop:
        relax(u[:-2], u[1:-1], u[2:], rate, out={"next": new, "change": change})
        g.copy(new, into=u[1:-1])
        judge(g.reduce("max", change), going, phase, tolerance)
        with g.switch(phase, 3) as arms:
            for arm in range(3):
                with arms[arm]:
                    count(steps[arm : arm + 1])
        g.copy(loop.iteration, into=turns)
    g.host(note, reads=[turns])
    return u, steps


# %% [markdown]
# The whole run is one call.
# %%
def solve(points: int, tolerance: float) -> tuple[np.ndarray, np.ndarray, list[int], eagle.BuiltGraph]:
    """Temperatures, steps in each phase, what the host function saw, and the graph."""
    u, steps, turns, seen = np.zeros(points), np.zeros(3, np.int64), np.zeros(1, np.uint32), []
    u[0] = 100.0
    built = heat.build(u, steps, turns, 0.25, tolerance, lambda: seen.append(int(turns[0]) + 1))
    built()
    return u, steps, seen, built


def in_numpy(points: int, tolerance: float) -> tuple[np.ndarray, int]:
    """The same arithmetic, one step at a time."""
    u, steps = np.zeros(points), 0
    u[0] = 100.0
    while True:
        new = u[1:-1] + 0.25 * (u[:-2] - 2.0 * u[1:-1] + u[2:])
        change = np.abs(new - u[1:-1])
        u[1:-1] = new
        steps += 1
        if not change.max() > tolerance:
            return u, steps


def check(points: int, tolerance: float, u: np.ndarray, steps: np.ndarray, seen: list[int]) -> list[Check]:
    """What was found beside what must be."""
    wanted, count = in_numpy(points, tolerance)
    return [
        ("temperatures that differ from NumPy's in any bit", float(np.count_nonzero(u != wanted)), 0.0),
        ("steps less NumPy's", float(abs(int(steps.sum()) - count)), 0.0),
        ("steps less what the host function saw", float(abs(int(steps.sum()) - sum(seen))), 0.0),
        ("rise along the rod", float(np.max(np.diff(u))), 0.0),
    ]


def picture(u: np.ndarray, built: eagle.BuiltGraph, tolerance: float, path: Path) -> None:
    """The rod, and beside the file the graph as SVG."""
    figure, axis = plots(1, 1, f"A rod, hot at one end,\nuntil no point changed by more than {tolerance:g} in a step")
    axis.plot(u)
    axis.set_xlabel("point")
    axis.set_ylabel("temperature")
    save(figure, path)
    graph = path.with_name(f"{path.stem}_graph.svg")
    graph.write_text(built.to_svg())
    print(f"graph: {graph}")


def main(argv: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--samples", type=int, default=1000, help="points of the rod")
    parser.add_argument("--tolerance", type=float, default=1e-3)
    parser.add_argument("--out", type=Path, default=Path("out") / "heat.png")
    options = parser.parse_args(argv)
    if options.samples < 3:
        parser.error(f"--samples is {options.samples}; a rod has 3 points or more")
    u, steps, seen, built = solve(options.samples, options.tolerance)
    phases = ", ".join(f"{n:,} {phase}" for n, phase in zip(steps, ("far", "near", "nearly there"), strict=True))
    print(f"{options.samples:,} points, {steps.sum():,} steps: {phases}")
    for what, found, bound in check(options.samples, options.tolerance, u, steps, seen):
        print(f"  {what}: {found:.3g} (bound {bound:g})")
        if not found <= bound:
            raise SystemExit(f"{what}: {found:g} is above {bound:g}")
    built.show()
    picture(u, built, options.tolerance, options.out)


# %%
if __name__ == "__main__":
    main()
