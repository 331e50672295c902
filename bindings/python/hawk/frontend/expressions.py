"""Expressions of a kernel."""

from __future__ import annotations

import ast
from collections.abc import Callable
from types import ModuleType

from hawk.frontend.arithmetic import Arithmetic
from hawk.frontend.bindings import Binding, Static, Vec, describe
from hawk.frontend.branching import Branching
from hawk.frontend.functions import INSTEAD
from hawk.ir import INT, Value

_INSTEAD = {
    ast.Lambda: ("a lambda", "write a function with `def` outside the kernel and call it"),
    ast.ListComp: ("a comprehension", "use a `for` loop over a constant range, or write the elements out"),
    ast.GeneratorExp: ("a generator", "use a `for` loop over a constant range, or write the elements out"),
    ast.SetComp: ("a set", "use names or a vector"),
    ast.Set: ("a set", "use names or a vector"),
    ast.DictComp: ("a dict", "use names or a vector"),
    ast.Dict: ("a dict outside `return`", "use names or a vector"),
    ast.JoinedStr: ("a string", "compute with numbers"),
    ast.NamedExpr: ("`:=`", "assign in a statement of its own"),
    ast.Starred: ("`*`", "write the elements out"),
    ast.Await: ("`await`", "compute with numbers"),
    ast.Yield: ("`yield`", "return the values"),
    ast.YieldFrom: ("`yield`", "return the values"),
}


