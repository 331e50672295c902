"""launch_context with stand-ins for CuPy and torch: neither's own code runs here."""

import contextlib
import sys
import types

import pytest

import eagle


class Framework:
    """What a framework holds as its current stream."""

    def __init__(self, devices=True):
        self.current = ["default"]
        self.cuda = types.SimpleNamespace(
            ExternalStream=self.external, stream=self.stream, is_available=lambda: devices
        )

    def external(self, handle):
        return External(self, handle)

    def stream(self, external):
        return external


class External(contextlib.AbstractContextManager):
    def __init__(self, framework, handle):
        self.framework, self.handle = framework, handle

    def __enter__(self):
        self.framework.current.append(self.handle)
        return self

    def __exit__(self, *error):
        assert self.framework.current.pop() == self.handle


@pytest.fixture
def stand_ins(monkeypatch):
    cupy, torch = Framework(), Framework()
    monkeypatch.setitem(sys.modules, "cupy", cupy)
    monkeypatch.setitem(sys.modules, "torch", torch)
    return cupy, torch


@pytest.mark.parametrize("stream", [77, types.SimpleNamespace(ptr=77), types.SimpleNamespace(cuda_stream=77)])
def test_stand_ins_take_the_stream_and_give_it_back(stand_ins, stream):
    with eagle.launch_context(stream) as names:
        assert names == ("cupy", "torch")
        assert all(framework.current[-1] == 77 for framework in stand_ins)
        with eagle.launch_context(88):
            assert all(framework.current[-1] == 88 for framework in stand_ins)
        assert all(framework.current[-1] == 77 for framework in stand_ins)
    assert all(framework.current == ["default"] for framework in stand_ins)


def test_an_error_gives_it_back(stand_ins):
    with pytest.raises(KeyError), eagle.launch_context(77):
        raise KeyError
    assert all(framework.current == ["default"] for framework in stand_ins)


def test_who_is_not_there_takes_no_part(monkeypatch):
    modules = sys.modules
    monkeypatch.delitem(modules, "cupy", raising=False)
    monkeypatch.setitem(modules, "torch", Framework(devices=False))
    with eagle.launch_context(77) as names:
        assert names == ()


@pytest.mark.parametrize("stream", [None, "77", -1, True, 1.5])
def test_what_is_no_stream_is_refused(stream):
    with pytest.raises(TypeError, match="launch_context needs a raw handle"), eagle.launch_context(stream):
        pass
