"""The judge of compiled kernels: Python itself runs the same function, one sample at a time."""

from __future__ import annotations

import ast
import inspect
import linecache
import textwrap
from itertools import count
from types import FunctionType
from typing import Any

import numpy as np

import hawk

_names = count()


class _Ends(ast.NodeTransformer):
    """Makes every way out of a function give its result and its local names."""

    def visit_Return(self, node: ast.Return) -> ast.Return:
        value = node.value or ast.Constant(None)
        both = ast.Tuple([value, ast.parse("dict(locals())", mode="eval").body], ast.Load())
        return ast.copy_location(ast.Return(both), node)


def in_python(function: FunctionType) -> Any:
    """The function as one that returns (result, local names)."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    node = tree.body[0]
    assert isinstance(node, ast.FunctionDef)
    node.decorator_list = []
    node.returns = None
    for argument in node.args.args:
        argument.annotation = None
    node = _Ends().visit(node)
    node.body.append(ast.parse("return None, dict(locals())").body[0])
    ast.fix_missing_locations(tree)
    outer = dict(zip(function.__code__.co_freevars, (c.cell_contents for c in function.__closure__ or ()), strict=True))
    scope = {**function.__globals__, **outer}
    exec(compile(tree, "<oracle>", "exec"), scope)
    return scope[function.__name__]


def define(source: str, name: str = "f", **names: Any) -> FunctionType:
    """A function from source text, which inspect can find again."""
    file = f"<source {next(_names)}>"
    text = textwrap.dedent(source)
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    scope: dict[str, Any] = {
        "hawk": hawk,
        "math": hawk.math,
        **{key: getattr(hawk, key) for key in hawk.__all__},
        **names,
    }
    exec(compile(text, file, "exec", dont_inherit=True), scope)
    return scope[name]


def planes(samples: list[dict[str, Any]], single: bool = False) -> dict[str, Any]:
    """One array a plane from one dict a sample: ints int64, vectors (w, N)."""
    made = {}
    for name, first in samples[0].items():
        column = np.array([sample[name] for sample in samples])
        if column.dtype.kind == "f" and single:
            column = column.astype(np.float32)
        made[name] = np.ascontiguousarray(column.T) if np.ndim(first) == 1 else column
    return made


def as_dict(result: Any) -> dict[str, Any]:
    if result is None:
        return {}
    if isinstance(result, dict):
        return result
    if isinstance(result, tuple):
        return {f"out{k}": part for k, part in enumerate(result)}
    return {"out": result}


def run(kernel: hawk.Kernel, samples: list[dict[str, Any]], single: bool = False, **uniforms: Any) -> dict[str, Any]:
    """Calls the kernel on all samples at once: its outputs, and its arguments after the call."""
    given = planes(samples, single)
    result = as_dict(kernel(**given, **uniforms))
    return given | result


def bits(value: Any) -> Any:
    """Comparable to the last bit; every NaN is one value."""
    array = np.asarray(value)
    if array.dtype.kind == "f":
        array = np.where(np.isnan(array), np.array(np.nan, array.dtype), array)
        return array.view(np.int64 if array.dtype.itemsize == 8 else np.int32).tolist()
    return array.astype(np.int64).tolist()


def check(kernel: hawk.Kernel, samples: list[dict[str, Any]], single: bool = False, **uniforms: Any) -> None:
    """Asserts that every output and every written plane has the bits that Python computes."""
    found = run(kernel, samples, single, **uniforms)
    oracle = in_python(kernel.function)
    mutables = written_planes(kernel)
    for index, sample in enumerate(samples):
        arguments = {name: _argument(value, single) for name, value in sample.items()}
        if single:
            uniforms = {key: np.float32(v) if isinstance(v, float) else v for key, v in uniforms.items()}
        result, names = oracle(**arguments, **uniforms)
        wanted = as_dict(result) | {name: names[name] for name in mutables}
        for name, value in wanted.items():
            column = found[name]
            have = column[..., index]
            need = np.asarray(value, dtype=column.dtype)
            assert bits(have) == bits(need), f"{name} of sample {index} {sample}: {have!r}, Python has {need!r}"


def written_planes(kernel: hawk.Kernel) -> list[str]:
    annotations = inspect.get_annotations(kernel.function, eval_str=True)
    return [n for n, a in annotations.items() if repr(a).startswith(("Mutable", "Terminated")) and n != "return"]


def _argument(value: Any, single: bool) -> Any:
    if np.ndim(value) == 1:
        return np.array(value, np.float32 if single else np.float64)
    return np.float32(value) if single and isinstance(value, float) else value
