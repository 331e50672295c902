"""Statements of a kernel and of the functions it calls."""

from __future__ import annotations

import ast
from collections.abc import Callable

from hawk.frontend.bindings import NONE, Binding, Static, Vec, describe
from hawk.frontend.calls import Calls
from hawk.frontend.context import MASK_SET, RESULT, RETURNED
from hawk.ir import BOOL, REAL, Value
from hawk.types import Declaration

# Iterations of one loop; more would make a body that takes a compiler too long.
MOST_ITERATIONS = 4096

_INSTEAD = {
    ast.While: (
        "`while`",
        "use `for` over a constant range, or declare `Terminated` and let every sample stop at its own step",
    ),
    ast.Break: ("`break`", "put the rest of the loop under an `if`, or `return` from a function of its own"),
    ast.Continue: ("`continue`", "put the rest of the loop under an `if`"),
    ast.Assert: ("`assert`", "check arguments before the call"),
    ast.Raise: ("`raise`", "give the case a value of its own, such as NaN"),
    ast.Try: ("`try`", "test the case with `if`"),
    ast.With: ("`with`", "leave it out"),
    ast.Delete: ("`del`", "leave it out"),
    ast.Global: ("`global`", "declare a `Mutable` argument"),
    ast.Nonlocal: ("`nonlocal`", "declare a `Mutable` argument"),
    ast.Import: ("`import`", "import outside the kernel"),
    ast.ImportFrom: ("`import`", "import outside the kernel"),
    ast.FunctionDef: ("a function within a function", "define it outside the kernel"),
    ast.ClassDef: ("a class", "use numbers, vectors and tuples"),
    ast.Match: ("`match`", "use if and elif"),
}


