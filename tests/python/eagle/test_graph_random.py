"""Random recordings against NumPy, one statement after the other: the same bits after every replay.

A program is a list of statements. `source` writes it as the Python function that records it, which is what a failure
prints; `Oracle` runs the list itself.
"""

import itertools
import linecache
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st

import eagle
import hawk
from hawk import Index, Mutable, Param, Scalar

PLANES, CELLS, SAMPLES = ("a", "b", "c", "d"), ("n", "m"), 5


@hawk.kernel
def mix(x: Scalar, y: Scalar, c: Param) -> Scalar:
    return 0.5 * x + 0.25 * y + c


@hawk.kernel
def shift(x: Mutable[Scalar], by: Param):
    x = x + by


@hawk.kernel
def draw(x: Scalar, cell: Mutable[Index]):
    cell = 0 if x < 0.5 else (1 if x < 1.5 else 2)


KERNELS = {"mix": mix, "shift": shift, "draw": draw}


@dataclass(frozen=True)
class Statement:
    what: str
    names: tuple[str, ...] = ()
    number: float = 0.0
    bodies: tuple[tuple["Statement", ...], ...] = ()


def numbers() -> st.SearchStrategy[float]:
    return st.sampled_from([-1.0, -0.25, 0.0, 0.5, 1.0, 2.0])


def simple(planes: tuple[str, ...], cells: tuple[str, ...]) -> st.SearchStrategy[Statement]:
    """Statements without bodies over these planes and cells."""
    plane, cell = st.sampled_from(planes), st.sampled_from(cells or ("",))
    forms = [
        st.builds(lambda p, c: Statement("shift", (p,), c), plane, numbers()),
        st.builds(lambda p, c: Statement("fill", (p,), c), plane, numbers()),
    ]
    if len(planes) > 1:
        pair = st.permutations(planes).map(lambda order: tuple(order[:2]))
        forms += [
            st.builds(lambda p: Statement("copy", p), pair),
            st.builds(lambda p: Statement("max", p), pair),
            st.builds(lambda p: Statement("slope", p), pair),
        ]
    if len(planes) > 2:
        three = st.permutations(planes).map(lambda order: tuple(order[:3]))
        forms.append(st.builds(lambda p, c: Statement("mix", p, c), three, numbers()))
    if cells:
        forms.append(st.builds(lambda c, p: Statement("draw", (c, p)), cell, plane))
    return st.one_of(forms)


def programs(depth: int) -> st.SearchStrategy[tuple[Statement, ...]]:
    if depth == 0:
        return st.lists(simple(PLANES, CELLS), min_size=1, max_size=4).map(tuple)
    body, cell = programs(depth - 1), st.sampled_from(CELLS)
    arms = st.tuples(body, body, body)
    # Each branch has planes of its own, so that no two race.
    branches = st.tuples(*(st.lists(simple((p,), ()), min_size=1, max_size=3).map(tuple) for p in PLANES[:3]))
    nested = st.one_of(
        st.builds(lambda c, b: Statement("if", (c,), 0.0, b), cell, st.tuples(body, body)),
        st.builds(lambda c, b: Statement("unless", (c,), 0.0, (b,)), cell, body),
        st.builds(lambda c, k, b: Statement("repeat", (c,), k, (b,)), cell, st.integers(1, 3), body),
        st.builds(lambda c, b: Statement("switch", (c,), 0.0, b), cell, arms),
        st.builds(lambda c, b: Statement("while", (c,), 0.0, (b,)), cell, body),
        st.builds(lambda b: Statement("fork", (), 0.0, b), branches),
    )
    return st.lists(st.one_of(simple(PLANES, CELLS), nested), min_size=1, max_size=4).map(tuple)


# ---- as Python ----


