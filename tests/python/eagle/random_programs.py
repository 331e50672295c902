"""Random recordings: as lists of statements, as the Python that records them, and what they mean.

`source` writes a program as the Python function that records it, which is what a failure prints. `Oracle` runs the list
on NumPy arrays, one statement after the other. `Eager` runs it without a graph: kernels called one by one.
"""

import itertools
import linecache
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
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


# ---- what it means ----


class Walk:
    """The control flow of a program; what a statement does and where cells lie, a class made of it says."""

    def cell(self, name: str) -> int:
        raise NotImplementedError

    def run(self, program: tuple[Statement, ...]) -> None:
        for s in program:
            getattr(self, f"do_{s.what}")(s)

    def do_if(self, s: Statement) -> None:
        self.run(s.bodies[0 if self.cell(s.names[0]) != 0 else 1])

    def do_unless(self, s: Statement) -> None:
        if self.cell(s.names[0]) == 0:
            self.run(s.bodies[0])

    def do_repeat(self, s: Statement) -> None:
        ran = 0
        while ran < s.number and ran < self.cell(s.names[0]):
            self.run(s.bodies[0])
            ran += 1

    def do_while(self, s: Statement) -> None:
        ran = 0
        while ran < 4 and self.cell(s.names[0]) != 0:
            self.run(s.bodies[0])
            ran += 1

    def do_switch(self, s: Statement) -> None:
        if self.cell(s.names[0]) < 3:
            self.run(s.bodies[self.cell(s.names[0])])

    def do_fork(self, s: Statement) -> None:
        for body in s.bodies:
            self.run(body)


class Oracle(Walk):
    """On copies of the planes, with NumPy's arithmetic."""

    def __init__(self, planes: dict[str, np.ndarray]) -> None:
        self.p = {name: array.copy() for name, array in planes.items()}

    def cell(self, name: str) -> int:
        return int(self.p[name][0])

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


class Eager(Walk):
    """On the planes themselves, wherever they lie; `part(array, key)` is the array `array[key]` there."""

    def __init__(self, planes: dict[str, Any], part: Callable[[Any, slice], Any]) -> None:
        self.p, self.part = planes, part

    def fetch(self, name: str) -> np.ndarray:
        array = self.p[name]
        found = np.empty(array.shape, array.dtype)
        eagle.copy(array, into=found)
        return found

    def cell(self, name: str) -> int:
        return int(self.fetch(name)[0])

    def do_shift(self, s: Statement) -> None:
        shift(self.p[s.names[0]], s.number)

    def do_fill(self, s: Statement) -> None:
        eagle.copy(np.full(SAMPLES, s.number), into=self.p[s.names[0]])

    def do_copy(self, s: Statement) -> None:
        eagle.copy(self.p[s.names[0]], into=self.p[s.names[1]])

    def do_slope(self, s: Statement) -> None:
        x, to = (self.p[name] for name in s.names)
        mix(self.part(x, slice(1, None)), self.part(x, slice(-1)), 0.0, out=self.part(to, slice(1, None)))

    def do_max(self, s: Statement) -> None:
        largest = self.fetch(s.names[0]).max(keepdims=True)
        eagle.copy(largest, into=self.part(self.p[s.names[1]], slice(1)))

    def do_mix(self, s: Statement) -> None:
        x, y, to = (self.p[name] for name in s.names)
        mix(x, y, s.number, out=to)

    def do_draw(self, s: Statement) -> None:
        draw(self.part(self.p[s.names[1]], slice(1)), self.p[s.names[0]])


# ---- runs ----

REPLAYS = 3


def start() -> dict[str, np.ndarray]:
    planes = {name: np.linspace(-1.0, 2.0, SAMPLES) + k / 4 for k, name in enumerate(PLANES)}
    return planes | {"n": np.array([1], np.int64), "m": np.array([2], np.int64)}


def wanted(program: tuple[Statement, ...]) -> dict[str, np.ndarray]:
    oracle = Oracle(start())
    for _ in range(REPLAYS):
        oracle.run(program)
    return oracle.p


def check(found: dict[str, np.ndarray], program: tuple[Statement, ...], how: str) -> None:
    for name, array in wanted(program).items():
        assert found[name].tobytes() == array.tobytes(), f"{how}: {name} is {found[name]}; it must be {array}"


@contextmanager
def schedule(variable: str, value: str) -> Iterator[None]:
    """The order in which graphs that are built meanwhile run what nothing orders."""
    before = os.environ.get(variable)
    os.environ[variable] = value
    try:
        yield
    finally:
        if before is None:
            del os.environ[variable]
        else:
            os.environ[variable] = before
