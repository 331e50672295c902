"""What a recording refuses, in words that name the option or the plane, what was found and what is needed."""

import numpy as np
import pytest
from graph_kernels import grow, scale, shift

import eagle
import hawk
from hawk import Index, Mutable


@hawk.kernel
def note(n: Index, out: Mutable[Index]):
    out = n


def recorded(recording, *arrays):
    return eagle.graph(recording).build(*(arrays or (np.ones(8),)))


def test_a_body_that_an_exception_left_is_refused():
    def recording(g, x):
        flag = g.cell()
        g.fill(flag, 1)
        try:
            with g.if_(flag) as branch, branch.then:
                grow(x, 2.0)
                raise RuntimeError("in the middle")
        except RuntimeError:
            pass
        shift(x, 1.0)

    with pytest.raises(
        ValueError, match=r"refusals\.py:\d+: the then of node 'if' \(.*\) was left by an exception, so"
    ):
        recorded(recording)


@pytest.mark.parametrize("what", ["if", "switch", "fork"])
def test_a_block_that_an_exception_left_between_two_bodies_is_refused(what):
    def recording(g, x):
        flag = g.cell()
        g.fill(flag, 1)
        opened = {"if": lambda: g.if_(flag), "switch": lambda: g.switch(flag, 1), "fork": g.fork}[what]()
        try:
            with opened as block:
                with {"if": lambda: block.then, "switch": lambda: block[0], "fork": lambda: block.branch()}[what]():
                    grow(x, 2.0)
                raise RuntimeError("in the middle")
        except RuntimeError:
            pass

    with pytest.raises(ValueError, match=rf"the `with` block of an? {what} \(.*refusals\.py:\d+\) was left by an"):
        recorded(recording)


def test_an_exception_that_is_caught_inside_a_body_is_the_users_affair():
    def recording(g, x):
        with g.repeat(3):
            try:
                g.fill(x, "much")
            except TypeError:
                shift(x, 1.0)

    x = np.zeros(8)
    recorded(recording, x)()
    assert x.tolist() == [3.0] * 8


def test_scratch_that_was_written_in_part_is_refused():
    def recording(g, x):
        s = g.scratch(8, name="s")
        g.fill(s[:4], 1.0)
        g.copy(s, into=x)

    with pytest.raises(ValueError, match=r"node 'copy' reads plane 's' .* before any node wrote elements 4 to 7 of it"):
        recorded(recording)


def test_scratch_of_a_branch_that_may_not_be_taken_is_refused():
    def recording(g, x, take):
        flag = g.cell(name="flag")
        g.copy(take, into=flag)
        s = g.scratch(8, name="s")
        with g.if_(flag) as branch, branch.then:
            g.fill(s, 1.0)
        g.copy(s, into=x)

    with pytest.raises(
        ValueError, match=r"reads plane 's' .*, which node 'fill' .* writes only where the then of node"
    ):
        recorded(recording, np.ones(8), np.ones(1, np.uint32))


def test_a_result_of_a_branch_that_may_not_be_taken_is_refused():
    def recording(g, x, take):
        with g.if_(take) as branch, branch.then:
            y = scale(x, 2.0, 0.0)
        return y

    with pytest.raises(
        ValueError, match=r"is a result of the graph, and node 'scale' .* writes only where the then of"
    ):
        recorded(recording, np.ones(8), np.ones(1, np.uint32))


