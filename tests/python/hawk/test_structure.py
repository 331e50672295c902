"""Loops, functions called, names of the surroundings, tuples, vectors."""

import math

import numpy as np
import pytest
from hawk_oracle import bits, check, define, run

import hawk
from hawk import Index, Mutable, Param, Scalar, Vector

WEIGHTS = (0.5, -1.25, 3.0)
TABLE = np.array([1.0, 2.5, -0.5])
OFFSETS = [(1, 0.5), (2, -0.25)]


@hawk.kernel
def loops(x: Scalar, n: Index):
    """Documentation is no statement."""
    total = 0.0
    for w in WEIGHTS:
        total += w * x
    power = 1.0
    for k in range(10, 0, -3):
        power *= x + k
        if power > n:
            power = power / 2
    for j, shift in OFFSETS:
        total -= j * shift
    for j, w in enumerate(WEIGHTS):
        total += j * w
    for a, b in zip(WEIGHTS, TABLE, strict=True):
        total += a * b
    for _ in range(0):
        total = missing  # noqa: F821
    return total, power


def test_loops_over_constants():
    check(loops, [{"x": x, "n": n} for x in (0.3, -2.0, 5.0) for n in (-10, 0, 100)])


def horner(x, *, c0=1.0, c1, c2=0.125):
    return (c2 * x + c1) * x + c0


def pair(x, y):
    total = x + y
    return total, x - y


def outer(x, y):
    s, d = pair(x, y)
    return horner(s, c1=d) + horner(d, c1=2, c0=s)


@hawk.kernel
def helpers(x: Scalar, y: Scalar):
    first = outer(x, y)
    (a, b), c = pair(y, x), pair(x, x)[1]
    return {"first": first, "a": a, "b": b, "c": c, "again": outer(y, x)}


def test_helpers_are_inlined():
    check(helpers, [{"x": 0.5, "y": -1.75}, {"x": 3.0, "y": 0.1}])


def make(factor, shift):
    @hawk.kernel
    def affine(x: Scalar) -> Scalar:
        return factor * x + shift

    return affine


def test_closures_are_frozen_when_decorated():
    twice, thrice = make(2.0, 1), make(3.0, -1)
    assert twice(np.array([1.0, 2.0])).tolist() == [3.0, 5.0]
    assert thrice(np.array([1.0, 2.0])).tolist() == [2.0, 5.0]
    assert twice.digest != thrice.digest


def test_globals_are_frozen_when_decorated():
    function = define("def f(x: Scalar) -> Scalar:\n    return x * gain\n", gain=2.0)
    made = hawk.kernel(function)
    function.__globals__["gain"] = 100.0
    assert made(np.array([1.0])).tolist() == [2.0]


class Settings:
    gain = 1.5
    steps = 3


@hawk.kernel
def attributes(x: Scalar):
    y = x * Settings.gain + math.pi
    for _ in range(Settings.steps):
        y = y * x
    return y


def test_attributes_of_the_surroundings():
    check(attributes, [{"x": 0.7}])


def unit(v):
    return v / math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])


@hawk.kernel
def vectors(r: Vector[3], s: Vector[3], x: Scalar, n: Index):
    cross = hawk.vector(r[1] * s[2] - r[2] * s[1], r[2] * s[0] - r[0] * s[2], r[0] * s[1] - r[1] * s[0])
    a, b, c = r
    scaled = x * r - s / 2 + n
    tail = r[1:]
    joined = hawk.vector(tail[0], s[-1], float(n))
    joined[1] += x
    joined[-1] = 4
    chosen = r if x > 0 else -s
    if n > 1:
        chosen = chosen * n
    total = 0.0
    for part in r:
        total += part
    return {
        "cross": cross,
        "scaled": scaled,
        "joined": joined,
        "unit": unit(r),
        "back": r[::-1],
        "powers": r**2,
        "chosen": chosen,
        "constant": r * TABLE,
        "sum_": a + b - c,
        "total": total,
        "count": len(r),
    }


def test_vectors_component_by_component():
    rng = np.random.default_rng(1)
    samples = [
        {"r": rng.normal(size=3), "s": rng.normal(size=3), "x": float(rng.normal()), "n": n} for n in range(-2, 9)
    ]
    found = run(vectors, samples)
    check_like(found, samples)


