"""What a recording is told where it takes a graph for a Python function: which parameter, which plane, which call."""

import numpy as np
import pytest
from graph_kernels import grow, scale, shift

import eagle


def built(recording, *arrays, **named):
    return eagle.graph(recording).build(*arrays, **named)


def test_a_recording_without_the_graph_is_told_that_it_comes_first():
    def doubled(x):
        return scale(x, 2.0, 0.0)

    def mixed(x, y):
        return scale(x, 2.0, 0.0)

    words = (
        r"build\(\) of graph 'doubled': too many positional arguments; it takes nothing: its first parameter, 'x', is "
        r"the graph, and build\(\) gives it; where 'x' is meant for an argument, write def doubled\(g, x\)$"
    )
    with pytest.raises(TypeError, match=words):
        built(doubled, np.ones(3))
    with pytest.raises(TypeError, match=r"argument 'x'; it takes y: its first .*, write def mixed\(g, x, y\)$"):
        built(mixed, x=np.ones(3), y=np.ones(3))
    with pytest.raises(TypeError, match=r"too many positional arguments; it takes y$"):
        built(mixed, 1.0, 2.0, 3.0)
    words = r"the graph 'mixed' itself stands where graph 'mixed' needs a plane; .* def mixed\(g, x\)$"
    with pytest.raises(TypeError, match=words):
        built(mixed, np.ones(3))


def test_a_list_is_refused_by_the_parameter_that_it_was_given_for():
    def recording(g, heights):
        g.fill(heights, 0.0)

    words = r"argument 'heights' is \[1.0, 2.0\] \(list\); it must be an array, as numpy.asarray makes of a list"
    with pytest.raises(TypeError, match=words):
        built(recording, [1.0, 2.0])


BLOCKS = {
    "if_": lambda g, cell: g.if_(cell),
    "while_": lambda g, cell: g.while_(cell, cap=3),
    "limit": lambda g, cell: g.while_(g.cell(), limit=cell),
    "stop": lambda g, cell: g.repeat(3, stop=cell),
    "switch": lambda g, cell: g.switch(cell, 2),
}


@pytest.mark.parametrize("block", BLOCKS)
def test_a_plane_of_floats_decides_nothing(block):
    def recording(g, x):
        with BLOCKS[block](g, g.scratch(1, "float64", "flag")):
            grow(x, 2.0)

    words = (
        r"plane 'flag' \(float64\[1\], scratch, .*\) is no cell, since its dtype is float64; what decides control flow "
        r'is one integer, int64, int32 or uint32: give a plane of one int64, such as g.scratch\(1, "int64"\)'
    )
    with pytest.raises(eagle.BufferRefused, match=words):
        built(recording, np.ones(3))


def test_several_integers_decide_nothing():
    def recording(g, x):
        with g.while_(g.scratch(2, "int64", "flag"), cap=3):
            grow(x, 2.0)

    with pytest.raises(eagle.BufferRefused, match=r"'flag' \(int64\[2\], .* is no cell; .* take an element"):
        built(recording, np.ones(3))


def test_an_integer_that_nobody_wrote_is_named_as_it_was_declared():
    def recording(g, x):
        with g.if_(g.scratch(1, "int64", "flag")) as branch, branch.then:
            grow(x, 2.0)

    words = r"node 'if' reads plane 'flag' \(int64\[1\], scratch, .*\) before any node wrote it; .*: fill it first"
    with pytest.raises(ValueError, match=words):
        built(recording, np.ones(3))


KNOWN = {
    "while_": r"cell is True \(bool\) in g.while_\(\); it must be a cell, a plane of one int64 that work of the graph "
    r"writes and each replay reads anew; a number of iterations that is known at the build is `with g.repeat\(n\):`$",
    "if_": r"cell is True \(bool\) in g.if_\(\); .*; what is known at the build is decided by Python's own `if`$",
    "limit": r"limit is True \(bool\) in g.while_\(\); .* `with g.repeat\(n\):`$",
    "stop": r"stop is True \(bool\) in g.repeat\(\); .* is the count of `g.repeat\(n\)`$",
    "switch": r"cell is True \(bool\) in g.switch\(\); .* decided by Python's own `if`$",
}


@pytest.mark.parametrize("block", KNOWN)
def test_what_is_known_at_the_build_is_no_cell(block):
    def recording(g, x):
        with BLOCKS[block](g, True):
            grow(x, 2.0)

    with pytest.raises(TypeError, match=KNOWN[block]):
        built(recording, np.ones(3))