ODD = {
    "cap": (lambda g, x, c: g.while_(c, cap="3").__enter__(), TypeError, r"^cap is '3' \(str\); it must be a whole"),
    "cap below 0": (
        lambda g, x, c: g.while_(c, cap=-1).__enter__(),
        ValueError,
        "^cap is -1; it must be a whole number from 1",
    ),
    "cap of 0": (
        lambda g, x, c: g.while_(c, cap=0).__enter__(),
        ValueError,
        "^cap is 0; it must be a whole number from 1",
    ),
    "count": (lambda g, x, c: g.repeat(2.5).__enter__(), ValueError, "^count is 2.5; it must be a whole number from 1"),
    "arms": (lambda g, x, c: g.switch(c, None), TypeError, r"^arms is None \(NoneType\); it must be a whole number"),
    "arm": (
        lambda g, x, c: g.switch(c, 2)["a"].__enter__(),
        TypeError,
        r"^the number of an arm is 'a' \(str\); it must be a whole",
    ),
    "negate": (lambda g, x, c: g.if_(c, negate="no"), TypeError, r"^negate is 'no' \(str\); it must be True or False"),
    "negate None": (lambda g, x, c: g.if_(c, negate=None), TypeError, r"^negate is None \(NoneType\); it must be True"),
    "drop": (lambda g, x, c: g.compact(np.ones(3, bool), drop=1), TypeError, r"^drop is 1 \(int\); it must be True or"),
    "value": (lambda g, x, c: g.fill(x, None), TypeError, "^value is None; it must be an int or a float"),
    "complex": (
        lambda g, x, c: g.fill(x, 1j),
        ValueError,
        "^value is 1j, a complex number; it must be an int or a float",
    ),
    "value of many bits": (
        lambda g, x, c: g.fill(x, 2**70),
        ValueError,
        "^value is 1180591620717411303424, an integer outside 64 bits; it must be from .*: give a float",
    ),
    "name": (lambda g, x, c: g.fill(x, 1.0, name=5), TypeError, r"^name is 5 \(int\); it must be a str"),
    "name of an if": (lambda g, x, c: g.if_(c, name=b"x"), TypeError, r"^name is b'x' \(bytes\); it must be a str"),
    "name of scratch": (lambda g, x, c: g.scratch(3, name=5), TypeError, r"^name is 5 \(int\); it must be a str"),
    "name of a branch": (
        lambda g, x, c: g.fork().branch(7).__enter__(),
        TypeError,
        r"^name is 7 \(int\); it must be a",
    ),
    "fold": (lambda g, x, c: g.reduce(None, x), ValueError, "^fold is ''; it must be sum, max, min or all"),
    "fold of an int": (lambda g, x, c: g.reduce(5, x), TypeError, r"^fold is 5 \(int\); it must be a str"),
}


@pytest.mark.parametrize("odd", ODD)
def test_odd_options_are_refused_by_name(odd):
    call, error, words = ODD[odd]

    def recording(g, x, c):
        with pytest.raises(error, match=words):
            call(g, x, c)
        raise KeyError("seen")

    with pytest.raises(KeyError, match="seen"):
        recorded(recording, np.ones(8), np.ones(1, np.uint32))


def test_a_kind_that_is_no_word_is_refused():
    with pytest.raises(TypeError, match=r"^backend is 5 \(int\); it must be a str"):
        eagle.graph(lambda g, x: grow(x, 1.0)).build(np.ones(2), backend=5)


def test_a_number_is_no_count_of_a_loop():
    words = (
        r"^count is <number 'n' \(3\), .*>, and how often .*; it needs int\(n\) for today's value, or limit=cell with"
    )
    for call, parameter in ((lambda g, x, n: g.repeat(n), "count"), (lambda g, x, n: g.while_(x, cap=n), "cap")):
        with pytest.raises(TypeError, match=words.replace("count", parameter)):
            eagle.graph(call).build(np.ones(1, np.uint32), 3)


def test_a_cell_for_a_kernel_is_refused_and_widened():
    with pytest.raises(
        ValueError, match=r"was given the cell plane 'c' .* as 'n', and a kernel takes no uint32; it needs what widen\("
    ):
        eagle.graph(lambda g, c, out: note(c, out)).build(np.ones(1, np.uint32), np.zeros(1, np.int64))

    def recording(g, last, first):
        count = g.cell()
        g.fill(count, 4_000_000_000)
        note(g.widen(count), first)
        with g.repeat(5) as loop:
            note(g.widen(loop.iteration), last)

    last, first = np.full(1, -1, np.int64), np.full(1, -1, np.int64)
    eagle.graph(recording).build(last, first)()
    assert (last.tolist(), first.tolist()) == ([4], [4_000_000_000])


def test_a_compaction_counts_into_an_index():
    def recording(g, mask, out):
        _, count = g.compact(mask, count=g.scratch(1, "int64"))
        note(count, out)

    out = np.full(1, -1, np.int64)
    eagle.graph(recording).build(np.array([True, False, True]), out)()
    assert out.tolist() == [2]


def test_kernels_of_a_host_function_run_also_inside_another_recording():
    seen = np.zeros(2)

    def work():
        shift(seen, 1.0)
        seen[:] += scale(seen, 0.0, 2.0)

    inner = eagle.graph(lambda g, x: g.host(work, reads=[x]) and None).build(np.ones(2))

    def recording(g, x):
        inner()
        shift(x, 1.0)

    built = eagle.graph(recording).build(np.zeros(2))
    assert seen.tolist() == [3.0, 3.0]
    assert [node["kind"] for node in built.nodes()] == ["launch"]