def check_like(found, samples):
    """NumPy's element by element arithmetic is IEEE too."""
    r = np.array([s["r"] for s in samples]).T
    s = np.array([s["s"] for s in samples]).T
    x = np.array([s["x"] for s in samples])
    n = np.array([s["n"] for s in samples])
    cross = [r[1] * s[2] - r[2] * s[1], r[2] * s[0] - r[0] * s[2], r[0] * s[1] - r[1] * s[0]]
    chosen = np.where(x > 0, r, -s)
    wanted = {
        "cross": np.array(cross),
        "scaled": x * r - s / 2 + n,
        "joined": np.array([r[1], s[2] + x, np.full_like(x, 4.0)]),
        "unit": r / np.sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]),
        "back": r[::-1],
        "powers": r * r,
        "chosen": np.where(n > 1, chosen * n, chosen),
        "constant": r * TABLE[:, None],
        "sum_": r[0] + r[1] - r[2],
        "total": 0.0 + r[0] + r[1] + r[2],
        "count": np.full(len(samples), 3),
    }
    for name, value in wanted.items():
        assert found[name].shape == value.shape, name
        assert bits(found[name]) == bits(value), name


@hawk.kernel
def moving(r: Mutable[Vector[2]], v: Mutable[Vector[2]], dt: Param):
    r += dt * v
    v = (v[1], -v[0])


def test_vector_state():
    r = np.array([[0.0, 1.0, 5.0], [2.0, 3.0, 6.0]])
    v = np.array([[1.0, -1.0, 0.0], [0.5, 0.25, 8.0]])
    moving(r=r, v=v, dt=0.1)
    assert bits(r) == bits([[0.1 * 1.0, 1 - 0.1, 5.0], [2 + 0.1 * 0.5, 3 + 0.1 * 0.25, 6 + 0.1 * 8]])
    assert v.tolist() == [[0.5, 0.25, 8.0], [-1.0, 1.0, 0.0]]


def test_annotations_as_text():
    function = define(
        """
        from __future__ import annotations

        def f(x: Scalar, v: "Vector[2]", n: Param[Index]) -> Vector[2]:
            y: float = x * n
            return y * v
        """
    )
    found = hawk.kernel(function)(x=np.array([2.0]), v=np.array([[1.0], [3.0]]), n=4)
    assert found.tolist() == [[8.0], [24.0]]


@pytest.mark.parametrize(
    ("annotation", "value", "names"),
    [
        ("Scalar", "x", ["out"]),
        ("(Scalar, Index)", "x, 1", ["out0", "out1"]),
        ("tuple[Scalar, Vector[2]]", "x, hawk.vector(x, x)", ["out0", "out1"]),
        ("{'b': Scalar, 'a': Scalar}", "{'b': x, 'a': 2 * x}", ["a", "b"]),
    ],
)
def test_names_of_outputs(annotation, value, names):
    kernel = hawk.kernel(define(f"def f(x: Scalar) -> {annotation}:\n    return {value}\n"))
    assert [d.name for d in kernel._description.signature.of_role("out")] == names


def test_results_come_back_as_they_were_returned():
    kernel = hawk.kernel(define("def f(x: Scalar):\n    return x, 2 * x\n"))
    first, second = kernel(np.array([1.0, 2.0]))
    assert first.tolist() == [1.0, 2.0] and second.tolist() == [2.0, 4.0]
    named = hawk.kernel(define("def f(x: Scalar):\n    return {'low': x, 'high': 2 * x}\n"))
    assert {key: value.tolist() for key, value in named(np.array([1.0])).items()} == {"low": [1.0], "high": [2.0]}


def test_names_of_a_model_meet_no_word_of_the_language():
    source = """
    def new(int_: Scalar, double: Param, S: Scalar, R: Scalar, step: Mutable[Scalar], state: Mutable[Scalar]):
        step = int_ * double + S
        state = R + step
    """
    kernel = hawk.kernel(define(source, "new"))
    step, state = np.zeros(1), np.zeros(1)
    kernel(int_=np.array([2.0]), double=3.0, S=np.array([1.0]), R=np.array([4.0]), step=step, state=state)
    assert step.tolist() == [7.0] and state.tolist() == [11.0]


def test_greek_names():
    kernel = hawk.kernel(define("def f(ω: Scalar, θ: Mutable[Scalar], δ: Param):\n    θ += δ * ω\n"))
    theta = np.array([1.0])
    kernel(ω=np.array([2.0]), θ=theta, δ=0.5)
    assert theta.tolist() == [2.0]
