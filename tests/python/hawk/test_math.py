"""Functions: known by identity, exact where they are exact, else within one unit in the last place."""

import ctypes
import math

import mpmath
import numpy as np
import pytest
from hawk_oracle import bits, check, define, run

import hawk
from hawk import Index, Scalar
from hawk import math as hm

ONE_ARGUMENT = ["exp", "log", "sin", "cos", "tanh", "atan"]


@hawk.kernel
def library(x: Scalar, y: Scalar):
    return {
        "exp": hm.exp(x),
        "log": hm.log(abs(x)),
        "sin": hm.sin(x),
        "cos": hm.cos(x),
        "tanh": hm.tanh(x),
        "atan": hm.atan(x),
        "atan2": hm.atan2(x, y),
        "pow": hm.pow(abs(x), y),
    }


def units(have, exact):
    """Distance in units in the last place of the exact value."""
    scale = mpmath.mpf(math.ulp(float(exact)))
    return abs((mpmath.mpf(float(have)) - exact) / scale)


def test_within_one_unit():
    rng = np.random.default_rng(2)
    x, y = rng.normal(size=200) * 20, rng.normal(size=200) * 3
    found = run(library, [{"x": float(a), "y": float(b)} for a, b in zip(x, y, strict=True)])
    with mpmath.workdps(40):
        for k, (a, b) in enumerate(zip(map(mpmath.mpf, x), map(mpmath.mpf, y), strict=True)):
            exact = {name: getattr(mpmath, name)(a) for name in ONE_ARGUMENT if name != "log"}
            exact |= {"log": mpmath.log(abs(a)), "atan2": mpmath.atan2(a, b), "pow": abs(a) ** b}
            for name, value in exact.items():
                assert units(found[name][k], value) <= 1, (name, float(a), float(b))


@hawk.kernel
def exact(x: Scalar, y: Scalar):
    return {
        "root": math.sqrt(abs(x)),
        "floor": hm.floor(x),
        "ceil": np.ceil(x),
        "trunc": np.trunc(x),
        "rint": hm.rint(x),
        "size": abs(x),
        "signed": math.copysign(x, y),
        "bad": int(math.isnan(x)) + 2 * int(math.isinf(x)) + 4 * int(math.isfinite(x)),
        "fused": hm.fma(x, y, 0.1),
        "select": hm.select(x > y, x, 2),
    }


ODD = [0.0, -0.0, 0.5, -0.5, 1.5, -2.5, 1e300, 4503599627370495.5, math.inf, -math.inf, math.nan, 5e-324]


def test_exact_functions():
    samples = [{"x": x, "y": y} for x in ODD for y in (1.0, -0.0, -3.0, math.nan)]
    found = run(exact, samples)
    for k, sample in enumerate(samples):
        x, y = sample["x"], sample["y"]
        wanted = {
            "root": hm.sqrt(abs(x)),
            "floor": np.floor(x),
            "ceil": np.ceil(x),
            "trunc": np.trunc(x),
            "rint": np.rint(x),
            "size": abs(x),
            "signed": math.copysign(x, y),
            "bad": math.isnan(x) + 2 * math.isinf(x) + 4 * math.isfinite(x),
            "fused": hm.fma(x, y, 0.1),
            "select": x if x > y else 2.0,
        }
        for name, value in wanted.items():
            assert bits(found[name][k]) == bits(value), (name, sample, found[name][k], value)


@hawk.kernel
def extremes(x: Scalar, y: Scalar, i: Index, j: Index):
    return {
        "least": min(x, y),
        "most": max(x, y),
        "minimum": np.minimum(x, y),
        "maximum": hm.maximum(x, y),
        "fmin": hm.fmin(x, y),
        "fmax": np.fmax(x, y),
        "integers": min(i, j, 3) + max(i, j),
        "mixed": max(i, y),
        "of_tuple": min((x, y, 0.0)),
        "size": abs(i),
    }


