"""Plans on arrays of the simulated device."""

import pickle
import re
import threading

import numpy as np
import pytest
from device_kernels import Foreign, Stream, both, divide, scale, turn, up

import eagle
import hawk

SAMPLES = 10_007
X = np.linspace(-3.0, 5.0, SAMPLES)


def scaled(x, a=2.0, b=1.0):
    return a * x + b


@pytest.mark.parametrize("device", ["sim:0", "sim:1"])
@pytest.mark.parametrize("npartitions", [1, 3])
def test_arrays_decide_where_a_plan_runs(device, npartitions):
    plan = eagle.plan(scale, npartitions=npartitions)
    y = plan.run(x=up(X, device), a=2.0, b=1.0)
    assert isinstance(y, eagle.DeviceArray)
    assert (y.device, y.shape, y.dtype) == (device, (SAMPLES,), np.float64)
    np.testing.assert_array_equal(y.to_host(), scaled(X))
    np.testing.assert_array_equal(plan.run(x=X, a=2.0, b=1.0), scaled(X))  # and the host's on the host


def test_outputs_are_given_or_made():
    x, y, out = up(X), up(X[::-1].copy()), up(np.zeros(SAMPLES))
    assert eagle.deploy(scale).run(x=x, a=2.0, b=1.0, out=out) is out
    np.testing.assert_array_equal(out.to_host(), scaled(X))
    total, difference = eagle.deploy(both).run(x=x, y=y, out=(None, out))
    assert difference is out
    np.testing.assert_array_equal(total.to_host(), X + X[::-1])
    np.testing.assert_array_equal(difference.to_host(), X - X[::-1])


def test_vectors_are_components_first_and_state_changes_in_place():
    p, s = np.arange(2.0 * SAMPLES).reshape(2, SAMPLES), np.full(SAMPLES, 3.0)
    there = up(p)
    plan = eagle.deploy(turn)
    assert plan.run(p=there, s=up(s)) is None
    np.testing.assert_array_equal(there.to_host(), np.stack([-3.0 * p[1], 3.0 * p[0]]))


def test_arrays_may_go_right_after_the_call():
    plan = eagle.deploy(scale)
    for i in range(200):
        x = up(X)
        y = plan.run(x=x, a=float(i), b=1.0)
        del x
        z = plan.run(x=y, a=2.0, b=0.0)
        del y
        plan.run(x=z, a=1.0, b=0.0)  # whose output nobody takes
        np.testing.assert_array_equal(z.to_host(), 2.0 * scaled(X, i))
    plan.synchronize()


def test_a_plan_may_go_right_after_the_call():
    for _ in range(20):
        y = eagle.deploy(scale).run(x=up(X), a=2.0, b=1.0)
        out = up(np.zeros(SAMPLES))
        eagle.deploy(scale).bind(x=y, a=2.0, b=1.0, out=out).launch()
        np.testing.assert_array_equal(out.to_host(), scaled(scaled(X)))


def test_a_bound_plan_is_launched_and_waited_for():
    x, out = up(X), up(np.zeros(SAMPLES))
    bound = eagle.deploy(scale).bind(x=x, a=2.0, b=1.0, out=out)
    assert bound.launch() is bound
    assert bound.synchronize() is bound
    np.testing.assert_array_equal(out.to_host(), scaled(X))
    bound.rebind(a=0.5).launch().launch(stream=None)
    np.testing.assert_array_equal(out.to_host(), scaled(X, 0.5))
    other = up(-X)
    for i in range(50):  # what was bound before may go while its launch is at work
        bound.launch().rebind(x=up(i * X)).launch().rebind(x=other)
        np.testing.assert_array_equal(out.to_host(), scaled(i * X, 0.5))
    assert bound["x"] is other and bound.samples == SAMPLES
    bound.rebind(out=up(np.zeros(SAMPLES))).narrow(10).launch()
    np.testing.assert_array_equal(bound["out"].to_host(), np.append(scaled(-X[:10], 0.5), np.zeros(SAMPLES - 10)))
    with pytest.raises(TypeError, match=r"launch\(\) takes stream= and nothing else"):
        bound.launch(a=3.0)


def test_launches_of_two_plans_are_in_order():
    x, middle, out = up(X), up(np.zeros(SAMPLES)), up(np.zeros(SAMPLES))
    first = eagle.deploy(scale).bind(x=x, a=2.0, b=1.0, out=middle)
    second = eagle.deploy(scale).bind(x=middle, a=1.0, b=1.0, out=out)
    for _ in range(32):
        eagle.copy(np.zeros(SAMPLES), into=middle)
        first.launch()
        second.launch()
        np.testing.assert_array_equal(out.to_host(), scaled(X) + 1.0)


