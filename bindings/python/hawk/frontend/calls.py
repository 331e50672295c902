"""Calls: functions of hawk.math, Python's own few, and the user's own functions, which are read in place."""

from __future__ import annotations

import ast
from collections.abc import Callable
from types import FunctionType

from hawk.errors import HawkError
from hawk.frontend.bindings import NONE, Binding, Static, Vec, describe, name_of
from hawk.frontend.context import RESULT, RETURNED, Frame, frame_of
from hawk.frontend.expressions import Expressions
from hawk.frontend.functions import INSTEAD, Function, find
from hawk.ir import INT, REAL, Value
from hawk.types import Quantity


def vector(*parts: float) -> object:
    """A vector of these components. In a kernel a Vector[len(parts)]; outside, a NumPy array."""
    import numpy

    return numpy.array(parts)


class Calls(Expressions):
    def statements(self, body: list[ast.stmt]) -> None:
        raise NotImplementedError

    def call(self, node: ast.Call) -> Binding:
        callee = self.expr(node.func)
        if not isinstance(callee, Static):
            self.refuse(node, f"{describe(callee)} is called", "call a function")
        function = callee.value
        special = _SPECIAL.get(id(function))
        if function is zip:
            return self._zip(node)
        if special is not None:
            return special[1](self, node, self._positional(node, special[0].__name__))
        entry = find(function)
        if entry is not None:
            return self._library(node, entry, self._positional(node, entry.name))
        if isinstance(function, FunctionType) and not (function.__module__ or "").startswith("hawk."):
            return self._inline(node, function)
        name = name_of(function)
        instead = INSTEAD.get(name, "write a function with `def`, or use what hawk.math lists")
        self.refuse(node, f"`{name}` cannot be called in a kernel", f"write {instead}" if name in INSTEAD else instead)

    def _positional(self, node: ast.Call, name: str) -> list[Binding]:
        if node.keywords:
            self.refuse(node, f"`{name}` takes no names for its arguments", "give them in order")
        return list(self._tuple(ast.Tuple(elts=node.args, ctx=ast.Load())))

    # ------------------------------------------------------------------ functions that hawk knows

    def _library(self, node: ast.Call, entry: Function, args: list[Binding]) -> Binding:
        handler = self._KINDS.get(entry.kind)
        if entry.kind != "fold" and len(args) != entry.arity:
            self.refuse(node, f"`{entry.name}` has {len(args)} arguments", f"give it {entry.arity}")
        if handler is not None:
            return handler(self, node, entry, args)
        return self.spread(node, args, lambda row: self._function(entry, row))

    def _function(self, entry: Function, row: list[Value]) -> Value:
        if entry.kind == "whole":
            whole = self.integer(row[0])
            if whole.type == INT:
                return whole
            return self.builder.emit("cast", (self.builder.emit("call", (whole,), REAL, entry.name),), INT)
        if entry.kind == "number":
            return self.number_function(entry.name, [self.integer(value) for value in row])
        return self.builder.emit("call", tuple(self.real(value) for value in row), entry.result, entry.name)

    def number_function(self, name: str, row: list[Value]) -> Value:
        if len(row) == 2:
            row = list(self.unify(row[0], row[1]))
        return self.builder.emit("call", tuple(row), row[0].type, name)

    def _fold(self, node: ast.Call, entry: Function, args: list[Binding]) -> Binding:
        """min and max of arguments, or of the elements of one."""
        if len(args) == 1:
            args = list(self.elements(node, args[0]))
        if not args:
            self.refuse(node, f"`{entry.name}` of nothing", "give it at least one number")
        result = args[0]
        for other in args[1:]:
            pair = [result, other]
            result = self.spread(node, pair, lambda row: self.number_function(entry.name, list(map(self.integer, row))))
        return result

    def _select(self, node: ast.Call, entry: Function, args: list[Binding]) -> Binding:
        cond = self.truth(node, args[0])

        def make(row: list[Value]) -> Value:
            a, b = self.unify(row[0], row[1])
            return self.builder.emit("sel", (cond, a, b), a.type)

        return self.spread(node, args[1:], make)

    def _power(self, node: ast.Call, entry: Function, args: list[Binding]) -> Binding:
        return self.binary(node, ast.Pow(), args[0], args[1])

    def _float(self, node: ast.Call, entry: Function, args: list[Binding]) -> Binding:
        argument = args[0]
        if isinstance(argument, Static) and isinstance(argument.value, (str, int)):
            try:
                return self.builder.const(float(argument.value))
            except (ValueError, OverflowError):
                self.refuse(node, f"float({argument.value!r}) is no number", "write a number, 'inf' or 'nan'")
        return self.spread(node, args, lambda row: self.real(row[0]))

    def _int(self, node: ast.Call, entry: Function, args: list[Binding]) -> Binding:
        def make(row: list[Value]) -> Value:
            return row[0] if row[0].type == INT else self.builder.emit("cast", (row[0],), INT)

        return make([self.scalar(node, args[0], "the argument")])

    def _bool(self, node: ast.Call, entry: Function, args: list[Binding]) -> Binding:
        return self.truth(node, args[0])

    def _len(self, node: ast.Call, entry: Function, args: list[Binding]) -> Binding:
        return self.builder.const(len(self.elements(node, args[0])))

    def _as_tuple(self, node: ast.Call, entry: Function, args: list[Binding]) -> Binding:
        return tuple(self.elements(node, args[0]))

    _KINDS: dict[str, Callable[..., Binding]] = {  # noqa: RUF012
        "fold": _fold,
        "select": _select,
        "power": _power,
        "float": _float,
        "int": _int,
        "bool": _bool,
        "len": _len,
        "tuple": _as_tuple,
    }

    def make_vector(self, node: ast.Call, args: list[Binding]) -> Binding:
        if len(args) == 1 and isinstance(args[0], (tuple, Vec)):
            args = list(self.elements(node, args[0]))
        if not args:
            self.refuse(node, "a vector of no components", "give it at least one number")
        return Vec(tuple(self.real(self.scalar(node, arg, "a component")) for arg in args))

    # ------------------------------------------------------------------ sequences for loops

    def make_range(self, node: ast.Call, args: list[Binding]) -> Binding:
        numbers = []
        for arg in args:
            if not (isinstance(arg, Value) and arg.is_const and arg.type == INT):
                self.refuse(
                    node,
                    f"a bound of the range is {describe(arg)}, an integer constant is needed",
                    "loops are unrolled when the kernel is decorated: use a constant bound and an `if` inside, or make "
                    "one iteration the kernel's step",
                )
            numbers.append(arg.data)
        try:
            return Static(range(*numbers))  # type: ignore[call-overload]
        except (TypeError, ValueError) as error:
            self.refuse(node, f"the range cannot be made ({error})", "give it one to three integers")

    def sequence(self, node: ast.AST, binding: Binding) -> tuple[Binding, ...] | range:
        """What a loop goes over."""
        if isinstance(binding, Static) and isinstance(binding.value, range):
            return binding.value
        return self.elements(node, binding)

    def _items(self, node: ast.AST, binding: Binding) -> list[Binding]:
        found = self.sequence(node, binding)
        return [self.builder.const(k) for k in found] if isinstance(found, range) else list(found)

    def make_enumerate(self, node: ast.Call, args: list[Binding]) -> Binding:
        if len(args) != 1:
            self.refuse(node, f"`enumerate` has {len(args)} arguments", "give it one sequence")
        return tuple((self.builder.const(k), item) for k, item in enumerate(self._items(node, args[0])))

    def _zip(self, node: ast.Call) -> Binding:
        strict = False
        for keyword in node.keywords:
            if keyword.arg != "strict" or not isinstance(keyword.value, ast.Constant):
                self.refuse(node, f"`zip` is given `{keyword.arg or '**'}`", "give it `strict=True` or `strict=False`")
            strict = bool(keyword.value.value)
        columns = [self._items(arg, self.expr(arg)) for arg in node.args]
        if strict and len({len(column) for column in columns}) > 1:
            sizes = " and ".join(str(len(column)) for column in columns)
            self.refuse(node, f"sequences of {sizes} elements in a strict `zip`", "give it sequences of one length")
        return tuple(zip(*columns, strict=False))

    # ------------------------------------------------------------------ the user's own functions

    def _inline(self, node: ast.Call, function: FunctionType) -> Binding:
        if any(frame.function.__code__ is function.__code__ for frame in self.frames):
            self.refuse(node, f"`{function.__name__}` calls itself", "write the recursion as a loop")
        return self._read_in_place(node, function, self._arguments(node, function))

    def _read_in_place(self, node: ast.expr, function: FunctionType, arguments: dict[str, Binding]) -> Binding:
        frame = frame_of(function, self.source(function))
        frame.env.update(arguments)
        frame.env[RETURNED] = self.builder.false
        caller = self.frame
        self.frames.append(frame)
        try:
            self.statements(frame.source.node.body)
            return self._result(frame)
        except HawkError as error:
            error.add_note(f"called from {caller.source.file}:{node.lineno}")
            raise
        finally:
            self.frames.pop()

    def reconstructed(self, node: ast.Name, quantity: Quantity) -> Binding:
        function = quantity.reconstruct
        wires = [self.wire_value(node, f"{node.id}_{wire}") for wire in quantity.wires]
        entry = find(function)
        if entry is not None:
            return self._library(ast.copy_location(ast.Call(node, [], []), node), entry, wires)
        if not isinstance(function, FunctionType):
            self.refuse(node, f"reconstruct of `{quantity.name}` is {name_of(function)}", "give a function of `def`")
        names = function.__code__.co_varnames[: function.__code__.co_argcount]
        if len(names) != len(wires) or function.__code__.co_flags & 0x0C or function.__code__.co_kwonlyargcount:
            self.refuse(
                node,
                f"reconstruct of `{quantity.name}` takes {', '.join(names) or 'nothing'}",
                f"give a function of its {len(wires)} wires, {', '.join(quantity.wires)}",
            )
        return self._read_in_place(node, function, dict(zip(names, wires, strict=True)))

    def _result(self, frame: Frame) -> Binding:
        returned = frame.env[RETURNED]
        result = frame.env.get(RESULT, NONE)
        if returned is not self.builder.true and result is not NONE:
            self.refuse(
                frame.source.node,
                f"`{frame.source.node.name}` returns a value on some ways only",
                "end it with a `return` of the value for the other ways",
            )
        return result

    def _arguments(self, node: ast.Call, function: FunctionType) -> dict[str, Binding]:
        code, name = function.__code__, function.__name__
        if code.co_flags & 0x0C:
            self.refuse(node, f"`{name}` takes `*` or `**` arguments", "give it a fixed list of arguments")
        names = code.co_varnames[: code.co_argcount]
        only = code.co_varnames[code.co_argcount : code.co_argcount + code.co_kwonlyargcount]
        given = self._tuple(ast.Tuple(elts=node.args, ctx=ast.Load()))
        if len(given) > len(names):
            self.refuse(node, f"`{name}` takes {len(names)} arguments, {len(given)} are given", "leave out the others")
        bound: dict[str, Binding] = dict(zip(names, given, strict=False))
        for keyword in node.keywords:
            if keyword.arg is None or keyword.arg not in (*names[code.co_posonlyargcount :], *only):
                self.refuse(node, f"`{name}` has no argument `{keyword.arg or '**'}`", f"use {', '.join(names + only)}")
            if keyword.arg in bound:
                self.refuse(node, f"`{keyword.arg}` is given twice", "give it once")
            bound[keyword.arg] = self.expr(keyword.value)
        defaults = function.__defaults__ or ()
        spare = dict(zip(names[len(names) - len(defaults) :], defaults, strict=True)) | (function.__kwdefaults__ or {})
        for missing in (*names, *only):
            if missing not in bound:
                if missing not in spare:
                    self.refuse(node, f"`{name}` needs `{missing}`", "give it a value")
                bound[missing] = self.freeze(spare[missing])
        return bound


Special = Callable[[Calls, ast.Call, list[Binding]], Binding]
_SPECIAL: dict[int, tuple[type, Special]] = {
    id(function): (function, handler)  # type: ignore[misc]
    for function, handler in (
        (vector, Calls.make_vector),
        (range, Calls.make_range),
        (enumerate, Calls.make_enumerate),
    )
}