def test_messages_name_the_python_call():
    built = recorded(lambda g, x: grow(x, 2.0))
    with pytest.raises(TypeError, match=r"in Python as a number given to build\(\)"):
        built.update(rate=3.0)
    with pytest.raises(ValueError, match=r"in Python with plane\[i:i \+ 1\]"):
        recorded(lambda g, x: g.if_(x), np.ones(8, np.int64))


@hawk.kernel
def double(at: Index, out: Mutable[Index]):
    out = 2 * at


def test_indices_of_a_compaction_are_widened_by_a_host_function():
    mask = np.array([False, True, True, False])
    words = (
        r"was given plane 'kept of mask' \(int32\[4\].*\) as 'at', and the kernel takes int64 there; nothing in a "
        "graph converts: copy it to an int32 array of the host, widen that into an int64 array in a host function, and"
    )
    with pytest.raises(eagle.BufferRefused, match=words):
        eagle.graph(lambda g, mask, out: double(g.compact(mask)[0], out)).build(mask, np.zeros(4, np.int64))
    narrow, wide, out = np.zeros(4, np.int32), np.zeros(4, np.int64), np.zeros(4, np.int64)

    def recording(g, mask):
        indices = g.scratch(4, "int32")
        g.fill(indices, 0)
        g.compact(mask, into=indices)
        g.copy(indices, into=narrow)
        g.host(lambda: np.copyto(wide, narrow), reads=[narrow], writes=[wide])
        double(wide, out)

    eagle.graph(recording).build(mask)()
    assert out.tolist() == [2, 4, 0, 0]


def test_a_number_that_no_node_uses():
    def two(g, x, a, b):
        grow(x, b)

    x = np.ones(2)
    built = eagle.graph(two).build(x, 1.0, 2.0)
    words = "no node of graph 'two' uses a number 'a', so that there is none to update; its numbers are 'b': record one"
    with pytest.raises(TypeError, match=words):
        built.update(a=3.0)
    with pytest.raises(TypeError, match=r"'x' is a plane of graph 'two', and update\(\) takes numbers; give an array"):
        built.update(x=3.0)
    with pytest.raises(TypeError, match="so that there is none to update; its nodes use no number that has a name"):
        recorded(lambda g, x: grow(x, 2.0)).update(c=3.0)
    built.update(b=3.0)()
    assert x.tolist() == [3.0, 3.0]


def test_a_graph_that_calls_itself_is_busy():
    said = []

    def again():
        try:
            built()
        except eagle.Busy as error:
            said.append(str(error))

    built = recorded(lambda g, x: g.host(again, reads=[x]) and None)
    built()
    assert said == [
        "this graph is running already, and serves one caller at a time; wait for it, make one for each thread, and "
        "do not enter it from a function that it calls"
    ]


def test_a_loop_that_is_entered_again_is_refused_before_anything_is_begun():
    def recording(g, x):
        with g.repeat(3) as loop:
            grow(x, 2.0)
        with pytest.raises(
            ValueError,
            match=r"^this loop was recorded already \(.*refusals\.py:\d+\); make another one for more work: `with g",
        ):
            loop.__enter__()
        shift(x, 1.0)

    x = np.ones(8)
    recorded(recording, x)()
    assert x.tolist() == [9.0] * 8  # 1 * 2 * 2 * 2, and 1 added once


@pytest.mark.parametrize("what", ["if", "switch", "fork"])
def test_a_block_that_is_entered_again_is_refused(what):
    def recording(g, x, c):
        opened = {"if": lambda: g.if_(c), "switch": lambda: g.switch(c, 1), "fork": g.fork}[what]()
        bodies = {"if": lambda o: o.then, "switch": lambda o: o[0], "fork": lambda o: o.branch()}
        with opened as block, bodies[what](block):
            grow(x, 2.0)
        words = rf"^this {what} was recorded already \(.*refusals\.py:\d+\); make another one for more work: `with g\."
        with pytest.raises(ValueError, match=words):
            opened.__enter__()

    recorded(recording, np.ones(8), np.ones(1, np.uint32))