@pytest.mark.parametrize("way", ["run", "bind", "launch", "structure", "object"])
def test_the_work_is_in_the_order_of_the_stream(way):
    source, x, result = up(X), up(np.zeros(SAMPLES)), up(np.zeros(SAMPLES))
    out = up(np.zeros(SAMPLES))
    plan = eagle.deploy(scale)
    zeros = np.zeros(SAMPLES)
    with Stream() as stream, Stream() as other:
        if way == "structure":
            plan = eagle.plan(scale, structure=eagle.exec.DeviceKernel("sim", stream=stream.ptr))
        for _ in range(32):
            for array in (x, out, result):
                eagle.copy(zeros, into=array)
            other.copy(source, into=result)  # of no concern to the others
            other.synchronize()
            stream.copy(source, into=x)
            match way:
                case "run":
                    plan.run(x=x, a=2.0, b=1.0, out=out, stream=stream.ptr)
                case "object":
                    plan.run(x=x, a=2.0, b=1.0, out=out, stream=stream)
                case "structure":
                    plan.run(x=x, a=2.0, b=1.0, out=out)
                case "bind":
                    plan.bind(x=x, a=2.0, b=1.0, out=out, stream=stream.ptr).launch()
                case "launch":
                    plan.bind(x=x, a=2.0, b=1.0, out=out).launch(stream=stream.ptr)
            stream.copy(out, into=result)
            stream.synchronize()
            np.testing.assert_array_equal(result.to_host(), scaled(X))


def test_two_streams_each_have_their_results():
    plan = eagle.deploy(scale)
    with Stream() as one, Stream() as two:
        for i in range(32):
            sources = up(X), up(-X)
            inputs = up(np.zeros(SAMPLES)), up(np.zeros(SAMPLES))
            results = up(np.zeros(SAMPLES)), up(np.zeros(SAMPLES))
            kept = []  # while a stream that eagle does not know uses them
            for stream, source, x, result in zip((one, two), sources, inputs, results, strict=True):
                stream.copy(source, into=x)
                kept.append(plan.run(x=x, a=float(i), b=1.0, stream=stream.ptr))
                stream.copy(kept[-1], into=result)
            for stream in (one, two):
                stream.synchronize()
            np.testing.assert_array_equal(results[0].to_host(), scaled(X, i))
            np.testing.assert_array_equal(results[1].to_host(), scaled(-X, i))


@pytest.mark.parametrize("stream", ["1", 1.5, True, -1, object()])
def test_a_stream_is_a_handle_or_an_object_that_has_one(stream):
    plan = eagle.deploy(scale)
    with pytest.raises(TypeError, match="it needs a raw handle"):
        plan.run(x=up(X), a=1.0, b=1.0, stream=stream)


def test_a_stream_of_nobody_is_refused_by_the_backend():
    with pytest.raises(RuntimeError, match="was released or is none of this backend's"):
        eagle.deploy(scale).run(x=up(X), a=1.0, b=1.0, stream=12345)


def test_arrays_of_other_libraries_come_through_dlpack():
    plan = eagle.deploy(scale)
    x, out = up(X), up(np.zeros(SAMPLES))
    y = plan.run(x=Foreign(x), a=2.0, b=1.0)
    np.testing.assert_array_equal(y.to_host(), scaled(X))
    given = Foreign(out)
    assert plan.run(x=Foreign(x), a=3.0, b=1.0, out=given) is given
    np.testing.assert_array_equal(out.to_host(), scaled(X, 3.0))
    bound = plan.bind(x=Foreign(y), a=1.0, b=0.0, out=out)
    np.testing.assert_array_equal(bound.launch()["out"].to_host(), scaled(X))


class Released(Foreign):
    """Says when its consumer lets go of the memory."""

    def __init__(self, array, held):
        super().__init__(array)
        self._held = held
        held.append(self._array.ptr)

    def __del__(self):
        self._held.pop()


def test_memory_of_other_libraries_is_kept_until_the_work_is_done():
    plan, held = eagle.deploy(scale), []
    for i in range(20):
        y = plan.run(x=Released(up(X), held), a=float(i), b=1.0)
        np.testing.assert_array_equal(y.to_host(), scaled(X, i))
    plan.synchronize()
    assert held == []
    bound = plan.bind(x=Released(up(X), held), a=1.0, b=1.0, out=y)
    bound.launch().synchronize()
    assert len(held) == 1
    bound.rebind(x=up(X)).launch().synchronize()
    assert held == []


def test_threads_share_a_plan():
    plan, wrong = eagle.deploy(scale), []

    def work(number):
        device = f"sim:{number % 2}"
        for i in range(10):
            y = plan.run(x=up(X, device), a=float(number), b=float(i))
            if not (y.to_host() == scaled(X, number, i)).all():
                wrong.append((number, i))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    plan.synchronize()
    assert wrong == []


