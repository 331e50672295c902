"""A Python function's own source, as a syntax tree whose line numbers are the file's."""

from __future__ import annotations

import ast
import inspect
import linecache
import textwrap
from dataclasses import dataclass
from types import FunctionType

from hawk.errors import HawkError


@dataclass(frozen=True)
class Source:
    """Where a function stands, and its tree."""

    file: str
    node: ast.FunctionDef


def source_of(function: FunctionType) -> Source:
    """Raises HawkError for a lambda, a coroutine, and a function whose source cannot be had."""
    code = function.__code__
    file, first, name = code.co_filename, code.co_firstlineno, function.__name__
    if name == "<lambda>":
        raise HawkError(
            "a lambda cannot be compiled: write it as a function with `def`", file=file, line=first, construct="lambda"
        )
    text = _lines(function, file, first)
    try:
        tree = ast.parse(textwrap.dedent(text))
    except SyntaxError as error:
        raise _without(name, file, first, "its lines in the file no longer hold it") from error
    node = tree.body[0]
    if isinstance(node, ast.AsyncFunctionDef):
        raise HawkError(
            f"`async def {name}` cannot be compiled: write `def {name}`", file=file, line=first, construct="async def"
        )
    if not isinstance(node, ast.FunctionDef) or node.name != code.co_name:
        raise _without(name, file, first, "its lines in the file hold something else")
    ast.increment_lineno(node, first - 1)
    return Source(file, node)


def _lines(function: FunctionType, file: str, first: int) -> str:
    try:
        linecache.checkcache(file)
        return inspect.getsource(function)
    except (OSError, TypeError) as error:
        raise _without(function.__name__, file, first, "its source cannot be read") from error


def _without(name: str, file: str, line: int, why: str) -> HawkError:
    return HawkError(
        f"`{name}` cannot be compiled, because {why}: a kernel is compiled from its source, so define it in a file or "
        "a notebook cell (for a function made by exec, enter its text into linecache.cache under its file name)",
        file=file,
        line=line,
        construct=name,
    )