def test_extremes_order_zeros_and_say_what_a_nan_does():
    values = [0.0, -0.0, 1.0, -1.0, math.inf, math.nan]
    samples = [{"x": x, "y": y, "i": 2, "j": -5} for x in values for y in values]
    found = run(extremes, samples)

    def least(a, b):  # IEEE 754-2019 minimum, written from its text
        if math.isnan(a) or math.isnan(b):
            return math.nan
        if a == b == 0:
            return -0.0 if math.copysign(1, a) < 0 or math.copysign(1, b) < 0 else 0.0
        return a if a < b else b

    for k, sample in enumerate(samples):
        x, y = sample["x"], sample["y"]
        number = y if math.isnan(x) else x if math.isnan(y) else least(x, y)
        most = -least(-x, -y)
        wanted = {"least": least(x, y), "minimum": least(x, y), "fmin": number, "most": most, "maximum": most}
        wanted["fmax"] = y if math.isnan(x) else x if math.isnan(y) else most
        wanted["mixed"] = -least(-2.0, -y)
        wanted["of_tuple"] = least(least(x, y), 0.0)
        for name, value in wanted.items():
            assert bits(found[name][k]) == bits(value), (name, sample, found[name][k], value)
    assert set(found["integers"].tolist()) == {-5 + 2} and set(found["size"].tolist()) == {2}


@hawk.kernel
def of_vectors(x: Scalar):
    v = hawk.vector(x, -x, 2 * x)
    return {"root": hm.sqrt(abs(v)), "most": max(v, 0.5), "all_": min(v)}


def test_functions_of_vectors():
    found = run(of_vectors, [{"x": 4.0}])
    assert found["root"].T.tolist() == [[2.0, 2.0, math.sqrt(8.0)]]
    assert found["most"].T.tolist() == [[4.0, 0.5, 8.0]] and found["all_"].tolist() == [-4.0]


@pytest.mark.parametrize("name", ["sin", "exp", "sqrt", "tanh", "log"])
def test_three_names_are_one_function(name):
    made = [
        hawk.kernel(define("def f(x: Scalar) -> Scalar:\n    return g(x)\n", g=getattr(place, name)))
        for place in (math, np, hm)
    ]
    assert len({kernel.digest for kernel in made}) == 1


def test_special_values():
    found = run(library, [{"x": math.inf, "y": 0.0}, {"x": 0.0, "y": -1.0}, {"x": -math.inf, "y": 1.0}])
    assert found["exp"].tolist() == [math.inf, 1.0, 0.0]
    assert found["log"].tolist() == [math.inf, -math.inf, math.inf]
    assert np.isnan(found["sin"][0]) and found["tanh"].tolist() == [1.0, 0.0, -1.0]
    assert found["pow"].tolist() == [1.0, math.inf, math.inf]


@hawk.kernel
def whole(x: Scalar):
    k = math.floor(x)
    return {"even": 1 if k % 2 == 0 else 0, "part": x - k}


def test_pythons_floor_is_an_integer():
    check(whole, [{"x": x} for x in (-2.5, -1.0, 0.0, 3.75)])


@pytest.mark.parametrize("x", ODD)
def test_outside_a_kernel_they_are_the_same_functions(x):
    found = run(exact, [{"x": x, "y": -0.0}])
    for name, function in (("floor", hm.floor), ("ceil", hm.ceil), ("trunc", hm.trunc), ("rint", hm.rint)):
        assert bits(found[name][0]) == bits(function(x)), name


def test_outside_a_kernel_special_values_are_those_of_c():
    library = ctypes.CDLL("libm.so.6")
    calls = [(name, (x,)) for name in (*ONE_ARGUMENT, "sqrt") for x in ODD]
    calls += [(name, (x, y)) for name in ("pow", "atan2", "copysign") for x in ODD for y in ODD]
    for name, arguments in calls:
        function = getattr(library, name)
        function.restype, function.argtypes = ctypes.c_double, [ctypes.c_double] * len(arguments)
        own, theirs = getattr(hm, name)(*arguments), function(*arguments)
        assert own == pytest.approx(theirs, rel=1e-15, nan_ok=True), (name, arguments)
        assert math.isnan(own) or math.copysign(1, own) == math.copysign(1, theirs), (name, arguments)
