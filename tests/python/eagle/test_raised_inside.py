"""Ctrl-C inside what eagle asks of an object: it comes out of the call, whatever the question was."""

import gc
import weakref

import numpy as np
import pytest
from eagle_kernels import countdown, scale

import eagle
import eagle._resolver
from eagle import _core


class Pressed:
    """A number, a shape or a stream, at whose question Ctrl-C is pressed."""

    def __index__(self):
        raise KeyboardInterrupt

    __float__ = __index__

    @property
    def ptr(self):
        raise KeyboardInterrupt


class Interface:
    def __init__(self, **changes):
        self.__array_interface__ = np.ones(3).__array_interface__ | changes


class Tensor:
    def __dlpack__(self, **options):
        return np.ones(3).__dlpack__(**options)

    def __dlpack_device__(self):
        return Pressed(), 0


class Asked(type):
    """The type of types that are interrupted when they are asked for one of their attributes."""

    at = ""

    def __getattribute__(cls, name):
        if name == type.__getattribute__(cls, "at"):
            raise KeyboardInterrupt
        return super().__getattribute__(name)


def asked(name, base=object, **members):
    return Asked("Asking", (base,), members | {"at": name})


def unnamed():
    return eagle.interop.import_buffer(X.view(asked("__qualname__", np.ndarray)))


def counting():
    left = np.full(4, 3.0)
    return {"left": left, "ticks": np.zeros(4), "terminated": np.zeros(4, bool)}


X = np.ones(3)
QUESTIONS = {
    "stream of a view": lambda: eagle.interop.import_buffer(X, stream=Pressed()),
    "stream of a capsule": lambda: eagle.interop.import_buffer(X).__dlpack__(stream=Pressed()),
    "stream of a run": lambda: eagle.deploy(scale).run(x=X, y=X, a=1.0, stream=Pressed()),
    "extent": lambda: eagle.interop.import_buffer(Interface(shape=(Pressed(),))),
    "address": lambda: eagle.interop.import_buffer(Interface(data=(Pressed(), False))),
    "device of a tensor": lambda: eagle.interop.import_buffer(Tensor()),
    "export of a type": lambda: eagle.interop.import_buffer(asked("__dlpack__")()),
    "module of a type": lambda: eagle.interop.import_buffer(asked("__module__")()),
    "gradient of a type": lambda: scale(asked("requires_grad")(), X, 1.0),
    "name of a type": lambda: unnamed().producer,
    "name of a type, in words": lambda: repr(unnamed()),
    "share": lambda: eagle.until_done(eagle.deploy(countdown).bind(**counting()), max_steps=1, theta=Pressed()),
    "seconds": lambda: eagle.simulate(countdown, max_steps=1, timeout=Pressed(), **counting()),
}


@pytest.mark.parametrize("question", QUESTIONS.values(), ids=QUESTIONS)
def test_ctrl_c_inside_a_question_comes_out_of_the_call(question):
    with pytest.raises(KeyboardInterrupt):
        question()


def test_ctrl_c_inside_the_search_for_a_backend_is_pressed_anew(monkeypatch):
    """The loader takes no answer of its resolver for the end of its search."""

    def interrupted(kind):
        raise KeyboardInterrupt

    monkeypatch.setattr(eagle._resolver, "resolve", interrupted)
    with pytest.raises(KeyboardInterrupt):
        _core.cuda_backend("plum")
    (noted,) = [a["outcome"] for a in _core.backend_report() if a["kind"] == "plum" and a["source"] == "resolver"]
    assert "asking the entry points eagle.backends for kind 'plum' failed: " in noted


class Stop(Exception):
    """Takes no attribute."""

    def __setattr__(self, name, value):
        raise AttributeError(name)


def test_an_error_that_takes_no_result_comes_out_without_one():
    def stop(*_):
        raise Stop

    with pytest.raises(Stop):
        eagle.simulate(countdown, max_steps=4, until=stop, every=1, **counting())
    with pytest.raises(Stop):
        eagle.until_done(eagle.deploy(countdown).bind(**counting()), max_steps=4, every=1, on_step=stop)


def test_a_plan_is_collected_with_ranks_that_refer_to_it():
    class Ranks(_core.RankPartition):
        pass

    ranks = Ranks(0, 1, None, None, None)
    ranks.plan = eagle.plan(scale, structure=ranks)
    gone = weakref.ref(ranks)
    del ranks
    gc.collect()
    assert gone() is None