class Statements(Calls):
    """`planes`: the kernel's declarations by name; `written`: those that a statement assigns to."""

    def __init__(self, single: bool, planes: dict[str, Declaration]) -> None:
        super().__init__(single)
        self.planes = planes
        self.written: set[str] = set()

    def statements(self, body: list[ast.stmt]) -> None:
        for index, node in enumerate(body):
            returned = self.frame.env[RETURNED]
            if returned is self.builder.true:
                return
            if returned is not self.builder.false:
                self.guarded(node, lambda rest=body[index:]: self.statements(rest))  # type: ignore[misc]
                return
            self.statement(node)

    def guarded(self, node: ast.AST, run: Callable[[], None]) -> None:
        """Runs the rest only for samples that have not returned."""
        env = self.frame.env
        returned = env[RETURNED]
        if returned is self.builder.true:
            return
        if returned is self.builder.false:
            run()
            return

        def go_on() -> None:
            self.frame.env[RETURNED] = self.builder.false
            run()

        def stay() -> None:
            self.frame.env[RETURNED] = self.builder.true

        self.branch(node, self.negate(returned), go_on, stay)

    def statement(self, node: ast.stmt) -> None:
        handler = self._STATEMENTS.get(type(node))
        if handler is None:
            what, instead = _INSTEAD.get(type(node), (type(node).__name__, "use assignments, `if` and `for`"))
            self.refuse(node, f"{what} is not part of the kernel language", instead)
        handler(self, node)

    # ------------------------------------------------------------------ assignment

    def _assign(self, node: ast.Assign) -> None:
        value = self.expr(node.value)
        for target in node.targets:
            self.store(node, target, value)

    def _annotated(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.store(node, node.target, self.expr(node.value))

    def _augmented(self, node: ast.AugAssign) -> None:
        if not isinstance(node.target, (ast.Name, ast.Subscript)) and not self._is_wire(node.target):
            self.refuse(node, "this cannot be assigned to", "assign to a name or to a component")
        held = self.expr(_loaded(node.target))
        self.store(node, node.target, self.binary(node, node.op, held, self.expr(node.value)))

    def store(self, node: ast.stmt, target: ast.expr, value: Binding) -> None:
        if isinstance(target, ast.Name):
            self._store_name(node, target.id, value)
        elif isinstance(target, (ast.Tuple, ast.List)):
            self._unpack(node, target, value)
        elif isinstance(target, ast.Attribute) and self._is_wire(target):
            self._store_wire(node, target, value)
        elif isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name):
            self._store_component(node, target, target.value, value)
        else:
            self.refuse(node, "this cannot be assigned to", "assign to a name or to a component, as in `r[0] = x`")

    def _is_wire(self, target: ast.expr) -> bool:
        return isinstance(target, ast.Attribute) and self.quantity_of(target.value) is not None

    def _store_wire(self, node: ast.stmt, target: ast.Attribute, value: Binding) -> None:
        quantity = self.quantity_of(target.value)
        assert quantity is not None
        plane = self.wire(target, quantity)
        if not quantity.mutable:
            self.refuse(node, f"the wires of `{quantity.name}` are only read", f"declare it `Mutable[{quantity.name}]`")
        self.written.add(plane)
        self.frame.env[plane] = self.fit(node, self.planes[plane], value)

    def _unpack(self, node: ast.stmt, target: ast.Tuple | ast.List, value: Binding) -> None:
        items = self.elements(node, value)
        if any(isinstance(part, ast.Starred) for part in target.elts):
            self.refuse(node, "`*` in unpacking is not part of the kernel language", "name each element or slice")
        if len(items) != len(target.elts):
            self.refuse(node, f"{len(items)} values for {len(target.elts)} names", "give as many names as values")
        for part, item in zip(target.elts, items, strict=True):
            self.store(node, part, item)

    def _store_component(self, node: ast.stmt, target: ast.Subscript, name: ast.Name, value: Binding) -> None:
        held = self.look_up(name)
        if not isinstance(held, Vec):
            self.refuse(node, f"`{name.id}` is {describe(held)}", "assign to components of vectors")
        if isinstance(target.slice, ast.Slice):
            self.refuse(node, "a slice is assigned to", "assign component by component, or make a vector")
        parts = list(held.parts)
        parts[self.position(target, len(parts))] = self.real(self.scalar(node, value, "the component"))
        self._store_name(node, name.id, Vec(tuple(parts)))

    def _store_name(self, node: ast.stmt, name: str, value: Binding) -> None:
        frame = self.frame
        if len(self.frames) == 1 and name in self.quantities:
            self.refuse(node, f"`{name}` is carried on wires", f"assign them, as in `{name}.{self._a_wire(name)} = x`")
        if name not in frame.locals:
            self.refuse(node, f"`{name}` belongs to the surroundings", "use a name of the kernel's own")
        if len(self.frames) == 1 and name in self.planes:
            self.written.add(name)
            value = self._plane_value(node, self.planes[name], value)
        frame.env[name] = value

    def _a_wire(self, name: str) -> str:
        return next(iter(self.quantities[name].wires))

    def _plane_value(self, node: ast.stmt, plane: Declaration, value: Binding) -> Binding:
        name = plane.name
        if plane.role == "terminated":
            return self._mask_value(node, name, value)
        if plane.role != "mutable":
            kind = "Param" if plane.role == "uniform" else "Scalar" if plane.width is None else "Vector"
            self.refuse(
                node,
                f"`{name}` is declared {kind}, which is only read",
                f"use another name, or declare it `Mutable[{'Scalar' if kind == 'Param' else kind}]`",
            )
        return self.fit(node, plane, value)

    def _mask_value(self, node: ast.stmt, name: str, value: Binding) -> Binding:
        if self.frame.env[MASK_SET].value:
            self.refuse(node, f"`{name}` is set a second time", "set it once, with `or` between the conditions")
        if not (isinstance(value, Value) and value.type == BOOL):
            self.refuse(node, f"`{name}` is set to {describe(value)}", "set it to a condition, as in `t >= t_end`")
        self.frame.env[MASK_SET] = Static(True)
        return value

    def fit(self, node: ast.AST, plane: Declaration, value: Binding) -> Binding:
        """The value as this plane holds it."""
        if plane.width is not None:
            if isinstance(value, tuple) and all(isinstance(part, Value) for part in value):
                value = Vec(value)
            if not isinstance(value, Vec) or len(value.parts) != plane.width:
                self.refuse(
                    node,
                    f"`{plane.name}` is a vector of {plane.width}, the value is {describe(value)}",
                    "make one with `hawk.vector(...)`",
                )
            return Vec(tuple(self.real(part) for part in value.parts))
        number = self.scalar(node, value, f"the value of `{plane.name}`")
        if plane.element == REAL:
            return self.real(number)
        if number.type == REAL:
            self.refuse(
                node,
                f"`{plane.name}` holds integers, the value is {describe(number)}",
                "make it one with `int(...)`, which cuts the fraction off",
            )
        return self.integer(number)

    # ------------------------------------------------------------------ flow

    def _if(self, node: ast.If) -> None:
        cond = self.truth(node.test, self.expr(node.test))
        self.branch(node, cond, lambda: self.statements(node.body), lambda: self.statements(node.orelse))

    def _for(self, node: ast.For) -> None:
        if node.orelse:
            self.refuse(node, "a loop has `else`", "put it after the loop")
        items = self.sequence(node.iter, self.expr(node.iter))
        if len(items) > MOST_ITERATIONS:
            self.refuse(
                node,
                f"the loop has {len(items)} iterations, and loops are unrolled up to {MOST_ITERATIONS}",
                "make one iteration the kernel's step and let the caller run the steps",
            )
        for item in items:
            self.guarded(node, lambda item=item: self._iteration(node, item))  # type: ignore[misc]

    def _iteration(self, node: ast.For, item: Binding) -> None:
        self.store(node, node.target, self.builder.const(item) if isinstance(item, int) else item)
        self.statements(node.body)

    def _return(self, node: ast.Return) -> None:
        env = self.frame.env
        env[RESULT] = NONE if node.value is None else self._returned(node.value)
        env[RETURNED] = self.builder.true

    def _returned(self, node: ast.expr) -> Binding:
        if not isinstance(node, ast.Dict) or len(self.frames) > 1:
            return self.expr(node)
        result: dict[str, Binding] = {}
        for key, value in zip(node.keys, node.values, strict=True):
            if not (isinstance(key, ast.Constant) and isinstance(key.value, str) and key.value.isidentifier()):
                self.refuse(node, "a key of the returned dict is no name", "use strings such as 'energy'")
            result[key.value] = self.expr(value)
        return result

    def _expression(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Constant) and (node.value.value is ... or isinstance(node.value.value, str)):
            return
        if isinstance(node.value, ast.Call):
            self.expr(node.value)  # what cannot be called at all says so, and what to write instead
        self.refuse(node, "the value of this expression is not used", "assign it to a name, or leave it out")

    def _pass(self, node: ast.Pass) -> None:
        pass

    _STATEMENTS: dict[type[ast.stmt], Callable[..., None]] = {  # noqa: RUF012
        ast.Assign: _assign,
        ast.AnnAssign: _annotated,
        ast.AugAssign: _augmented,
        ast.If: _if,
        ast.For: _for,
        ast.Return: _return,
        ast.Expr: _expression,
        ast.Pass: _pass,
    }


def _loaded(target: ast.Name | ast.Subscript | ast.Attribute) -> ast.expr:
    """The target as an expression that reads it."""
    if isinstance(target, ast.Attribute):
        return ast.copy_location(ast.Attribute(target.value, target.attr, ast.Load()), target)
    if isinstance(target, ast.Name):
        return ast.copy_location(ast.Name(target.id, ast.Load()), target)
    return ast.copy_location(ast.Subscript(target.value, target.slice, ast.Load()), target)
