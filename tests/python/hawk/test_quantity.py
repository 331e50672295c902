"""Quantities: one value on several planes, read by wire or whole, written by wire, given all or none."""

import pickle

import numpy as np
import pytest
from hawk_oracle import define

import hawk
from hawk import Index, Mutable, Param, Quantity, Scalar, Vector
from raptor.schema import read_sidecar


def total(hi, lo):
    return hi + lo


double_double = Quantity("double_double", {"hi": Scalar, "lo": Scalar}, total)
angle = Quantity("angle", {"sin": Scalar, "cos": Scalar}, hawk.math.atan2)


@hawk.kernel
def plus(x: double_double, y: Scalar) -> dict(hi=Scalar, lo=Scalar, whole=Scalar):
    # Two-sum: s + e is exactly hi + y.
    s = x.hi + y
    b = s - x.hi
    e = (x.hi - (s - b)) + (y - b)
    return {"hi": s, "lo": x.lo + e, "whole": x}


@hawk.kernel
def turn(a: Mutable[angle], by_sin: Param, by_cos: Param) -> Scalar:
    s, c = a.sin, a.cos
    a.sin = s * by_cos + c * by_sin
    a.cos = c * by_cos - s * by_sin
    return a


def test_wires_are_planes_of_their_own():
    hi, lo, y = np.array([1.0, 2.0**60]), np.array([2.0**-60, 3.0]), np.array([2.0**-58, 5.0])
    made = plus(x_hi=hi, x_lo=lo, y=y)
    for k in range(2):  # exact, by integers of 2^-60
        exact = [int(v * 2**60) for v in (hi[k], lo[k], y[k])]
        assert int(made["hi"][k] * 2**60) + int(made["lo"][k] * 2**60) == sum(exact)
    assert (made["whole"] == hi + lo).all()
    by_position = plus(hi, lo, y)
    assert all((made[key] == by_position[key]).all() for key in made)


def test_wires_are_written_and_the_value_is_made_of_what_they_hold():
    start = np.linspace(-1.5, 1.5, 7)
    sin, cos = np.sin(start), np.cos(start)
    made = turn(a_sin=sin, a_cos=cos, by_sin=np.sin(0.25), by_cos=np.cos(0.25))
    np.testing.assert_allclose(made, start + 0.25, rtol=0, atol=4e-16)
    np.testing.assert_allclose(sin, np.sin(start + 0.25), rtol=0, atol=4e-16)
    np.testing.assert_allclose(cos, np.cos(start + 0.25), rtol=0, atol=4e-16)


@pytest.mark.parametrize(("given", "missing"), [("x_hi", "x_lo"), ("x_lo", "x_hi")])
def test_some_of_the_planes_are_not_enough(given, missing):
    with pytest.raises(TypeError) as caught:
        plus(y=np.ones(2), **{given: np.ones(2)})
    assert f"quantity 'x' of kernel 'plus' is carried on x_hi, x_lo, and {missing} is missing" in str(caught.value)
    assert "given all or none" in str(caught.value)
    with pytest.raises(TypeError, match="is missing; the kernel takes"):
        plus(y=np.ones(2))
    with pytest.raises(TypeError, match="unknown argument 'x' for kernel 'plus'; it takes"):
        plus(x=np.ones(2), y=np.ones(2))


def test_an_artifact_has_the_planes(tmp_path):
    turn.build(tmp_path)
    document = read_sidecar((tmp_path / "turn.json").read_bytes(), "turn.json")
    spec = [entry for entry in document["arg_spec"] if entry[1].startswith("a_")]
    assert spec == [["mutable", "a_cos"], ["mutable", "a_sin"]]
    state = dict(a_sin=np.zeros(3), a_cos=np.ones(3))
    loaded = hawk.load(tmp_path)["turn"]
    loaded(**state, by_sin=1.0, by_cos=0.0)
    assert state["a_sin"].tolist() == [1.0] * 3 and state["a_cos"].tolist() == [0.0] * 3


