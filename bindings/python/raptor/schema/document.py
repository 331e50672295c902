"""JSON as every reader of the family takes it, and as writers write it."""

from __future__ import annotations

import json
import math
import re
from typing import Any, NoReturn

MAX_BYTES = 64 * 1024 * 1024
MAX_DEPTH = 64

# A string (to the end of the text where it is not closed), or a bracket: what is needed to see how deep a text nests,
# without parsing it. Possessive, so that no text makes it look at a byte twice.
_STEPS = re.compile(r'"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)|[\[{\]}]', re.DOTALL)
_SURROGATE = re.compile("[\ud800-\udfff]")


def parse(data: bytes | str, name: str) -> Any:
    """The document that the text holds. `name` is what errors call it.

    Raises ValueError for what is not JSON or not UTF-8, has a byte order mark, NaN or Infinity, a key twice in one
    object, a lone surrogate, an integer outside int64, a number that overflows, more than 64 levels or more than
    64 MiB; TypeError for what is no text.
    """
    text = _decoded(data, name)
    _check_depth(text, name)

    def refuse(what: str) -> NoReturn:
        raise ValueError(f"{name}: {what}")

    def pairs(items: list[tuple[str, Any]]) -> dict[str, Any]:
        table: dict[str, Any] = {}
        for key, value in items:
            if key in table:
                refuse(f"the key '{short(key)}' stands twice in one object")
            table[key] = value
        return table

    def integer(written: str) -> int:
        if len(written) > 20 or not -(2**63) <= int(written) < 2**63:
            refuse(f"the integer {written[:60]} does not fit in int64")
        return int(written)

    def real(written: str) -> float:
        if math.isinf(float(written)):
            refuse(f"the number {written[:60]} overflows a double")
        return float(written)

    def constant(written: str) -> NoReturn:
        refuse(f"{written} is no JSON number; leave the value out or write a finite one")

    try:
        document = json.loads(
            text, object_pairs_hook=pairs, parse_int=integer, parse_float=real, parse_constant=constant
        )
    except json.JSONDecodeError as error:
        raise ValueError(f"{name}: not JSON at line {error.lineno}, column {error.colno}: {error.msg}") from None
    _check_strings(document, name)
    return document


def _decoded(data: bytes | str, name: str) -> str:
    if not isinstance(data, (str, bytes, bytearray, memoryview)):
        raise TypeError(f"{name}: the text is of type {type(data).__name__}; it is bytes or a str")
    try:
        raw = data.encode() if isinstance(data, str) else bytes(data)
    except UnicodeEncodeError:
        raise ValueError(f"{name}: a lone surrogate in the text; write UTF-8") from None
    if len(raw) > MAX_BYTES:
        raise ValueError(f"{name}: {len(raw)} bytes; at most 64 MiB ({MAX_BYTES} bytes) are read")
    if raw.startswith(b"\xef\xbb\xbf"):
        raise ValueError(f"{name}: begins with a byte order mark; write UTF-8 without one")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ValueError(f"{name}: not UTF-8 at byte {error.start}") from None


def _check_depth(text: str, name: str) -> None:
    depth = 0
    for step in _STEPS.finditer(text):
        first = step.group()[0]
        if first in "[{":
            depth += 1
            if depth > MAX_DEPTH:
                raise ValueError(f"{name}: nested deeper than {MAX_DEPTH} levels")
        elif first in "]}":
            depth -= 1


def _check_strings(document: Any, name: str) -> None:
    stack = [document]
    while stack:
        value = stack.pop()
        if isinstance(value, dict):
            stack.extend(value)
            stack.extend(value.values())
        elif isinstance(value, list):
            stack.extend(value)
        elif isinstance(value, str) and _SURROGATE.search(value):
            raise ValueError(
                f"{name}: a lone surrogate in a string; a character outside the basic plane needs both halves"
            )


def short(text: str) -> str:
    """For an error: at most 60 characters."""
    return text if len(text) <= 60 else text[:57] + "..."


def check_json(document: Any, name: str) -> None:
    """Raises where a Python object is nothing that `write` can write and `parse` reads back the same.

    TypeError names the place of what JSON has no form for; ValueError the place of a number, a string or a depth that
    no reader takes.
    """
    stack: list[tuple[Any, str, int]] = [(document, name, 1)]
    while stack:
        value, where, depth = stack.pop()
        if isinstance(value, (dict, list)) and depth > MAX_DEPTH:
            raise ValueError(f"{name}: nested deeper than {MAX_DEPTH} levels")
        if isinstance(value, dict):
            for key, inner in value.items():
                if type(key) is not str:
                    raise TypeError(f"{where}: has a key of type {type(key).__name__}; keys are strings")
                _check_leaf(key, where)
                stack.append((inner, f"{where}, {short(key)}", depth + 1))
        elif isinstance(value, list):
            stack.extend((inner, f"{where}[{k}]", depth + 1) for k, inner in enumerate(value))
        else:
            _check_leaf(value, where)


def _check_leaf(value: Any, where: str) -> None:
    if value is None or type(value) is bool:
        return
    if type(value) is str:
        if _SURROGATE.search(value):
            raise ValueError(f"{where}: a lone surrogate in a string; write UTF-8")
    elif type(value) is int:
        if not -(2**63) <= value < 2**63:
            raise ValueError(f"{where}: an integer that does not fit in int64")
    elif type(value) is float:
        if not math.isfinite(value):
            raise ValueError(f"{where}: {value} is no JSON number; leave the value out or write a finite one")
    else:
        raise TypeError(f"{where}: holds a {type(value).__name__}, which JSON has no form for")


def write(document: Any) -> str:
    """The document as a writer writes it: keys in their order, two spaces a level, a newline at the end.

    Raises what check_json raises: nothing is written that no reader takes.
    """
    check_json(document, "the document")
    return json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