def lines(program: tuple[Statement, ...], indent: str) -> list[str]:
    made: list[str] = []
    for s in program:
        inner, deep = indent + "    ", len(indent) // 4
        names, number = s.names, s.number
        if s.what == "shift":
            made.append(f"{indent}shift({names[0]}, {number})")
        elif s.what == "fill":
            made.append(f"{indent}g.fill({names[0]}, {number})")
        elif s.what == "copy":
            made.append(f"{indent}g.copy({names[0]}, into={names[1]})")
        elif s.what == "slope":
            made.append(f"{indent}mix({names[0]}[1:], {names[0]}[:-1], 0.0, out={names[1]}[1:])")
        elif s.what == "max":
            made.append(f'{indent}g.reduce("max", {names[0]}, into={names[1]}[:1])')
        elif s.what == "mix":
            made.append(f"{indent}mix({names[0]}, {names[1]}, {number}, out={names[2]})")
        elif s.what == "draw":
            made.append(f"{indent}draw({names[1]}[:1], {names[0]})")
        elif s.what == "if":
            made += [f"{indent}with g.if_({names[0]}) as branch{deep}:", f"{inner}with branch{deep}.then:"]
            made += lines(s.bodies[0], inner + "    ")
            made += [f"{inner}with branch{deep}.otherwise:", *lines(s.bodies[1], inner + "    ")]
        elif s.what == "unless":
            made += [f"{indent}with g.if_({names[0]}, negate=True) as branch{deep}:", f"{inner}with branch{deep}.then:"]
            made += lines(s.bodies[0], inner + "    ")
        elif s.what == "repeat":
            made += [f"{indent}with g.repeat({int(number)}, limit={names[0]}):", *lines(s.bodies[0], inner)]
        elif s.what == "while":
            made += [f"{indent}with g.while_({names[0]}, cap=4):", *lines(s.bodies[0], inner)]
        elif s.what == "switch":
            made.append(f"{indent}with g.switch({names[0]}, 3) as arms{deep}:")
            for k, body in enumerate(s.bodies):
                made += [f"{inner}with arms{deep}[{k}]:", *lines(body, inner + "    ")]
        elif s.what == "fork":
            made.append(f"{indent}with g.fork() as fork{deep}:")
            for body in s.bodies:
                made += [f"{inner}with fork{deep}.branch():", *lines(body, inner + "    ")]
    return made


def source(program: tuple[Statement, ...]) -> str:
    return "\n".join([f"def recording(g, {', '.join(PLANES + CELLS)}):", *lines(program, "    ")]) + "\n"


_serial = itertools.count()


def recording_of(text: str) -> eagle.Graph:
    name = f"<recording {next(_serial)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    space = dict(KERNELS)
    exec(compile(text, name, "exec"), space)
    return eagle.graph(space["recording"])


# ---- the oracle ----


class Oracle:
    def __init__(self, planes: dict[str, np.ndarray]) -> None:
        self.p = {name: array.copy() for name, array in planes.items()}

    def run(self, program: tuple[Statement, ...]) -> None:
        for s in program:
            getattr(self, f"do_{s.what}")(s)

    def do_shift(self, s: Statement) -> None:
        self.p[s.names[0]] += s.number

    def do_fill(self, s: Statement) -> None:
        self.p[s.names[0]][:] = s.number

    def do_copy(self, s: Statement) -> None:
        self.p[s.names[1]][:] = self.p[s.names[0]]

    def do_slope(self, s: Statement) -> None:
        x = self.p[s.names[0]]
        self.p[s.names[1]][1:] = 0.5 * x[1:] + 0.25 * x[:-1] + 0.0

    def do_max(self, s: Statement) -> None:
        self.p[s.names[1]][0] = max(self.p[s.names[0]].tolist())

    def do_mix(self, s: Statement) -> None:
        x, y, to = (self.p[name] for name in s.names)
        to[:] = 0.5 * x + 0.25 * y + s.number

    def do_draw(self, s: Statement) -> None:
        x = self.p[s.names[1]][0]
        self.p[s.names[0]][0] = 0 if x < 0.5 else 1 if x < 1.5 else 2

    def cell(self, s: Statement) -> int:
        return int(self.p[s.names[0]][0])

    def do_if(self, s: Statement) -> None:
        self.run(s.bodies[0 if self.cell(s) != 0 else 1])

    def do_unless(self, s: Statement) -> None:
        if self.cell(s) == 0:
            self.run(s.bodies[0])

    def do_repeat(self, s: Statement) -> None:
        ran = 0
        while ran < s.number and ran < self.cell(s):
            self.run(s.bodies[0])
            ran += 1

    def do_while(self, s: Statement) -> None:
        ran = 0
        while ran < 4 and self.cell(s) != 0:
            self.run(s.bodies[0])
            ran += 1

    def do_switch(self, s: Statement) -> None:
        if self.cell(s) < 3:
            self.run(s.bodies[self.cell(s)])

    def do_fork(self, s: Statement) -> None:
        for body in s.bodies:
            self.run(body)


