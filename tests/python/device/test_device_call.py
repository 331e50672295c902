"""Kernels of hawk called with arrays of the simulated device: eagle is the provider that hawk finds."""

import gc
import re
import weakref

import numpy as np
import pytest
from device_kernels import Foreign, Stream, both, scale, turn, up

import eagle
import hawk.providers
from hawk import Param, Scalar

SAMPLES = 4_099
X = np.linspace(-3.0, 5.0, SAMPLES)


def test_a_call_runs_where_its_arrays_are():
    for device in ("sim:0", "sim:1"):
        y = scale(up(X, device), 2.0, b=1.0)
        assert isinstance(y, eagle.DeviceArray) and y.device == device
        np.testing.assert_array_equal(y.to_host(), 2.0 * X + 1.0)
    np.testing.assert_array_equal(scale(X, 2.0, 1.0), 2.0 * X + 1.0)
    np.testing.assert_array_equal(scale(Foreign(up(X)), 2.0, 1.0).to_host(), 2.0 * X + 1.0)


def test_calls_follow_each_other():
    y = up(X)
    for _ in range(20):
        y = scale(y, 0.5, 1.0)
    expected = X
    for _ in range(20):
        expected = 0.5 * expected + 1.0
    np.testing.assert_array_equal(y.to_host(), expected)


def test_outputs_state_and_streams():
    x, out = up(X), up(np.zeros(SAMPLES))
    assert scale(x, 2.0, 1.0, out=out) is out
    np.testing.assert_array_equal(out.to_host(), 2.0 * X + 1.0)
    total, difference = both(x, y=out)
    np.testing.assert_array_equal(total.to_host(), X + (2.0 * X + 1.0))
    np.testing.assert_array_equal(difference.to_host(), X - (2.0 * X + 1.0))
    p = up(np.stack([X, -X]))
    assert turn(p, up(np.full(SAMPLES, 2.0))) is None
    np.testing.assert_array_equal(p.to_host(), np.stack([2.0 * X, 2.0 * X]))
    with Stream() as stream:
        stream.copy(x, into=out)
        eagle.deploy(scale).run(x=out, a=2.0, b=1.0, stream=stream)
        stream.synchronize()


def test_refusals_are_those_of_a_plan():
    with pytest.raises(ValueError, match=r"'y'.*'x'.*one device"):
        both(up(X), X)
    with pytest.raises(ValueError, match=r"'y'.*'x'.*one device"):
        both(up(X), up(X, "sim:1"))
    with pytest.raises(eagle.BufferRefused, match="dtype float32; it needs float64, and nothing is converted here"):
        scale(up(X.astype(np.float32)), 2.0, 1.0)
    with pytest.raises(TypeError, match="unknown argument 'c' for kernel 'scale'"):
        scale(up(X), 2.0, c=1.0)


def test_a_kernel_is_let_go_of():
    @hawk.kernel
    def passing(x: Scalar, a: Param) -> Scalar:
        return a * x

    np.testing.assert_array_equal(passing(up(X), 2.0).to_host(), 2.0 * X)
    gone = weakref.ref(passing)
    del passing
    gc.collect()
    assert gone() is None


@pytest.fixture
def only(monkeypatch):
    """Sets who is asked."""

    def chosen(*providers):
        monkeypatch.setattr(hawk.providers, "providers", lambda: providers)

    return chosen


def test_providers_are_asked_in_order(only):
    def declines(kernel, device_type, device_id):
        return None

    def takes(kernel, device_type, device_id):
        return lambda args, kwargs: (kernel, device_type, device_id, len(args), kwargs)

    only(("broken", None, "ImportError: no such thing"), ("declines", declines, ""), ("takes", takes, ""))
    assert scale(up(X, "sim:1"), 2.0, b=3.0) == (scale, 12, 1, 2, {"b": 3.0})


def test_what_no_provider_takes_is_refused_naming_the_device(only):
    words = "argument 'x' of kernel 'scale' is on DLPack device type 12, number 1, and no provider takes calls there "
    only(("broken", None, "ImportError: no such thing"), ("declines", lambda *_: None, ""))
    with pytest.raises(
        eagle.BufferRefused, match=re.escape(words + "(asked: broken (ImportError: no such thing), declines (")
    ):
        scale(up(X, "sim:1"), 2.0, 1.0)
    only()
    with pytest.raises(
        eagle.BufferRefused, match=re.escape(words + "(asked: none is installed); copy the arrays to the host")
    ):
        scale(up(X, "sim:1"), 2.0, 1.0)


def test_eagle_takes_what_a_backend_serves():
    from eagle._provider import provide

    eagle.zeros(1, device="sim:0")  # loaded
    assert provide(scale, 12, 0) is not None
    assert provide(scale, 8, 0) is None  # of kind metal, which is not installed
    assert provide(scale, 99, 0) is None
