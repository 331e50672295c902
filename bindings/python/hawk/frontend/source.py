"""A Python function's own source, as a syntax tree whose line numbers are the file's."""

from __future__ import annotations

import ast
import inspect
import linecache
import textwrap
from dataclasses import dataclass
from types import CodeType, FunctionType

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
    node = _parse(function)
    if isinstance(node, ast.AsyncFunctionDef):
        raise HawkError(
            f"`async def {name}` cannot be compiled: write `def {name}`", file=file, line=first, construct="async def"
        )
    if not isinstance(node, ast.FunctionDef) or node.name != code.co_name:
        raise _without(name, file, first, "its lines in the file hold something else")
    return Source(file, node)


def _parse(function: FunctionType) -> ast.stmt:
    """The function's tree. What lies between its first line and the last that its code comes from is tried first: the
    standard library's way, which reads the file token by token, takes longer than all the rest of a decoration."""
    code = function.__code__
    file, first, name = code.co_filename, code.co_firstlineno, function.__name__
    linecache.checkcache(file)
    lines = linecache.getlines(file, function.__globals__)
    last = _last_line(code)
    # A closing bracket may stand on a line of its own.
    for end in range(last, min(last + 3, len(lines) + 1)):
        try:
            return _tree("".join(lines[first - 1 : end]), first)
        except SyntaxError:
            continue
    try:
        return _tree(inspect.getsource(function), first)
    except (OSError, TypeError) as error:
        raise _without(name, file, first, "its source cannot be read") from error
    except SyntaxError as error:
        raise _without(name, file, first, "its lines in the file no longer hold it") from error


def _tree(text: str, first: int) -> ast.stmt:
    body = ast.parse("\n" * (first - 1) + textwrap.dedent(text)).body
    if len(body) != 1:
        raise SyntaxError("one function is needed")
    return body[0]


def _last_line(code: CodeType) -> int:
    last = max((end for _, end, _, _ in code.co_positions() if end is not None), default=code.co_firstlineno)
    return max([last, *(_last_line(inner) for inner in code.co_consts if isinstance(inner, CodeType))])


def _without(name: str, file: str, line: int, why: str) -> HawkError:
    return HawkError(
        f"`{name}` cannot be compiled, because {why}: a kernel is compiled from its source, so define it in a file or "
        "a notebook cell (for a function made by exec, enter its text into linecache.cache under its file name)",
        file=file,
        line=line,
        construct=name,
    )
