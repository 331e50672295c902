"""Finds what could let a row pass without running, in every module that carries one.

A skipped test returns success to its runner, so skip machinery may stand nowhere in such a module: not on the
registered tests, not on fixtures and helpers beside them, not at module level, under no alias. Nor may a registered
test be made to depend on what happens to be installed. `conftest.py` files of the folders above are looked at too.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from raptor.conformance.interop import ROWS
from raptor.conformance.names import Names

# pytest's and unittest's own, by their last word; any imported name or decorator that says so counts as well.
_SKIP = re.compile(r"skip|xfail|importorskip|expectedfailure", re.IGNORECASE)
_RUNNERS = ("pytest", "_pytest", "unittest", "nose")
# Decorators that say a test needs something: they act by availability.
_AVAILABILITY = re.compile(
    r"(^|_)(requires?|needs?|only_?if|run_?if|unless|without|when|available|has)(_|$)", re.IGNORECASE
)
# Markers that neither skip a test nor let it fail unseen.
_MARKERS = frozenset({"parametrize", "usefixtures", "interop_matrix", "filterwarnings"})
_ASKS = re.compile(r"(^|\.)(is_available|find_spec|find_module)$")
_IMPORT_ERRORS = frozenset({"ImportError", "ModuleNotFoundError"})
_REGISTER = re.compile(r"^raptor\.conformance(\.\w+)*\.register_row$")

_Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Breach:
    """One place where a row could pass without running."""

    file: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.text}"


@dataclass(frozen=True)
class Scan:
    """`rows`: what the module's tests carry, by row id; `breaches`: what may not be there."""

    rows: dict[str, str]
    breaches: list[Breach]


class _Scanner:
    def __init__(self, text: str, file: str, package: str) -> None:
        self.file = file
        self.tree = ast.parse(text, file)
        self.names = Names(self.tree, package)
        self.breaches: dict[tuple[int, str], Breach] = {}
        self.rows: dict[str, str] = {}

    def report(self, node: ast.AST | int, text: str) -> None:
        line = node if isinstance(node, int) else getattr(node, "lineno", 1)
        self.breaches.setdefault((line, text), Breach(self.file, line, text))

    # ------------------------------------------------------------------ rows

    def registers(self, node: ast.AST) -> bool:
        if any(_REGISTER.match(path) for path in self.names.paths(node)):
            return True
        starred = any(module.startswith("raptor.conformance") for module, _ in self.names.stars)
        return starred and isinstance(node, ast.Name) and node.id == "register_row"

    def functions(self, body: Iterable[ast.stmt], outer: str = "") -> Iterator[tuple[str, _Function | ast.ClassDef]]:
        for node in body:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                yield outer + node.name, node
            if isinstance(node, ast.ClassDef):
                yield from self.functions(node.body, f"{outer}{node.name}.")
            for block in ("body", "orelse", "finalbody"):
                if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                    yield from self.functions(getattr(node, block, []), outer)

    def find_rows(self) -> list[_Function]:
        found: list[_Function] = []
        decorators: set[int] = set()
        for name, node in self.functions(self.tree.body):
            here = [d for d in node.decorator_list if self.registers(d.func if isinstance(d, ast.Call) else d)]
            for decorator in here:
                self.row_of(decorator, name)
            if here and not isinstance(node, ast.ClassDef):
                found.append(node)
            decorators |= {id(decorator) for decorator in here}
        for part in ast.walk(self.tree):
            if isinstance(part, ast.Call) and id(part) not in decorators and self.registers(part.func):
                self.report(part, "calls register_row otherwise than as a decorator: put it above the test")
        return found

    def row_of(self, call: ast.expr, name: str) -> None:
        if not isinstance(call, ast.Call):
            self.report(call, f"the row of {name} is computed; write its id, so that a reader finds it")
            return
        first = call.args[0] if call.args else next((k.value for k in call.keywords if k.arg == "row"), None)
        if not (isinstance(first, ast.Constant) and isinstance(first.value, str)):
            self.report(call, f"the row of {name} is computed; write its id, so that a reader finds it")
        elif first.value not in ROWS:
            self.report(call, f"the row '{first.value}' of {name} is not declared")
        else:
            self.rows[first.value] = name

    # ------------------------------------------------------------------ skip machinery

    def skips(self, path: str) -> bool:
        return path.split(".")[0] in _RUNNERS and bool(_SKIP.search(path.rsplit(".", 1)[-1]))

    def find_skips(self) -> None:
        for path, here, line in self.names.imported:
            if _SKIP.search(path.rsplit(".", 1)[-1]):
                self.report(line, f"imports {path} as {here}: a row is never skipped")
        for module, line in self.names.stars:
            if module.split(".")[0] in _RUNNERS:
                self.report(line, f"imports every name of {module}, skip among them: import what is used")
        for node in ast.walk(self.tree):
            if isinstance(node, (ast.Name, ast.Attribute, ast.Call)):
                for path in sorted(self.names.paths(node)):
                    if self.skips(path) or any(self.skips(part) for part in _prefixes(path)):
                        self.report(node, f"uses {path}: a row is never skipped; deselect it in a job's definition")
            if isinstance(node, ast.ExceptHandler):
                self.handler(node)

    def handler(self, node: ast.ExceptHandler) -> None:
        types = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type] if node.type else []
        for part in types:
            if isinstance(part, ast.Name) and part.id in _IMPORT_ERRORS:
                self.report(
                    node, f"catches {part.id}: what a row needs is there, or the row fails (certified_framework)"
                )

    # ------------------------------------------------------------------ registered tests

    def check_test(self, node: _Function) -> None:
        for decorator in self.decorators(node):
            self.check_decorator(decorator, node.name)
        asserted = {id(part) for inner in ast.walk(node) if isinstance(inner, ast.Assert) for part in ast.walk(inner)}
        for inner in ast.walk(node):
            if isinstance(inner, ast.Call) and id(inner) not in asserted:
                name = _dotted(inner.func)
                if _ASKS.search(name):
                    self.report(inner, f"asks {name}() outside an assert: a row asserts what it needs, it does not ask")

    def decorators(self, node: _Function) -> Iterator[ast.expr]:
        """Of the test and of the classes around it, and the marks of the module."""
        yield from node.decorator_list
        for owner in ast.walk(self.tree):
            if isinstance(owner, ast.ClassDef) and any(part is node for part in ast.walk(owner)):
                yield from owner.decorator_list
                yield from _pytestmarks(owner.body)
        yield from _pytestmarks(self.tree.body)

    def check_decorator(self, decorator: ast.expr, test: str) -> None:
        called = decorator.func if isinstance(decorator, ast.Call) else decorator
        if self.registers(called):
            return
        paths = self.names.paths(called)
        marks = [path.split(".mark.", 1)[1].split(".")[0] for path in paths if ".mark." in path]
        for mark in marks:
            if mark not in _MARKERS and not _SKIP.search(mark):
                self.report(
                    decorator, f"{test} carries the marker '{mark}'; a row may carry {', '.join(sorted(_MARKERS))}"
                )
        for word in {_dotted(called).rsplit(".", 1)[-1], *(path.rsplit(".", 1)[-1] for path in paths)}:
            if _SKIP.search(word):
                self.report(decorator, f"{test} is decorated with {word}: a row is never skipped")
            elif not marks and _AVAILABILITY.search(word):
                self.report(decorator, f"{test} is decorated with {word}: a row does not depend on what is available")