def test_other_planes_and_branches():
    mixed = Quantity("mixed", {"v": Vector[2], "n": Index}, lambda_free)

    @hawk.kernel
    def step(q: Mutable[mixed], limit: Param) -> Scalar:
        if q > limit:
            q.v = hawk.vector(q.v[1], q.v[0])
            q.n += 1
        else:
            q.n = 0
        return q

    v, n = np.array([[1.0, 5.0, 2.0], [2.0, 6.0, 0.0]]), np.array([0, 3, 9])
    made = step(q_v=v, q_n=n, limit=9.0)
    assert v.tolist() == [[1.0, 6.0, 0.0], [2.0, 5.0, 2.0]]  # 3, 14 and 11 against 9
    assert n.tolist() == [0, 4, 10]
    assert made.tolist() == [3.0, 15.0, 12.0]


def lambda_free(v, n):
    return v[0] + v[1] + n


def test_two_arguments_of_one_quantity():
    @hawk.kernel
    def difference(a: double_double, b: double_double) -> Scalar:
        return a - b

    made = difference(a_hi=np.array([3.0]), a_lo=np.array([0.5]), b_hi=np.array([1.0]), b_lo=np.array([0.25]))
    assert made.tolist() == [2.25]


def test_it_pickles_with_its_kernel():
    copy = pickle.loads(pickle.dumps(local()))
    assert copy(x_hi=np.ones(2), x_lo=np.ones(2)).tolist() == [2.0, 2.0]
    with pytest.raises(TypeError, match="given all or none"):
        copy(x_hi=np.ones(2))


def local():
    return hawk.kernel(define("def f(x: q) -> Scalar:\n    return x\n", q=double_double))


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Quantity("a b", {"x": Scalar, "y": Scalar}, total), "the name must be an identifier"),
        (lambda: Quantity("q", {"x": Scalar}, total), "a dict of at least two"),
        (lambda: Quantity("q", [Scalar, Scalar], total), "a dict of at least two"),
        (lambda: Quantity("q", {"x": Scalar, "1": Scalar}, total), "the wire '1' must be an identifier"),
        (lambda: Quantity("q", {"x": Scalar, "y": Param}, total), "the wire 'y' is Param; use Scalar, Index or Vector"),
        (lambda: Quantity("q", {"x": Scalar, "y": 3}, total), "the wire 'y' is 3"),
        (lambda: Quantity("q", {"x": Scalar, "y": Scalar}, 3), "reconstruct is 3; give a function of the wires"),
        (lambda: Mutable[3], "Mutable[Vector[w]] or a Quantity"),
    ],
)
def test_what_is_no_quantity(make, words):
    with pytest.raises(ValueError) as caught:
        make()
    assert words in str(caught.value)


def unlike(hi):
    return hi


odd = Quantity("odd", {"hi": Scalar, "lo": Scalar}, unlike)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("def f(x: q) -> Scalar:\n    return x.mid\n", "`double_double` has no wire `mid`; use hi, lo"),
        (
            "def f(x: q) -> Scalar:\n    x.hi = 1.0\n    return x\n",
            "are only read; declare it `Mutable[double_double]`",
        ),
        ("def f(x: Mutable[q]) -> Scalar:\n    x = 1.0\n    return x\n", "assign them, as in `x.hi = x`"),
        ("def f(x: Mutable[q]) -> Scalar:\n    x.hi = 1.0\n    return x\n", "`x_lo` is declared Mutable and never"),
        ("def f(x: q, x_hi: Scalar) -> Scalar:\n    return x\n", "`x_hi` is a wire of `x`, and a name of its own"),
        ("def f(x: q) -> Scalar:\n    x_lo = 1.0\n    return x + x_lo\n", "`x_lo` is a wire of `x`, and a name"),
        ("def f(x: q) -> Scalar:\n    return x_hi\n", "`x_hi` is not defined"),
        ("def f(x: odd) -> Scalar:\n    return x\n", "takes hi; give a function of its 2 wires, hi, lo"),
        ("def f(x: Mutable[q]) -> Scalar:\n    x.hi = 3\n    x.lo = True and x\n    return x\n", "a real number"),
    ],
)
def test_what_a_body_may_not_do(source, words):
    with pytest.raises(hawk.HawkError) as caught:
        hawk.kernel(define(source, q=double_double, odd=odd))
    assert words in str(caught.value)
