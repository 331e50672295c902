"""Graphs in Python: recorded once, replayed; every value is what NumPy computes step by step."""

import gc
import weakref

import numpy as np
import pytest
from graph_kernels import grow, scale, shift, square

import eagle
import hawk
from hawk import Index, Mutable, Scalar


@eagle.graph
def chain(g, x, a):
    return square(scale(x, a, 1.0))


def test_replays_what_was_recorded():
    x = np.arange(5.0)
    built = chain.build(x, 2.0)
    y = built()
    np.testing.assert_array_equal(y, (2.0 * x + 1.0) ** 2)
    x[:] = [5, 4, 3, 2, 1]
    assert built() is y  # the same memory, computed anew
    np.testing.assert_array_equal(y, (2.0 * x + 1.0) ** 2)


def test_nothing_runs_at_the_build():
    x = np.ones(3)

    @eagle.graph
    def doubled(g, x):
        g.fill(x, 7.0)

    doubled.build(x)
    np.testing.assert_array_equal(x, 1.0)


def test_numbers_are_given_anew():
    x = np.arange(4.0)
    built = chain.build(x, 2.0)
    assert built.numbers == {"a": 2.0}
    np.testing.assert_array_equal(built.update(a=3)(), (3.0 * x + 1.0) ** 2)
    assert built.numbers == {"a": 3}


def test_arrays_are_bound_anew():
    x, z = np.arange(4.0), np.full(4, 10.0)
    built = chain.build(x, 2.0)
    np.testing.assert_array_equal(built.bind(x=z)(), 441.0)
    np.testing.assert_array_equal(x, np.arange(4.0))


def test_a_returned_argument_is_the_array_that_was_computed():
    @eagle.graph
    def recording(g, x, rate):
        grow(x, rate)
        return x

    x, z = np.ones(3), np.full(3, 2.0)
    built = recording.build(x, 3.0)
    assert built() is x
    np.testing.assert_array_equal(x, 3.0)
    assert built.bind(x=z)() is z
    np.testing.assert_array_equal(z, 6.0)
    np.testing.assert_array_equal(x, 3.0)


def test_views_and_copies():
    x = np.arange(12.0).reshape(3, 4)
    out = np.zeros(4)

    @eagle.graph
    def recording(g, x, out):
        g.copy(x[1], into=out)
        g.fill(x[2, 1:3], -1.0)

    recording.build(x, out)()
    np.testing.assert_array_equal(out, [4, 5, 6, 7])
    np.testing.assert_array_equal(x[2], [8, -1, -1, 11])


def test_loops_branches_and_switches_are_decided_where_the_work_runs():
    @eagle.graph
    def recording(g, x, count, flag, which):
        with g.repeat(1000, limit=count):
            grow(x, 2.0)
        with g.if_(flag) as branch:
            with branch.then:
                shift(x, 0.5)
            with branch.otherwise:
                shift(x, -0.5)
        with g.switch(which, 2) as arms:
            with arms[0]:
                grow(x, 10.0)
            with arms[1]:
                grow(x, 100.0)

    x = np.ones(4)
    count, flag, which = (np.array([n], np.uint32) for n in (3, 1, 1))
    built = recording.build(x, count, flag, which)
    built()
    np.testing.assert_array_equal(x, (8 + 0.5) * 100)
    x[:], count[0], flag[0], which[0] = 1, 5, 0, 0
    built()
    np.testing.assert_array_equal(x, (32 - 0.5) * 10)
    x[:], which[0] = 1, 7  # no such arm
    built()
    np.testing.assert_array_equal(x, 32 - 0.5)


def test_while_reads_its_cell_after_each_iteration():
    left = np.array([5], np.uint32)
    ran = np.zeros(1)

    @hawk.kernel
    def count_one(n: Mutable[Scalar]):
        n = n + 1

    calls = []

    @eagle.graph
    def recording(g, left, ran):
        with g.while_(left, cap=3) as loop:
            count_one(ran)
            assert loop.iteration.dtype == "uint32"
        g.host(lambda: calls.append(ran_array[0]), reads=[ran])

    ran_array = ran
    recording.build(left, ran)()
    assert calls == [3.0]


def test_forks_run_their_branches():
    x, y, z = np.ones(3), np.zeros(3), np.zeros(3)

    @eagle.graph
    def recording(g, x, y, z):
        with g.fork() as f:
            with f.branch("left"):
                scale(x, 2.0, 0.0, out=y)
            with f.branch("right"):
                scale(x, 3.0, 0.0, out=z)

    built = recording.build(x, y, z)
    built()
    np.testing.assert_array_equal(y, 2.0)
    np.testing.assert_array_equal(z, 3.0)
    assert built.edges() == []


def test_branches_that_race_are_refused():
    x, y = np.ones(3), np.zeros(3)

    @eagle.graph
    def recording(g, x, y):
        with g.fork() as f:
            with f.branch():
                g.fill(y, 1.0, name="first")
            with f.branch():
                g.fill(y, 2.0, name="second")

    with pytest.raises(ValueError, match=r"first.*second|second.*first") as refusal:
        recording.build(x, y)
    assert "test_graph.py" in str(refusal.value)


