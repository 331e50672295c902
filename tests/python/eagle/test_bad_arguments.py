"""Arguments that a call cannot take: the class of the error, the words that matter, and nothing touched."""

import gc

import numpy as np
import pytest
from eagle_kernels import add_in_place, countdown, quotient, scale, turn

import eagle

N = 8


def good():
    return {"x": np.arange(float(N)), "y": np.ones(N), "a": 2.0, "out": np.full(N, 9.0)}


def readonly():
    array = np.full(N, 9.0)
    array.flags.writeable = False
    return array


def shared():
    block = np.arange(2.0 * N)
    return {"x": block[:N], "out": block[4 : 4 + N]}


# What is wrong, the class of the error, and what its text must hold. Each is refused by run and by bind.
CASES = {
    "missing": ({"y": None}, TypeError, ["'y'", "scale"]),
    "unknown": ({"z": np.ones(N)}, TypeError, ["'z'", "scale"]),
    "supplied": ({"__control": np.zeros(8, np.int64)}, TypeError, ["'__control'"]),
    "short": ({"y": np.ones(N - 1)}, eagle.LayoutError, ["'y'", "7", "8"]),
    "long": ({"y": np.ones(N + 1)}, eagle.LayoutError, ["'y'", "9", "8"]),
    "dimensions": ({"y": np.ones((2, 2, N))}, eagle.LayoutError, ["'y'"]),
    "complex": ({"x": np.ones(N, complex)}, eagle.BufferRefused, ["'x'", "complex128", "float64"]),
    "object": ({"x": np.array([1.0] * N, object)}, ValueError, ["'x'", "object", "float64"]),
    "text": ({"x": "many"}, TypeError, ["'x'", "str"]),
    "byte order": ({"x": np.arange(N, dtype=">f8")}, eagle.BufferRefused, ["'x'", "big-endian", "float64"]),
    "read-only": ({"out": readonly()}, eagle.BufferRefused, ["'out'", "read-only"]),
    "overlap": (shared(), eagle.BufferRefused, ["'x'", "'out'", "shares memory"]),
    "stride 0": (
        {"out": np.lib.stride_tricks.as_strided(np.zeros(1), (N,), (0,))},
        eagle.LayoutError,
        ["'out'", "stride"],
    ),
    "backwards": ({"out": np.zeros(N)[::-1]}, eagle.LayoutError, ["'out'", "stride"]),
    "array for a number": ({"a": np.ones(N)}, TypeError, ["'a'"]),
    "complex number": ({"a": 1j}, ValueError, ["'a'", "complex"]),
    "masked array": ({"x": np.ma.masked_array(np.ones(N), np.ones(N, bool))}, eagle.BufferRefused, ["'x'", "filled"]),
    "other dtype out": ({"out": np.zeros(N, np.int64)}, eagle.BufferRefused, ["'out'", "int64", "float64"]),
}


@pytest.mark.parametrize("how", ["run", "bind"])
@pytest.mark.parametrize("name", CASES)
def test_refused(name, how):
    changes, error, words = CASES[name]
    arguments = {key: value for key, value in {**good(), **changes}.items() if value is not None}
    before = {key: np.copy(value) for key, value in arguments.items() if isinstance(value, np.ndarray)}
    plan = eagle.deploy(scale)
    with pytest.raises(error) as caught:
        getattr(plan, how)(**arguments)
    missing = [word for word in words if word not in str(caught.value)]
    assert not missing, f"{missing} not in {caught.value}"
    for key, value in before.items():
        np.testing.assert_array_equal(arguments[key], value)


def test_every_kind_of_integer_is_converted_by_run_and_refused_by_bind():
    plan = eagle.deploy(scale)
    for dtype in (np.int8, np.int16, np.int32, np.uint8, np.uint16, np.uint32, np.int64, np.float32):
        arguments = {**good(), "x": np.arange(N, dtype=dtype)}
        with pytest.warns(eagle.PerformanceWarning, match="'x'") as told:
            plan.run(**arguments)
        assert np.dtype(dtype).name in str(told[0].message)
        np.testing.assert_array_equal(arguments["out"], 2.0 * np.arange(N) + 1)
        with pytest.raises(eagle.BufferRefused) as caught:
            plan.bind(**arguments)
        assert all(word in str(caught.value) for word in ("'x'", np.dtype(dtype).name, "float64"))


def test_an_integer_that_does_not_survive_is_refused_naming_its_index():
    x = np.zeros(N, np.int64)
    x[5] = 2**53 + 1
    with pytest.raises(ValueError) as caught:
        eagle.deploy(scale).run(**{**good(), "x": x})
    assert "'x'" in str(caught.value)
    assert "5" in str(caught.value)


def test_a_list_for_a_plane_that_is_written_is_refused():
    with pytest.raises(TypeError, match="'total'"):
        eagle.deploy(add_in_place).run(total=[1.0, 2.0], x=[1.0, 1.0])