def start() -> dict[str, np.ndarray]:
    planes = {name: np.linspace(-1.0, 2.0, SAMPLES) + k / 4 for k, name in enumerate(PLANES)}
    return planes | {"n": np.array([1], np.int64), "m": np.array([2], np.int64)}


def replay(program: tuple[Statement, ...], times: int) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
    """Planes as the graph leaves them, and as the oracle does."""
    planes = start()
    oracle = Oracle(planes)
    built = recording_of(source(program)).build(**planes)
    for _ in range(times):
        built()
        oracle.run(program)
    return planes, oracle.p


@settings(
    max_examples=60 if "EAGLE_CPU_SCHEDULE" in os.environ else 200,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
@given(programs(2))
def test_replays_give_the_bits_of_numpy(program: tuple[Statement, ...]) -> None:
    note(source(program))
    found, wanted = replay(program, 3)
    for name, array in wanted.items():
        assert found[name].tobytes() == array.tobytes(), f"{name}: {found[name]} is not {array}"


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_same_in_a_drawn_order(seed: int, tmp_path: Path) -> None:
    """The team takes what nothing orders in an order from a seed: a missing edge would show."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", f"--hypothesis-seed={seed}"]
    command += [f"--rootdir={tmp_path}", f"{__file__}::test_replays_give_the_bits_of_numpy"]
    ran = subprocess.run(
        command, env=os.environ | {"EAGLE_CPU_SCHEDULE": f"random:{seed}"}, capture_output=True, text=True, cwd=tmp_path
    )
    assert "1 passed" in ran.stdout, ran.stdout + ran.stderr


def test_a_failure_prints_the_program_as_python() -> None:
    program = (Statement("if", ("n",), 0.0, ((Statement("shift", ("a",), 1.0),), (Statement("fill", ("b",), 0.5),))),)
    assert source(program) == (
        "def recording(g, a, b, c, d, n, m):\n"
        "    with g.if_(n) as branch1:\n"
        "        with branch1.then:\n"
        "            shift(a, 1.0)\n"
        "        with branch1.otherwise:\n"
        "            g.fill(b, 0.5)\n"
    )


@pytest.mark.parametrize("first", ["fill", "shift", "copy"])
@pytest.mark.parametrize("second", ["g.fill(a, 1.0)", "g.copy(b, into=a)", "mix(b, c, 0.0, out=a)"])
def test_a_race_that_was_put_in_is_found(first: str, second: str) -> None:
    one = {"fill": "g.fill(a, 2.0)", "shift": "shift(a, 1.0)", "copy": "g.copy(a, into=d)"}[first]
    text = (
        f"def recording(g, {', '.join(PLANES + CELLS)}):\n"
        "    with g.fork() as f:\n"
        f"        with f.branch():\n            {one}\n"
        f"        with f.branch():\n            {second}\n"
    )
    with pytest.raises(ValueError, match="'a'"):
        recording_of(text).build(**start())