class Expressions(Arithmetic, Branching):
    def expr(self, node: ast.expr) -> Binding:
        handler = self._HANDLERS.get(type(node))
        if handler is None:
            what, instead = _INSTEAD.get(type(node), (type(node).__name__, "use numbers, vectors and functions"))
            self.refuse(node, f"{what} is not part of the kernel language", instead)
        return handler(self, node)

    def _constant(self, node: ast.Constant) -> Binding:
        if isinstance(node.value, (complex, bytes)):
            self.refuse(node, f"a {type(node.value).__name__} is no number of a kernel", "use two reals")
        return self.freeze_literal(node.value)

    def freeze_literal(self, value: object) -> Binding:
        if isinstance(value, (bool, float)) or (isinstance(value, int) and -(2**63) <= value < 2**63):
            return self.builder.const(value)
        return Static(value)

    def _name(self, node: ast.Name) -> Binding:
        return self.look_up(node)

    def _binop(self, node: ast.BinOp) -> Binding:
        """A chain `a + b + c ...` leans to the left by thousands of levels, so it is walked, not recursed into."""
        chain: list[ast.BinOp] = []
        left: ast.expr = node
        while isinstance(left, ast.BinOp):
            chain.append(left)
            left = left.left
        value = self.expr(left)
        for link in reversed(chain):
            value = self.binary(link, link.op, value, self.expr(link.right))
        return value

    def _unaryop(self, node: ast.UnaryOp) -> Binding:
        if isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
            number = node.operand.value
            if type(number) is int:
                return self.freeze_literal(-number)
        return self.unary(node, self.expr(node.operand))

    def _compare(self, node: ast.Compare) -> Binding:
        return self._chain(node, self.expr(node.left), 0)

    def _chain(self, node: ast.Compare, left: Binding, index: int) -> Value:
        right = self.expr(node.comparators[index])
        here = self.compare(node, node.ops[index], left, right)
        if index + 1 == len(node.ops):
            return here
        rest: Binding = self.choose(node, here, lambda: self._chain(node, right, index + 1), lambda: self.builder.false)
        return self.truth(node, rest)

    def _boolop(self, node: ast.BoolOp) -> Binding:
        return self._logic(node, isinstance(node.op, ast.And), 0)

    def _logic(self, node: ast.BoolOp, every: bool, index: int) -> Value:
        """`and`, `or`: the right side is computed only where the left one does not decide."""
        part = node.values[index]
        value = self.expr(part)
        here = self.truth(part, value)
        if isinstance(value, Value) and value is not here:
            self.refuse(node, f"`and` and `or` take conditions; this is {describe(value)}", "compare it with 0")
        if index + 1 == len(node.values):
            return here
        ready: Callable[[], Binding] = lambda: self.builder.const(not every)  # noqa: E731
        more: Callable[[], Binding] = lambda: self._logic(node, every, index + 1)  # noqa: E731
        joined: Binding = self.choose(node, here, more if every else ready, ready if every else more)
        return self.truth(node, joined)

    def _ifexp(self, node: ast.IfExp) -> Binding:
        cond = self.truth(node.test, self.expr(node.test))
        return self.choose(node, cond, lambda: self.expr(node.body), lambda: self.expr(node.orelse))

    def _tuple(self, node: ast.Tuple | ast.List) -> Binding:
        items: list[Binding] = []
        for item in node.elts:
            if isinstance(item, ast.Starred):
                items.extend(self.elements(item, self.expr(item.value)))
            else:
                items.append(self.expr(item))
        return tuple(items)

    def elements(self, node: ast.AST, binding: Binding) -> tuple[Binding, ...]:
        """The elements of a tuple or vector."""
        if isinstance(binding, Vec):
            return binding.parts
        if isinstance(binding, tuple):
            return binding
        self.refuse(node, f"{describe(binding)} has no elements", "use a tuple or a vector")

    def _attribute(self, node: ast.Attribute) -> Binding:
        quantity = self.quantity_of(node.value)
        if quantity is not None:
            return self.wire_value(node, self.wire(node, quantity))
        owner = self.expr(node.value)
        if not isinstance(owner, Static):
            self.refuse(node, f"{describe(owner)} has no attributes in a kernel", "index it, as in `r[0]`")
        try:
            return self.freeze(getattr(owner.value, node.attr))
        except AttributeError:
            known = isinstance(owner.value, ModuleType)
            where = f"module `{owner.value.__name__}`" if known else describe(owner)
            instead = f"write {INSTEAD[node.attr]}" if node.attr in INSTEAD else "use what hawk.math lists"
            self.refuse(node, f"{where} has no `{node.attr}`", instead)
        except Exception as error:
            self.refuse(
                node,
                f"reading it raises {type(error).__name__}: {error}",
                "give the value a name outside the kernel and use that",
            )

    def _subscript(self, node: ast.Subscript) -> Binding:
        owner = self.expr(node.value)
        if isinstance(owner, Static):
            self.refuse(
                node,
                f"{describe(owner)} cannot be indexed in a kernel",
                "index a vector, a tuple of numbers or an array of one axis",
            )
        items = self.elements(node, owner)
        if isinstance(node.slice, ast.Slice):
            part = items[self._slice(node.slice)]
            if isinstance(owner, Vec) and not part:
                self.refuse(node, "the slice is empty", "take at least one component")
            return Vec(part) if isinstance(owner, Vec) else part
        return items[self.position(node, len(items))]

    def position(self, node: ast.Subscript, size: int) -> int:
        """A constant index in range, counted from the front."""
        index = self.whole_constant(node.slice, "an index")
        if not -size <= index < size:
            self.refuse(node, f"index {index} is outside {size} elements", f"use {-size} to {size - 1}")
        return index % size

    def whole_constant(self, node: ast.expr, use: str) -> int:
        value = self.expr(node)
        if not (isinstance(value, Value) and value.is_const and value.type == INT):
            self.refuse(
                node,
                f"{use} is {describe(value)}, an integer constant is needed",
                "use a literal, a constant of the surroundings or the variable of an unrolled loop",
            )
        assert isinstance(value.data, int)
        return value.data

    def _slice(self, node: ast.Slice) -> slice:
        bounds = [
            None if part is None else self.whole_constant(part, "a bound of a slice")
            for part in (node.lower, node.upper, node.step)
        ]
        if bounds[2] == 0 and node.step is not None:
            self.refuse(node.step, "the step of a slice is 0", "use another step")
        return slice(*bounds)

    def _call(self, node: ast.Call) -> Binding:
        return self.call(node)

    def call(self, node: ast.Call) -> Binding:
        raise NotImplementedError

    _HANDLERS: dict[type[ast.expr], Callable[..., Binding]] = {  # noqa: RUF012
        ast.Constant: _constant,
        ast.Name: _name,
        ast.BinOp: _binop,
        ast.UnaryOp: _unaryop,
        ast.Compare: _compare,
        ast.BoolOp: _boolop,
        ast.IfExp: _ifexp,
        ast.Tuple: _tuple,
        ast.List: _tuple,
        ast.Attribute: _attribute,
        ast.Subscript: _subscript,
        ast.Call: _call,
    }
