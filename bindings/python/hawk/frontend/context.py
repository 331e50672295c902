"""Where the front end stands: the function being read, its names, and how a refusal is worded."""

from __future__ import annotations

import ast
import builtins
from dataclasses import dataclass, field
from types import CodeType, FunctionType
from typing import NoReturn

from hawk.errors import HawkError
from hawk.frontend.bindings import Binding, Missing, Static, describe, lift
from hawk.frontend.source import Source, source_of
from hawk.ir import BOOL, INT, REAL, Builder, Value
from hawk.types import Quantity

# Names that no Python name can meet: has the function returned, what, and has its mask been set.
RETURNED, RESULT, MASK_SET = "%returned", "%result", "%mask set"


@dataclass
class Frame:
    """One function being read. `kept`: names whose values matter after a return (what a kernel writes)."""

    function: FunctionType
    source: Source
    locals: frozenset[str]
    env: dict[str, Binding]
    kept: frozenset[str] = frozenset()
    mask: str | None = None  # name of the Terminated argument
    outer: dict[str, object] = field(default_factory=dict)  # free variables of a closure


def frame_of(function: FunctionType, source: Source) -> Frame:
    code = function.__code__
    outer: dict[str, object] = {}
    for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
        try:
            outer[name] = cell.cell_contents
        except ValueError:
            continue
    return Frame(function, source, frozenset(code.co_varnames + code.co_cellvars), {}, outer=outer)


class Context:
    """The state that every part of the front end shares."""

    def __init__(self, single: bool) -> None:
        self.builder = Builder(single)
        self.frames: list[Frame] = []
        self.frozen: dict[int, tuple[object, Binding]] = {}
        self.sources: dict[int, tuple[CodeType, Source]] = {}
        self.quantities: dict[str, Quantity] = {}  # arguments of the kernel that are carried on several planes

    @property
    def frame(self) -> Frame:
        return self.frames[-1]

    def refuse(self, node: ast.AST, what: str, instead: str) -> NoReturn:
        """Raises HawkError: what is wrong with this piece of source, and what to write instead."""
        construct = _short(node)
        raise HawkError(
            f"`{construct}`: {what}; {instead}",
            file=self.frame.source.file,
            line=getattr(node, "lineno", self.frame.source.node.lineno),
            construct=construct,
        )

    def source(self, function: FunctionType) -> Source:
        """Read once for a kernel. By identity: code objects of two files may be equal."""
        code = function.__code__
        if id(code) not in self.sources:
            self.sources[id(code)] = (code, source_of(function))
        return self.sources[id(code)][1]

    def look_up(self, node: ast.Name) -> Binding:
        """The binding of a name: local, then of the closure, global, builtin, as Python resolves it."""
        frame, name = self.frame, node.id
        quantity = self.quantity_of(node)
        if quantity is not None:
            return self.reconstructed(node, quantity)
        if name in frame.locals:
            found = frame.env.get(name, Missing("has no value yet at this line"))
            if isinstance(found, Missing):
                self.refuse(node, f"`{name}` {found.why}", "give it a value on every way to this line")
            return found
        for place in (frame.outer, frame.function.__globals__, builtins.__dict__):
            if name in place:
                return self.freeze(place[name])
        self.refuse(
            node,
            f"`{name}` is not defined when the kernel is decorated",
            "define it above: names of the surroundings are frozen by the decorator",
        )

    def quantity_of(self, node: ast.AST) -> Quantity | None:
        """The quantity that a name of the kernel's own arguments stands for, or None."""
        own = isinstance(node, ast.Name) and len(self.frames) == 1
        return self.quantities.get(node.id) if own else None  # type: ignore[attr-defined]

    def wire(self, node: ast.Attribute, quantity: Quantity) -> str:
        """The name of the plane that `argument.wire` stands for."""
        assert isinstance(node.value, ast.Name)
        if node.attr not in quantity.wires:
            self.refuse(node, f"`{quantity.name}` has no wire `{node.attr}`", f"use {', '.join(quantity.wires)}")
        return f"{node.value.id}_{node.attr}"

    def wire_value(self, node: ast.AST, plane: str) -> Binding:
        """What a wire holds at this line."""
        found = self.frame.env[plane]
        if isinstance(found, Missing):
            self.refuse(node, f"`{plane}` {found.why}", "give it a value on every way to this line")
        return found

    def reconstructed(self, node: ast.Name, quantity: Quantity) -> Binding:
        """The value that a quantity's wires stand for here."""
        raise NotImplementedError

    def freeze(self, value: object) -> Binding:
        """A Python object as a binding, read once for a whole kernel."""
        found = self.frozen.get(id(value))
        if found is None:
            found = self.frozen[id(value)] = (value, lift(value, self.builder))
        return found[1]

    def scalar(self, node: ast.AST, binding: Binding, use: str) -> Value:
        """The binding as one number, or a refusal that says what it is used as."""
        if isinstance(binding, Value):
            return binding
        if isinstance(binding, Static) and type(binding.value) is int:
            self.refuse(node, f"{binding.value} is outside int64", "write it as a real, as in `1e19`")
        self.refuse(node, f"{use} is {describe(binding)}, a number is needed", "use its components or elements")

    def real(self, value: Value) -> Value:
        return value if value.type == REAL else self.builder.emit("cast", (value,), REAL)

    def integer(self, value: Value) -> Value:
        return self.builder.emit("cast", (value,), INT) if value.type == BOOL else value

    def truth(self, node: ast.AST, binding: Binding) -> Value:
        """A condition: a bool, or whether a number differs from zero."""
        if isinstance(binding, Static) and binding.value is None:
            return self.builder.false
        value = self.scalar(node, binding, "the condition")
        if value.type == BOOL:
            return value
        zero = self.builder.const(0 if value.type == INT else 0.0)
        return self.builder.emit("ne", (value, zero), BOOL)

    def negate(self, value: Value) -> Value:
        return self.builder.emit("not", (value,), BOOL)

    def unify(self, a: Value, b: Value) -> tuple[Value, Value]:
        """Both with the wider type: bool, int, real."""
        if REAL in (a.type, b.type):
            return self.real(a), self.real(b)
        if INT in (a.type, b.type):
            return self.integer(a), self.integer(b)
        return a, b


def _short(node: ast.AST) -> str:
    """The first line of a piece of source, at most 60 characters."""
    if isinstance(node, (ast.stmt, ast.expr)):
        try:
            text = ast.unparse(node).splitlines()[0]
        except RecursionError:
            text = type(node).__name__
    else:
        text = getattr(node, "arg", type(node).__name__)
    return text if len(text) <= 60 else text[:57] + "..."
