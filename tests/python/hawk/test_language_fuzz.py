"""Whatever is written, a decoration gives a kernel or a HawkError that says where: no other exception escapes."""

import math

import numpy as np
import pytest
from hawk_oracle import define
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import hawk

WORDS = """
x n k a v y done p q 0 1 -1 2.5 True None 'text' ... 1j (x,v) () (1,2,3) [x,x] math math.pi math.sin np hawk hawk.math
helper range(3) range(-1) constants array matrix settings print Scalar 10**20 b'b' min max abs int float len zip
enumerate range hawk.vector f wrapped {}
"""
atoms = st.sampled_from(WORDS.split())


def grown(inner):
    binary = st.sampled_from(
        ["+", "-", "*", "/", "//", "%", "**", "&", "|", "^", "<<", "@", "<", "==", "is", "in", "and"]
    )
    return st.one_of(
        st.builds("({} {} {})".format, inner, binary, inner),
        st.builds("({} < {} <= {})".format, inner, inner, inner),
        st.builds("({} if {} else {})".format, inner, inner, inner),
        st.builds("(not {})".format, inner),
        st.builds("(~{})".format, inner),
        st.builds("(-{})".format, inner),
        st.builds("({})[{}]".format, inner, inner),
        st.builds("({})[{}:{}]".format, inner, inner, inner),
        st.builds("({}).part".format, inner),
        st.builds("({})({})".format, inner, inner),
        st.builds("({})({}, {})".format, inner, inner, inner),
        st.builds("({})(*{})".format, inner, inner),
        st.builds("({})(first={})".format, inner, inner),
        st.builds("({})(**{})".format, inner, inner),
        st.builds("({}, {})".format, inner, inner),
        st.builds("(*{}, {})".format, inner, inner),
        st.builds("hawk.vector({}, {})".format, inner, inner),
        st.builds("math.sqrt({})".format, inner),
        st.builds("helper({}, {})".format, inner, inner),
        st.builds("{{'key': {}}}".format, inner),
    )


expressions = st.recursive(atoms, grown, max_leaves=5)
targets = st.sampled_from(
    ["y", "p", "q", "p, q", "(p, (q, y))", "p[0]", "v[1]", "y[0]", "x", "done", "p.part", "*p, q"]
)


def indent(lines):
    return ["    " + line for line in lines]


def statements(depth):
    simple = st.one_of(
        st.builds("{} = {}".format, targets, expressions),
        st.builds("{} {}= {}".format, targets, st.sampled_from("+*/"), expressions),
        st.builds("p: {} = {}".format, atoms, expressions),
        st.builds("return {}".format, expressions),
        st.sampled_from(["pass", "return", "break", "continue", "del p", "global p", "'text'"]),
        expressions,
    ).map(lambda line: [line])
    if depth == 0:
        return simple
    block = st.lists(statements(depth - 1), min_size=1, max_size=2).map(lambda parts: [row for p in parts for row in p])
    return st.one_of(
        simple,
        st.builds(lambda c, a, b: [f"if {c}:", *indent(a), "else:", *indent(b)], expressions, block, block),
        st.builds(lambda t, e, a: [f"for {t} in {e}:", *indent(a)], targets, expressions, block),
        st.builds(lambda e, a: [f"while {e}:", *indent(a)], expressions, block),
    )


HEAD = """
def f(x: Scalar, n: Index, k: Param[Index], a: Param, v: Vector[3], y: Mutable[Scalar], done: Terminated):
    p, q = x, v
"""


def helper(first, second=0):
    if first > second:
        return first
    return second


def wrapped():
    return None


NAMES = {"math": math, "np": np, "helper": helper, "wrapped": wrapped, "constants": (1.0, 2), "settings": {"a": 1}}
NAMES |= {"array": np.array([1.0, 2.0, 3.0]), "matrix": np.eye(2)}


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
@settings(max_examples=800, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(st.lists(statements(2), min_size=1, max_size=4))
def test_only_hawk_errors(parts):
    source = HEAD + "\n".join(indent([row for part in parts for row in part]))
    try:
        function = define(source, **NAMES)
    except SyntaxError:
        return
    try:
        kernel = hawk.kernel(function)
        assert len(kernel.digest) == 64 and kernel.source
    except hawk.HawkError as error:
        assert error.file is not None and error.line is not None and str(error).startswith(error.file)