# ---- where ----


def test_structures():
    device = eagle.exec.DeviceKernel("sim", device=1)
    assert (device.kind, device.device, device.stream) == ("sim", 1, 0)
    assert repr(device) == "DeviceKernel('sim', device=1)"
    assert repr(eagle.exec.DeviceKernel("sim", 0, 77)) == "DeviceKernel('sim', device=0, stream=77)"
    assert device == pickle.loads(pickle.dumps(device)) and hash(device) == hash(eagle.exec.DeviceKernel("sim", 1))
    assert device != eagle.exec.DeviceKernel("sim", 0) and device != "sim:1"
    plan = eagle.plan(scale, structure=device, npartitions=3)
    assert plan.structure == device
    copy = pickle.loads(pickle.dumps(plan))
    assert (copy.structure, copy.npartitions) == (device, 3)
    np.testing.assert_array_equal(copy.run(x=up(X, "sim:1"), a=2.0, b=1.0).to_host(), scaled(X))
    free = pickle.loads(pickle.dumps(eagle.deploy(scale)))
    np.testing.assert_array_equal(free.run(x=up(X, "sim:1"), a=2.0, b=1.0).to_host(), scaled(X))


@pytest.mark.parametrize(
    ("backend", "structure"),
    [
        ("sim", eagle.exec.DeviceKernel("sim")),
        ("sim:1", eagle.exec.DeviceKernel("sim", 1)),
        ("cpu", eagle.exec.HostTeam()),
    ],
)
def test_deploy_on_a_backend(backend, structure):
    plan = eagle.deploy(scale, backend=backend)
    assert plan.structure == structure
    x = X if backend == "cpu" else up(X, backend)
    y = plan.run(x=x, a=2.0, b=1.0)
    np.testing.assert_array_equal(y if backend == "cpu" else y.to_host(), scaled(X))


@pytest.mark.parametrize(
    ("backend", "error", "words"),
    [
        ("absent", eagle.BackendUnavailable, "no usable backend of kind 'absent'"),
        ("sim:2", ValueError, "device is 'sim:2'; kind 'sim' has 2 devices here, numbered from 0"),
        ("gpu", eagle.BackendUnavailable, "backend='gpu' found no GPU kind"),
        ("no kind!", ValueError, "device is 'no kind!'; it must be a kind and a number"),
    ],
)
def test_a_backend_that_is_not_there(backend, error, words):
    with pytest.raises(error, match=re.escape(words)):
        eagle.deploy(scale, backend=backend)


def test_a_device_that_is_not_there():
    with pytest.raises(ValueError, match="DeviceKernel has device 2; kind 'sim' has 2 here, numbered from 0"):
        eagle.plan(scale, structure=eagle.exec.DeviceKernel("sim", 2))
    with pytest.raises(eagle.BackendUnavailable, match="no usable backend of kind 'absent'"):
        eagle.plan(scale, structure=eagle.exec.DeviceKernel("absent"))


ONE_PLACE = "; the rule: a call runs where its arrays are, all of them in one place: copy one of them over"
THERE = "; the rule: a structure takes arrays that lie where it is: copy the array there, or give no structure, and it"
Y = np.zeros(SAMPLES)


@pytest.mark.parametrize(
    ("x", "out", "words"),
    [
        ("sim:0", "sim:1", "argument 'out' of kernel 'scale' is on sim:1, 'x' is on sim:0" + ONE_PLACE),
        ("sim:1", "cpu", "argument 'out' of kernel 'scale' is on the host, 'x' is on sim:1" + ONE_PLACE),
        ("cpu", "sim:0", "argument 'out' of kernel 'scale' is on sim:0, 'x' is on the host" + ONE_PLACE),
    ],
)
def test_a_mix_is_refused_naming_both(x, out, words):
    arrays = {"x": X if x == "cpu" else up(X, x), "out": Y if out == "cpu" else up(Y, out)}
    for call in (eagle.deploy(scale).run, eagle.deploy(scale).bind):
        with pytest.raises(eagle.BufferRefused, match=re.escape(words)):
            call(**arrays, a=1.0, b=1.0)