def _prefixes(path: str) -> Iterator[str]:
    parts = path.split(".")
    return (".".join(parts[:k]) for k in range(2, len(parts)))


def _dotted(node: ast.AST) -> str:
    if isinstance(node, ast.Attribute):
        return f"{_dotted(node.value)}.{node.attr}"
    return node.id if isinstance(node, ast.Name) else _dotted(node.func) if isinstance(node, ast.Call) else ""


def _pytestmarks(body: Iterable[ast.stmt]) -> Iterator[ast.expr]:
    for node in body:
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any(isinstance(target, ast.Name) and target.id == "pytestmark" for target in targets):
                yield from node.value.elts if isinstance(node.value, (ast.List, ast.Tuple)) else [node.value]


def scan_source(text: str, file: str = "<source>", package: str = "") -> Scan:
    """The rows that a module's text registers and, where there are any, every breach. `package` resolves relative
    imports. SyntaxError for a text that is no Python.
    """
    scanner = _Scanner(text, file, package)
    tests = scanner.find_rows()
    if tests or scanner.rows or scanner.breaches:
        scanner.find_skips()
        for test in tests:
            scanner.check_test(test)
    return Scan(scanner.rows, sorted(scanner.breaches.values(), key=lambda b: (b.line, b.text)))


def _conftests(folder: Path, root: Path) -> Iterator[Path]:
    for place in (folder, *folder.parents):
        if (place / "conftest.py").is_file():
            yield place / "conftest.py"
        if place == root:
            return


def scan_tree(folder: str | Path, *, leave_out: Iterable[str] = ()) -> Scan:
    """Every module below the folder that registers a row, and the conftest.py files above it up to the folder.

    `leave_out`: folders right below it that are not looked at, such as one whose tests are about rows themselves.
    """
    left_out = frozenset(leave_out)
    root = Path(folder).resolve()
    rows: dict[str, str] = {}
    breaches: list[Breach] = []
    conftests: set[Path] = set()
    for path in sorted(root.rglob("*.py")):
        relative = path.relative_to(root)
        if relative.parts[0] in left_out:
            continue
        found = scan_source(path.read_text(encoding="utf-8"), str(relative), ".".join(relative.parts[:-1]))
        rows |= found.rows
        breaches += found.breaches
        if found.rows or found.breaches:
            conftests |= set(_conftests(path.parent, root))
    for path in sorted(conftests):
        scanner = _Scanner(path.read_text(encoding="utf-8"), str(path.relative_to(root)), "")
        scanner.find_skips()
        breaches += scanner.breaches.values()
    return Scan(rows, breaches)