def test_a_number_that_replays_take_anew_is_no_cell():
    def recording(g, x, n):
        with g.while_(n):
            grow(x, 2.0)

    with pytest.raises(
        TypeError, match=r"cell is <number 'n' \(3\), .*> \(Number\) in g.while_\(\); it must be a cell"
    ):
        built(recording, np.ones(3), 3)


@pytest.mark.parametrize("compare", [lambda x: x > 1, lambda x: x <= 1, lambda x: x == 1])
def test_a_comparison_of_a_plane_is_told_what_decides(compare):
    def recording(g, x):
        if compare(x):
            shift(x, 1.0)

    words = (
        r"plane 'x' has no value while the graph is recorded, so Python cannot compare it; decide in the graph by an "
        r"int64 that a kernel writes, `flag = above\(x\)`: `with g.if_\(flag\) as branch:` or `with g.while_\(flag\):`"
        r"; what differs from sample to sample is an `if` inside a kernel$"
    )
    with pytest.raises(TypeError, match=words):
        built(recording, np.ones(3))


def test_a_truth_value_of_a_plane_is_told_what_decides():
    def recording(g, x):
        if x:
            shift(x, 1.0)

    with pytest.raises(TypeError, match=r"`with g.if_\(x\) as branch:`.* is an `if` inside a kernel$"):
        built(recording, np.ones(3))


def test_a_comparison_of_a_number_is_told_what_decides():
    def recording(g, x, a):
        if a > 1.0:
            shift(x, 1.0)

    words = r"so what Python compares it with would be decided once, at the build; use float\(a\) .* a cell for g.if_$"
    with pytest.raises(TypeError, match=words):
        built(recording, np.ones(3), 2.0)


@pytest.mark.parametrize(
    ("dtype", "error", "words"),
    [
        (
            "flaot64",
            TypeError,
            "dtype is 'flaot64', which NumPy .*; it must be float64, .*; the nearest name is 'float64'$",
        ),
        ("quaternion", TypeError, "dtype is 'quaternion', which NumPy .* bool, in this machine's byte order$"),
        (3, TypeError, "dtype is 3, which NumPy does not take for one; it must be float64"),
        ("f" * 100_000, TypeError, r"dtype is 'f{39}\.\.\. \(100002 characters\), which NumPy"),
        ("float16", ValueError, "dtype is 'float16'; it must be float64, float32, int64, int32, uint32 or bool"),
        (">f8", ValueError, "dtype is '>f8'; it must be .*, in this machine's byte order"),
    ],
)
def test_a_dtype_that_is_none(dtype, error, words):
    with pytest.raises(error, match=words):
        built(lambda g, x: g.scratch(1, dtype) and None, np.ones(3))
    with pytest.raises(error, match=words):
        eagle.pinned(1, dtype)


def test_a_launch_of_no_number():
    graph = built(lambda g, x: scale(x, 2.0, 0.0), np.ones(3))
    with pytest.raises(TypeError, match=r"n is None \(NoneType\); it must be a whole number of at least 1"):
        graph.launch(None)
    with pytest.raises(TypeError, match=r"stream is 'x{39}\.\.\. \(100002 characters\); launch\(\) needs a raw handle"):
        graph.launch(stream="x" * 100_000)
    with pytest.raises(TypeError, match=r"form is None \(NoneType\); it must be text, dot, mermaid or svg"):
        graph.picture(None)


def test_names_with_half_a_character():
    half = "\ud800"
    graph = built(lambda g, x: scale(x, 2.0, 0.0), np.ones(3))
    with pytest.raises(TypeError, match=r"argument '\\ud800' is 1.0; bind\(\) takes arrays"):
        graph.bind(**{half: 1.0})
    with pytest.raises(TypeError, match=r"graph 'graph' has no plane '\\ud800'; bind one that was declared"):
        graph.bind(**{half: np.ones(3)})
    with pytest.raises(TypeError, match=r"uses a number '\\ud800'"):
        graph.update(**{half: 1.0})
    words = r"name is '\\ud800', with half of a surrogate pair, which is no character; it must be a text that UTF-8 can"
    with pytest.raises(ValueError, match=words):
        built(lambda g, x: g.scratch(1, name=half) and None, np.ones(3))