@pytest.mark.parametrize(
    ("structure", "x", "words"),
    [
        (
            eagle.exec.DeviceKernel("sim", 1),
            "sim:0",
            "is on sim:0, and the structure is a DeviceKernel of sim:1" + THERE,
        ),
        (eagle.exec.DeviceKernel("sim"), "cpu", "is on the host, and the structure is a DeviceKernel of sim:0" + THERE),
        (eagle.exec.HostTeam(2), "sim:0", "is on sim:0, and the structure is a HostTeam" + THERE),
    ],
)
def test_arrays_elsewhere_than_the_structure_are_refused_naming_the_rule(structure, x, words):
    plan = eagle.plan(scale, structure=structure)
    with pytest.raises(eagle.BufferRefused, match=re.escape("argument 'x' of kernel 'scale' " + words)):
        plan.run(x=X if x == "cpu" else up(X, x), a=1.0, b=1.0)


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        (
            {"x": np.zeros(3, np.float32)},
            eagle.BufferRefused,
            "argument 'x' of kernel 'scale' has dtype float32; it needs float64, and nothing is converted here",
        ),
        ({"x": np.zeros((2, 3))}, eagle.LayoutError, "argument 'x' of kernel 'scale' has shape (2, 3)"),
        ({"x": np.zeros(3), "out": np.zeros(4)}, eagle.LayoutError, "argument 'x' of kernel 'scale' has 3 samples"),
        ({"x": np.zeros(3), "a": np.zeros(3)}, TypeError, "argument 'a' of kernel 'scale' is an array of shape (3,)"),
        ({"x": np.zeros(3), "z": np.zeros(3)}, TypeError, "'z'"),
        ({}, TypeError, "'x'"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(arguments, error, words):
    there = {name: up(value) for name, value in arguments.items()}
    numbers = {"a": 1.0, "b": 1.0}
    plan = eagle.plan(scale, structure=eagle.exec.DeviceKernel("sim"))
    with pytest.raises(error, match=re.escape(words)):
        plan.run(**(numbers | there))


def test_lists_are_of_the_host():
    with pytest.raises(eagle.BufferRefused, match=r"'y' of kernel 'both' is on the host, 'x' is on sim:0"):
        eagle.deploy(both).run(x=up(np.zeros(3)), y=[1.0, 2.0, 3.0])


def test_a_kind_that_is_not_installed_is_named():
    class OnMetal:
        def __dlpack_device__(self):
            return (8, 1)

        def __dlpack__(self, **options):
            raise AssertionError("nobody asks for memory that cannot be used")

    with pytest.raises(eagle.BackendUnavailable) as raised:
        eagle.deploy(scale).run(x=OnMetal(), a=1.0, b=1.0)
    assert "argument 'x' of kernel 'scale' is on device metal:1, and no backend of kind 'metal' is installed" in str(
        raised.value
    )
    assert "libeagle_metal.so" in str(raised.value)


# ---- faults ----


def test_a_fault_is_raised_where_it_is_waited_for():
    plan = eagle.deploy(divide)
    n, by = np.array([7, 8, 9, 10]), np.array([2, 0, 3, 0])
    there = up(n)
    assert plan.run(n=there, by=up(by)) is None
    with pytest.raises(ZeroDivisionError, match="sample 1"):
        plan.synchronize()
    np.testing.assert_array_equal(there.to_host(), [3, 8, 3, 10])
    plan.synchronize()  # told once
    bound = plan.bind(n=up(n), by=up(by)).launch()
    with pytest.raises(ZeroDivisionError, match="sample 1"):
        bound.synchronize()
    bound.synchronize()


def test_a_fault_that_nobody_waited_for_is_raised_by_a_later_run():
    plan = eagle.deploy(divide)
    n, by = up(np.array([7, 8, 9])), up(np.array([2, 3, 0]))
    plan.run(n=n, by=by)
    n.to_host()  # it is done by now
    with pytest.raises(ZeroDivisionError, match="sample 2"):
        plan.run(n=n, by=by)


# ---- kernels for a kind that the artifact has no file for ----


def test_a_kernel_is_built_for_a_kind_that_has_no_file_alone(tmp_path):
    asked = []
    kernel = eagle.registry.load_manifest(hawk.build(scale, tmp_path / "here")).kernel()
    plan = eagle.plan(kernel.built_by(lambda kind: asked.append(kind) or tmp_path))
    np.testing.assert_array_equal(plan.run(x=up(X), a=2.0, b=1.0).to_host(), scaled(X))
    assert asked == []  # the host's file is what the simulated device takes


class Recipe:
    def build(self, directory):
        return hawk.build(scale, directory)


def test_what_builds_a_kernel_is_asked_with_the_kind(monkeypatch):
    from eagle._deploy import _builder

    recipe = Recipe()
    build_for = _builder(recipe)
    with pytest.raises(
        TypeError, match=r"Recipe\.build writes has no file for kind 'metal', and its build takes no targets"
    ):
        build_for("metal")
    asked = []

    def build(directory, *, targets=("host",)):
        asked.append(targets)
        return hawk.build(scale, directory)

    monkeypatch.setattr(recipe, "build", build, raising=False)
    assert (build_for("metal") / "manifest.json").is_file()
    assert asked == [("metal",)]
    monkeypatch.undo()
    del recipe
    with pytest.raises(TypeError, match="has no file for kind 'metal', and the Recipe that built it is gone; keep it"):
        build_for("metal")
