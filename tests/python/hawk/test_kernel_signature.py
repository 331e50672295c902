"""How a kernel presents itself: to inspect, to help, and to `from hawk import *`."""

import inspect
import pydoc
import subprocess
import sys

import pytest

import hawk
from hawk import Mutable, Param, Scalar, Terminated


@hawk.kernel
def scale(x: Scalar, a: Param) -> Scalar:
    return a * x


@hawk.kernel
def move(x: Mutable[Scalar], v: Scalar, done: Terminated, dt: Param):
    x += dt * v
    if x > 1.0:
        done = True


def test_arguments_come_by_position_or_name_and_outputs_by_name():
    found = inspect.signature(scale)
    assert str(found) == "(x: hawk.types.Scalar, a: hawk.types.Param, *, out=None, layout=None) -> hawk.types.Scalar"
    bound = found.bind(1.0, a=2.0)
    assert bound.arguments == {"x": 1.0, "a": 2.0}
    with pytest.raises(TypeError, match="missing a required argument: 'a'"):
        found.bind(1.0)


def test_a_kernel_without_outputs_has_none():
    assert list(inspect.signature(move).parameters) == ["x", "v", "done", "dt", "layout"]


def test_what_is_bound_can_be_called():
    bound = inspect.signature(scale).bind(3.0, 2.0)
    assert scale(*bound.args, **bound.kwargs) == 6.0


def test_arguments_of_a_loaded_kernel_come_by_name(tmp_path):
    hawk.build([scale], tmp_path)
    loaded = hawk.load(tmp_path)["scale"]
    found = inspect.signature(loaded)
    assert str(found) == "(*, x, a, out=None, layout=None)"
    assert loaded(**found.bind(x=3.0, a=2.0).kwargs) == 6.0


def test_the_class_has_its_own():
    assert list(inspect.signature(hawk.Kernel).parameters) == ["description", "name"]
    assert "x: " in pydoc.render_doc(scale) or "scale" in pydoc.render_doc(scale)


def test_a_star_import_leaves_the_name_math_alone():
    code = "import math\nfrom hawk import *\nassert math.__name__ == 'math', math\nimport hawk\nassert hawk.math.sin"
    subprocess.run([sys.executable, "-c", code], check=True)