def test_reductions_and_compaction():
    x = np.array([3.0, -1.0, 7.0, 2.0])
    mask = np.array([True, False, True, True])

    @eagle.graph
    def recording(g, x, mask):
        kept, count = g.compact(mask)
        return {fold: g.reduce(fold, x) for fold in ("sum", "max", "min")} | {"kept": kept, "count": count}

    made = recording.build(x, mask)()
    assert {fold: made[fold][0] for fold in ("sum", "max", "min")} == {"sum": 11.0, "max": 7.0, "min": -1.0}
    assert made["count"][0] == 3
    np.testing.assert_array_equal(made["kept"][:3], [0, 2, 3])


def test_host_functions_raise_at_the_launch():
    def explode():
        raise LookupError("the sensor is gone")

    @eagle.graph
    def recording(g, x):
        g.host(explode, reads=[x])

    built = recording.build(np.ones(2))
    with pytest.raises(LookupError, match="the sensor is gone"):
        built()
    with pytest.raises(LookupError):  # again, and nothing hangs
        built()


def test_nodes_can_be_left_out():
    x = np.zeros(2)

    @eagle.graph
    def recording(g, x):
        g.fill(x, 1.0, name="first")
        return g.fill(x, 2.0, name="second") and None

    built = recording.build(x)
    built.set_enabled("second", False)()
    np.testing.assert_array_equal(x, 1.0)
    built.set_enabled("second", True)()
    np.testing.assert_array_equal(x, 2.0)
    with pytest.raises(TypeError, match="third"):
        built.set_enabled("third", False)


def test_a_built_graph_as_a_node_of_another():
    x, y = np.arange(3.0), np.zeros(3)

    @eagle.graph
    def inner(g, x, y):
        scale(x, 2.0, 1.0, out=y)

    built = inner.build(x, y)

    @eagle.graph
    def outer(g, x, y):
        g.child(built)
        grow(y, 10.0)

    whole = outer.build(x, y)
    whole()
    np.testing.assert_array_equal(y, (2 * x + 1) * 10)
    with pytest.raises(ValueError, match="a child graph keeps the arrays"):
        whole.bind(x=np.ones(3))
    with pytest.raises(ValueError, match="a child graph keeps the arrays"):
        whole.bind(y=np.ones(3))


def test_launch_of_plans_and_named_outputs():
    x = np.arange(3.0)
    plan = eagle.deploy(scale)

    @eagle.graph
    def recording(g, x):
        return g.launch(plan, x=x, a=4.0, b=0.0, name="quadruple")

    built = recording.build(x)
    np.testing.assert_array_equal(built.launch(3)(), 4 * x)
    assert [node["name"] for node in built.nodes()] == ["quadruple"]
    assert "test_graph.py" in built.nodes()[0]["where"]


def test_reports():
    built = chain.build(np.arange(100.0), 2.0)
    built()
    built.update(a=3.0)()
    assert built.report()["launches"] == 2
    assert built.report()["captured"] == 1
    assert built.memory_report()["arena"] >= 1600
    assert built.backend == "cpu"
    assert built.edges() == [("scale", "square", "read after write", ("scale.out",))]


@pytest.mark.parametrize(
    ("use", "word"),
    [
        (lambda g, x: bool(x), r"g\.if_"),
        (lambda g, x: list(x), r"g\.repeat"),
        (lambda g, x: np.asarray(x), r"g\.host"),
        (lambda g, x: np.sin(x), r"g\.host"),
        (lambda g, x: x + 1, "call a kernel"),
        (lambda g, x: x == 1, r"g\.if_"),
        (lambda g, x: float(x), r"g\.host"),
        (lambda g, x: x.__setitem__(0, 1.0), r"g\.fill"),
        (lambda g, x: x["a"], "integers, slices"),
        (lambda g, x: g.fill(1.0, 1.0), "plane of the graph or an array"),
        (lambda g, x: g.host(3), "needs a function"),
        (lambda g, x: g.child(3), r"Graph\.build"),
        (lambda g, x: 3, "may return planes"),
        (lambda g, x: scale(x, 1.0), "b"),
    ],
)
def test_misuse_names_the_right_call(use, word):
    with pytest.raises(TypeError, match=word):
        eagle.graph(use).build(np.ones(3))


def test_what_arrays_have_and_planes_have_not():
    def recording(g, x):
        with pytest.raises(AttributeError, match=r"`sum` of an array; call g\.reduce\(\"sum\", x\), or read it after"):
            x.sum()
        with pytest.raises(AttributeError, match=r"`tolist` of an array; read it after a replay, or inside a host"):
            x.tolist()
        with pytest.raises(AttributeError, match="'Plane' object has no attribute 'no_such'"):
            x.no_such  # noqa: B018
        return scale(x, 1.0, 0.0)

    eagle.graph(recording).build(np.ones(3))