INDICES = {
    "an array": lambda x: x[np.array([1, 2])],
    "an array after `...`": lambda x: x[..., np.array([1, 2])],
    "a mask": lambda x: x[np.ones(8, bool)],
    "a plane": lambda x: x[x],
    "a list": lambda x: x[[1, 2]],
}


@pytest.mark.parametrize("index", INDICES)
def test_an_index_of_many_elements_is_refused(index):
    with pytest.raises(
        TypeError, match=r"(?s)^plane 'x' is indexed with .*; it takes integers, slices and `...`: gath"
    ):
        eagle.graph(lambda g, x: INDICES[index](x)).build(np.ones(8))


def test_a_backend_with_a_device_is_refused():
    with pytest.raises(
        ValueError,
        match=r"^backend is 'sim:1'; it takes a kind without a device: a graph runs where its planes lie, so",
    ):
        eagle.graph(lambda g, x: grow(x, 1.0)).build(np.ones(2), backend="sim:1")


@pytest.mark.parametrize("view", [False, True])
def test_a_loop_whose_stop_is_its_guard_is_refused(view):
    def recording(g, x, c):
        with g.while_(c, cap=3, stop=c[:] if view else c):
            grow(x, 2.0)

    words = (
        r"node 'while' has plane 'c.* as its stop and its guard, and a stop is 0 before the first iteration; it needs"
    )
    with pytest.raises(ValueError, match=words):
        recorded(recording, np.ones(8), np.ones(1, np.uint32))


def test_arrays_that_begin_or_cease_to_share_memory_are_told_what_works():
    x, y, one = np.full(4, 3.0), np.zeros(4), np.ones(4)

    def recording(g, x, y):
        g.copy(x, into=y)

    built = recorded(recording, x, y)
    with pytest.raises(
        ValueError, match=r"build the graph anew with these arrays, or bind both to arrays that lie apart$"
    ):
        built.bind(x=one, y=one)
    with pytest.raises(ValueError, match=r"or bind both to arrays that lie apart$"):
        built.bind(x=y)
    built.bind(x=y, y=one)()
    assert one.tolist() == [0.0] * 4

    def over(g, x, y):
        grow(x, 2.0)
        grow(y, 2.0)

    whole, other = np.ones(6), np.ones(6)
    built = recorded(over, whole[:4], whole[2:])
    with pytest.raises(ValueError, match=r"or bind both to arrays that share memory as the old ones did$"):
        built.bind(x=one)
    built.bind(x=other[:4], y=other[2:])()
    assert other.tolist() == [2.0, 2.0, 4.0, 4.0, 2.0, 2.0]


def test_a_call_that_leaves_an_argument_out_names_the_line_the_kernel_and_what_it_takes():
    with pytest.raises(TypeError) as caught:
        recorded(lambda g, x: scale(x, 2.0))
    line = test_a_call_that_leaves_an_argument_out_names_the_line_the_kernel_and_what_it_takes.__code__.co_firstlineno
    said = f"{__file__}:{line + 2}: call of kernel 'scale': missing a required argument: 'b'; it takes x, a, b, out"
    assert str(caught.value).startswith(said)


def test_a_build_that_leaves_an_argument_out_says_what_it_takes():
    @eagle.graph
    def chain(g, x, a):
        grow(x, a)

    with pytest.raises(
        TypeError, match=r"build\(\) of graph 'chain': missing a required argument: 'a'; it takes x, a$"
    ):
        chain.build(np.ones(3))


def test_what_is_no_array_is_told_in_one_line():
    long = list(range(1000))
    with pytest.raises(TypeError, match=r"is of type list; it must be an array, as numpy.asarray makes of a list"):
        recorded(lambda g, x: grow(long, 2.0))
    with pytest.raises(TypeError, match=r"is \[1.0\] \(list\); it must be an array"):
        recorded(lambda g, x: grow([1.0], 2.0))
    built = eagle.graph(lambda g, x, rate: grow(x, rate)).build(np.ones(8), 2.0)
    with pytest.raises(TypeError, match=r"number 'rate' is of type ndarray; update.. takes numbers, bind.. arrays"):
        built.update(rate=np.ones(1000))


def test_a_result_that_is_called_what_it_is_stands_once_in_the_picture():
    built = eagle.graph(lambda g, x: g.reduce("sum", x)).build(np.ones(8))
    assert "sum of x" in built.to_dot() and "sum of x = sum of x" not in built.to_dot()
