"""Errors are shown, and pickled, by the names that a user of eagle imports."""

import pickle

import pytest

import eagle
import hawk
import raptor.errors

ERRORS = [
    "BackendUnavailable",
    "BadHandle",
    "BufferRefused",
    "Busy",
    "CapabilityError",
    "InteropError",
    "LayoutError",
    "LayoutWarning",
    "OutOfMemory",
    "PerformanceWarning",
    "Unsupported",
]


@pytest.mark.parametrize("name", ERRORS)
def test_an_error_is_named_by_eagle(name):
    kind = getattr(eagle, name)
    assert f"{kind.__module__}.{kind.__qualname__}" == f"eagle.{name}"
    assert getattr(eagle.errors, name) is kind
    again = pickle.loads(pickle.dumps(kind("what happened")))
    assert type(again) is kind and again.args == ("what happened",)


def test_hawk_and_raptor_have_the_same_classes():
    for name in raptor.errors.__all__:
        assert getattr(hawk, name) is getattr(raptor.errors, name) is getattr(eagle, name)