@pytest.mark.parametrize(
    ("use", "so"),
    [
        (lambda x: x[0], "it cannot be indexed"),
        (lambda x: float(x), "it is no Python number"),
        (lambda x: np.sum(x), "it is no array for NumPy"),
        (lambda x: x.sum(), "it has no `sum` of an array"),
        (lambda x: x + 1, "Python's operators cannot compute with it"),
    ],
)
def test_a_host_function_that_names_the_parameter_is_told_what_to_name(use, so):
    def recording(g, x):
        g.host(lambda: use(x), reads=[x])

    built = eagle.graph(recording).build(np.ones(3))
    words = (
        f"plane 'x' stands for an array in the recording and has no value in a host function either, so {so}.*; use "
        "the array itself there, by a name that is not the recording's: the one that build"
    )
    with pytest.raises((TypeError, AttributeError), match=words):
        built()


def test_numbers_have_no_value_while_recording():
    @eagle.graph
    def recording(g, x, a):
        with pytest.raises(TypeError, match="fixed at the build"):
            a * 2
        with pytest.raises(TypeError, match="decided once"):
            bool(a)
        assert float(a) == 2.5
        return scale(x, a, float(a))

    np.testing.assert_array_equal(recording.build(np.ones(2), 2.5)(), 5.0)


def test_misuse_of_graphs():
    with pytest.raises(TypeError, match=r"chain\.build"):
        chain(np.ones(2), 1.0)
    with pytest.raises(TypeError, match="first argument"):
        eagle.graph(lambda: None)
    built = chain.build(np.ones(2), 1.0)
    with pytest.raises(TypeError, match=r"bind\(x=\.\.\.\)"):
        built(np.ones(2))
    with pytest.raises(TypeError, match="no_such"):
        built.update(no_such=1.0)
    with pytest.raises(TypeError, match="no_such"):
        built.bind(no_such=np.ones(2))
    with pytest.raises(ValueError, match="x"):
        built.bind(x=np.ones(3))
    with pytest.raises(ValueError, match="n is 0"):
        built.launch(0)
    with pytest.raises(TypeError, match="no_such"):
        built.update(a=5.0, no_such=1.0)
    with pytest.raises(TypeError, match="'a'"):
        built.update(a="5")
    np.testing.assert_array_equal(built(), 4.0)  # none of it changed anything
    assert built.numbers == {"a": 1.0}


def test_empty_bodies_and_graphs_are_refused():
    @eagle.graph
    def empty(g, x):
        with g.repeat(3):
            pass

    with pytest.raises(ValueError, match="empty"):
        empty.build(np.ones(2))
    with pytest.raises(ValueError, match="no node"):
        eagle.graph(lambda g, x: None).build(np.ones(2))


def test_kernels_run_again_after_a_recording_that_failed():
    @eagle.graph
    def failing(g, x):
        scale(x, 1.0, 1.0)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        failing.build(np.ones(2))
    np.testing.assert_array_equal(scale(np.ones(2), 2.0, 1.0), 3.0)


def test_results_outlive_their_graph_and_arrays_live_with_it():
    x = np.arange(3.0)
    alive = weakref.ref(x)
    built = chain.build(x, 2.0)
    del x
    gc.collect()
    assert alive() is not None
    y = built()
    del built
    gc.collect()
    np.testing.assert_array_equal(y, [1.0, 9.0, 25.0])


def test_a_graph_whose_host_function_refers_to_it_is_collected():
    class Token:
        count = 0

    def make() -> "weakref.ref[Token]":
        token, box = Token(), []

        def note():
            token.count += len(box)

        @eagle.graph
        def recording(g, x):
            g.host(note, reads=[x])

        box.append(recording.build(np.ones(2)))
        box[0]()
        assert token.count == 1
        return weakref.ref(token)

    alive = make()
    gc.collect()
    assert alive() is None


def test_pictures_hold_every_node_and_plane(capsys):
    @eagle.graph
    def recording(g, x, count):
        with g.repeat(3, limit=count):
            grow(x, 2.0)
        return scale(x, 1.0, 1.0)

    built = recording.build(np.ones(2), np.ones(1, np.uint32))
    assert built.show() is None
    text = capsys.readouterr().out
    for picture in (text, built.to_dot(), built.to_mermaid(), built.to_svg()):
        for word in ("grow", "scale", "repeat", "x"):
            assert word in picture
    assert built._repr_svg_().startswith("<svg")
    assert built.to_dot().startswith("digraph")


def test_an_index_of_a_kernel_decides():
    @hawk.kernel
    def halve(n: Mutable[Index]):
        n = n // 2

    n, turns = np.array([40], np.int64), np.zeros(1)

    @eagle.graph
    def recording(g, n, turns):
        with g.while_(n, cap=100):
            halve(n)
            shift(turns, 1.0)

    recording.build(n, turns)()
    assert (n[0], turns[0]) == (0, 6.0)  # 40, 20, 10, 5, 2, 1


def test_cells_of_other_types_are_refused():
    with pytest.raises(ValueError, match="one int64"):
        eagle.graph(lambda g, x: g.if_(x)).build(np.ones(1))
    with pytest.raises(ValueError, match="one uint32"):
        eagle.graph(lambda g, x: g.if_(x)).build(np.ones(2, np.int64))