def test_bind_takes_no_lists():
    with pytest.raises(TypeError, match="'x'"):
        eagle.deploy(scale).bind(**{**good(), "x": [1.0] * N})


def test_the_plane_that_disagrees_with_the_majority_is_named():
    with pytest.raises(eagle.LayoutError, match="'q'"):
        eagle.deploy(turn).run(p=np.ones((2, 5)), q=np.ones(4), out=np.ones((2, 5)))


def test_positional_arguments_are_refused():
    with pytest.raises(
        TypeError, match="1 argument is given without a name; kernel 'scale' takes its arguments by name: out=, x="
    ):
        eagle.deploy(scale).run(np.ones(3))


def test_an_array_on_another_device_is_refused_by_its_kind():
    class OnDevice:
        @property
        def __cuda_array_interface__(self):
            return {"shape": (N,), "typestr": "<f8", "data": (4096, False), "version": 3}

    with pytest.raises(eagle.BackendUnavailable) as caught:
        eagle.deploy(scale).run(**{**good(), "x": OnDevice()})
    for words in (
        "'x'",
        "scale",
        "is on device cuda:0",
        "no backend of kind 'cuda' is installed (installed: cpu)",
        "libeagle_cuda.so",
    ):
        assert words in str(caught.value)


def test_an_integer_division_by_zero_names_the_lowest_sample():
    a, b = np.arange(100), np.ones(100, np.int64)
    b[[40, 70]] = 0
    out = np.full(100, -1)
    with pytest.raises(ZeroDivisionError) as caught:
        eagle.deploy(quotient).run(a=a, b=b, out=out)
    assert "quotient" in str(caught.value)
    assert "40" in str(caught.value)
    live = b != 0
    np.testing.assert_array_equal(out[live], a[live])


def test_the_overflowing_quotient_is_an_overflow():
    with pytest.raises(OverflowError, match="quotient"):
        eagle.deploy(quotient).run(a=np.array([-(2**63)]), b=np.array([-1]))


def test_simulate_refuses_what_run_refuses():
    ticks = np.zeros(4)
    with pytest.raises(eagle.LayoutError, match="'left'"):
        eagle.simulate(countdown, max_steps=5, left=np.ones(3), ticks=ticks, terminated=np.zeros(4, bool))
    with pytest.raises(TypeError, match="'left'"):
        eagle.simulate(countdown, max_steps=5, left=[1.0] * 4, ticks=ticks)
    with pytest.raises(TypeError, match="'nothing'"):
        eagle.simulate(countdown, max_steps=5, left=np.ones(4), ticks=ticks, nothing=1.0)
    with pytest.raises(TypeError, match="'left'"):
        eagle.simulate(countdown, max_steps=5, ticks=ticks)
    assert not ticks.any()


@pytest.mark.parametrize(
    ("kind", "calls", "made_by"),
    [
        (eagle.Plan, ["run", "bind"], r"eagle\.plan\(\) or eagle\.deploy\(\)"),
        (eagle.BoundPlan, ["launch", "rebind"], r"Plan\.bind\(\)"),
    ],
)
def test_what_no_constructor_made_is_refused(kind, calls, made_by):
    unmade = kind.__new__(kind)
    for call in calls:
        with pytest.raises(
            eagle.BadHandle, match=rf"this {kind.__name__} was not made; it needs what {made_by} returns"
        ):
            getattr(unmade, call)()


@pytest.mark.parametrize("kind", [eagle._core.Simulation, eagle._core.ActiveSet, eagle._core.BuiltGraph])
def test_what_no_constructor_made_is_collected(kind):
    class Child(kind):
        def __init__(self):
            self.self = self
            raise ValueError("before the constructor")

    with pytest.raises(ValueError, match="before the constructor"):
        Child()
    assert gc.collect() > 0


def test_an_array_for_a_number_of_all_samples_is_told_both_ways_out():
    with pytest.raises(TypeError, match=r"a uniform needs a number, one for all samples: .* or declare it per sample"):
        eagle.deploy(scale).run(x=np.ones(3), y=np.ones(3), a=np.ones(3))


def test_a_structure_and_a_backend_that_are_none():
    with pytest.raises(
        TypeError, match=r"structure is 'threads' \(str\); .*HostTeam, .*DeviceKernel or .*RankPartition"
    ):
        eagle.plan(scale, structure="threads")
    with pytest.raises(TypeError, match=r"backend is 3 \(int\); it must be a str"):
        eagle.deploy(scale, backend=3)


def test_a_path_that_is_no_artifact_says_what_one_is(tmp_path):
    with pytest.raises(
        RuntimeError, match=r"an artifact is a folder with manifest.json in it, such as hawk.build writes"
    ):
        eagle.deploy(tmp_path / "nowhere")
