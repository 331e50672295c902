"""What a recording takes, refuses and keeps alive."""

import gc

import numpy as np
import pytest
from graph_kernels import grow, scale, shift

import eagle


def test_one_array_under_two_names_is_two_planes():
    x = np.ones(3)

    @eagle.graph
    def recording(g, x, y):
        return scale(x, 1.0, 0.0), scale(y, 10.0, 0.0)

    built = recording.build(x, x)
    left, right = built.bind(x=np.zeros(3))()
    assert (left.tolist(), right.tolist()) == ([0.0] * 3, [10.0] * 3)


def test_a_loop_without_with_is_refused():
    @eagle.graph
    def recording(g, x):
        g.repeat(3)
        grow(x, 2.0)

    with pytest.raises(ValueError, match=r"test_graph_records\.py:\d+: a loop was made and never entered"):
        recording.build(np.ones(2))


def test_a_returned_view_keeps_its_array():
    def made():
        return eagle.graph(lambda g, x: (shift(x, 1.0), x[::2])[1]).build(np.full(1 << 20, 1.0))()

    view = made()
    gc.collect()
    assert view.tolist() == [2.0] * (1 << 19)


def test_arrays_that_hold_no_numbers_are_refused():
    objects = np.array([object(), object()], object)
    with pytest.raises(ValueError, match="has dtype object; a graph would copy their addresses"):
        eagle.graph(lambda g, x, y: g.copy(x, into=y) and None).build(objects, objects.copy())


def test_a_built_graph_takes_no_more_nodes():
    kept = []

    @eagle.graph
    def recording(g, x):
        kept.append(g)
        shift(x, 1.0)

    x = np.zeros(2)
    built = recording.build(x)
    for late in (lambda: kept[0].scratch(3), lambda: kept[0].fill(x, 1.0)):
        with pytest.raises(ValueError, match="was lowered and takes no more nodes"):
            late()
    built()
    assert x.tolist() == [1.0, 1.0]


def test_an_object_that_was_not_built_is_refused():
    with pytest.raises(RuntimeError, match="not built"):
        eagle.BuiltGraph.__new__(eagle.BuiltGraph)()


def test_numbers_of_a_child_are_its_own():
    y = np.zeros(4)
    inner = eagle.graph(lambda g, x, y, a: scale(x, a, 0.0, out=y)).build(np.arange(4.0), y, 2.0)
    outer = eagle.graph(lambda g, y, a: (g.child(inner), scale(y, a, 0.0))[1]).build(y, 10.0)
    np.testing.assert_array_equal(outer.update(a=3.0)(), 2.0 * np.arange(4.0) * 3.0)


def test_nodes_of_another_graph_and_odd_scratch_are_refused():
    nodes = []

    @eagle.graph
    def recording(g, x):
        nodes.append(g.fill(x, 1.0))
        with pytest.raises(ValueError, match=r"an extent of shape is 3\.7; it must be a whole number of at least 0"):
            g.scratch([3.7])
        with pytest.raises(TypeError, match=r"an extent of shape is '3' \(str\); it must be a whole number"):
            g.scratch("3")
        with pytest.raises(ValueError, match="byte order"):
            g.scratch(3, ">f8")

    one, two = recording.build(np.ones(2)), recording.build(np.ones(2))
    two.set_enabled(nodes[1], False)
    with pytest.raises(ValueError, match="no node of"):
        one.set_enabled(nodes[1], False)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda x: shift(x, 1.0, 2.0), "too many positional arguments"),
        (lambda x: shift(x, 1.0, by=2.0), "multiple values for argument 'by'"),
        (lambda x: shift(x, bye=1.0), "missing a required argument: 'by'|unexpected keyword argument 'bye'"),
        (lambda x: shift(x), "missing a required argument: 'by'"),
    ],
)
def test_a_call_that_python_would_refuse_is_refused_as_python_does(call, words):
    recording = eagle.graph(lambda g, x: call(x))
    with pytest.raises(TypeError, match=words):
        recording.build(np.ones(3))


def test_calls_by_position_and_by_name_are_the_same():
    for call in (lambda x: shift(by=2.0, x=x), lambda x: shift(x, 2.0)):
        x = np.arange(3.0)
        eagle.graph(lambda g, x, call=call: call(x)).build(x)()
        np.testing.assert_array_equal(x, [2.0, 3.0, 4.0])


def test_a_function_that_is_recorded_again_gets_a_number():
    x, seen = np.ones(2), []

    def note():
        seen.append(x[0])

    @eagle.graph
    def recording(g, x):
        g.host(note, reads=[x], name="note 2")
        for _ in range(3):
            grow(x, 2.0)
            g.host(note, reads=[x])

    built = recording.build(x)
    built()
    assert [node["name"] for node in built.nodes() if "note" in node["name"]] == ["note 2", "note", "note 3", "note 4"]
    assert seen == [1.0, 2.0, 4.0, 8.0]


def test_a_function_of_a_kernel_s_name_gets_a_number():
    x = np.zeros(2)

    def growing():
        pass

    growing.__name__ = grow.name

    @eagle.graph
    def recording(g, x):
        grow(x, 2.0)
        g.host(growing, reads=[x])

    assert [node["name"] for node in recording.build(x).nodes()] == [grow.name, f"{grow.name} 2"]
