"""Operators: on numbers, and component by component on vectors."""

from __future__ import annotations

import ast
from collections.abc import Callable

from hawk.frontend.bindings import Binding, Static, Vec, describe
from hawk.frontend.context import Context
from hawk.ir import BOOL, INT, REAL, Value

_PLAIN = {ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul"}
_LOGIC = {ast.BitAnd: "and", ast.BitOr: "or", ast.BitXor: "xor"}
_COMPARE = {ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge", ast.Eq: "eq", ast.NotEq: "ne"}
# x ** n is made of multiplications up to this |n|; above it is the function pow.
MOST_POWER = 64


class Arithmetic(Context):
    def spread(self, node: ast.AST, args: list[Binding], make: Callable[[list[Value]], Value]) -> Binding:
        """Applies `make` to numbers, or to each component where vectors (of one width) are among the arguments."""
        widths = {len(arg.parts) for arg in args if isinstance(arg, Vec)}
        if not widths:
            return make([self.scalar(node, arg, "an operand") for arg in args])
        if len(widths) > 1:
            sizes = " and ".join(str(width) for width in sorted(widths))
            self.refuse(node, f"vectors of {sizes} components meet", "take slices of one width")
        columns = []
        for index in range(widths.pop()):
            row = [arg.parts[index] if isinstance(arg, Vec) else self.scalar(node, arg, "an operand") for arg in args]
            columns.append(make(row))
        return Vec(tuple(columns))

    def binary(self, node: ast.AST, op: ast.operator, left: Binding, right: Binding) -> Binding:
        if isinstance(left, tuple) or isinstance(right, tuple):
            self.refuse(
                node,
                f"{describe(left)} meets {describe(right)}; tuples have no arithmetic",
                "make a vector with `hawk.vector(...)`",
            )
        return self.spread(node, [left, right], lambda pair: self.operate(node, op, pair[0], pair[1]))

    def operate(self, node: ast.AST, op: ast.operator, a: Value, b: Value) -> Value:
        kind = type(op)
        if kind in _PLAIN:
            a, b = self.unify(self.integer(a), self.integer(b))
            return self._whole(node, self.builder.emit(_PLAIN[kind], (a, b), a.type))
        if kind is ast.Div:
            return self.builder.emit("div", (self.real(a), self.real(b)), REAL)
        if kind in (ast.FloorDiv, ast.Mod):
            return self._floored(node, kind is ast.FloorDiv, a, b)
        if kind is ast.Pow:
            return self.power(node, a, b)
        if kind in _LOGIC:
            return self._bitwise(node, _LOGIC[kind], a, b)
        self.refuse(node, "this operator is not part of the kernel language", "use + - * / // % ** and comparisons")

    def _whole(self, node: ast.AST, value: Value) -> Value:
        """Integers wrap at run time. A constant that does is a slip: Python would have gone on exactly."""
        if value.type == INT and not value.is_const and all(arg.is_const for arg in value.args):
            self.refuse(node, "the integer constant is outside int64", "write it as a real, as in `1e20` or `10.0**20`")
        return value

    def _floored(self, node: ast.AST, quotient: bool, a: Value, b: Value) -> Value:
        a, b = self.unify(self.integer(a), self.integer(b))
        if a.type == REAL:
            return self.builder.emit("floordiv" if quotient else "mod", (a, b), REAL)
        if b.is_const and b.data == 0:
            self.refuse(node, "an integer is divided by the constant 0", "divide by another number")
        return self.builder.emit("idiv" if quotient else "imod", (a, b), INT)

    def _bitwise(self, node: ast.AST, name: str, a: Value, b: Value) -> Value:
        if a.type != BOOL or b.type != BOOL:
            self.refuse(node, f"{describe(a)} meets {describe(b)}; `&`, `|` and `^` take bools", "compare first")
        return self.builder.emit(name, (a, b), BOOL)

    def power(self, node: ast.AST, base: Value, exponent: Value) -> Value:
        """Whole constant exponents multiply: for each binary digit of n after the first, square, then times the base
        where the digit is 1. A negative one divides 1 by that."""
        n = exponent.data
        if exponent.is_const and isinstance(n, (int, float)) and float(n).is_integer() and abs(n) <= MOST_POWER:
            base = self.integer(base) if isinstance(n, int) and n >= 0 else self.real(base)
            product = self._product(node, base, abs(int(n)))
            one = self.builder.const(1.0)
            return product if n >= 0 else self.builder.emit("div", (one, product), REAL)
        if base.type != REAL and exponent.type != REAL:
            self.refuse(
                node,
                "an integer has an integer power that is not a constant from -64 to 64",
                "make one of them real with `float(...)`",
            )
        return self.builder.emit("call", (self.real(base), self.real(exponent)), REAL, "pow")

    def _product(self, node: ast.AST, base: Value, n: int) -> Value:
        if n == 0:
            return self.builder.const(1 if base.type == INT else 1.0)
        result = base
        for digit in bin(n)[3:]:
            result = self._whole(node, self.builder.emit("mul", (result, result), base.type))
            if digit == "1":
                result = self._whole(node, self.builder.emit("mul", (result, base), base.type))
        return result

    def unary(self, node: ast.UnaryOp, operand: Binding) -> Binding:
        if isinstance(node.op, ast.Not):
            return self.negate(self.truth(node.operand, operand))
        if isinstance(node.op, ast.Invert):
            value = self.scalar(node, operand, "the operand")
            if value.type != BOOL:
                self.refuse(node, f"`~` of {describe(value)}", "use `not` on a bool, `-x - 1` on an integer")
            return self.negate(value)
        if isinstance(node.op, ast.UAdd):
            return self.spread(node, [operand], lambda one: self.integer(one[0]))
        return self.spread(node, [operand], self._minus)

    def _minus(self, one: list[Value]) -> Value:
        value = self.integer(one[0])
        return self.builder.emit("neg", (value,), value.type)

    def compare(self, node: ast.AST, op: ast.cmpop, left: Binding, right: Binding) -> Value:
        if isinstance(op, (ast.Is, ast.IsNot)):
            return self._identity(node, isinstance(op, ast.Is), left, right)
        if isinstance(left, Static) and isinstance(right, Static) and isinstance(op, (ast.Eq, ast.NotEq)):
            return self.builder.const(self._equal(node, left, right) is isinstance(op, ast.Eq))
        if type(op) not in _COMPARE:
            self.refuse(node, "`in` is not part of the kernel language", "compare with each element")
        if isinstance(left, Vec) or isinstance(right, Vec):
            self.refuse(node, f"{describe(left)} is compared with {describe(right)}", "compare components")
        a, b = self.unify(self.scalar(node, left, "the left side"), self.scalar(node, right, "the right side"))
        name = _COMPARE[type(op)]
        if a.type == BOOL:
            if name in ("eq", "ne"):
                differ = self.builder.emit("xor", (a, b), BOOL)
                return differ if name == "ne" else self.negate(differ)
            a, b = self.integer(a), self.integer(b)
        return self.builder.emit(name, (a, b), BOOL)

    def _equal(self, node: ast.AST, left: Static, right: Static) -> bool:
        """Whether two objects of the surroundings are equal; what is no plain yes or no (arrays) is refused."""
        try:
            equal = left.value == right.value
        except Exception as error:
            self.refuse(node, f"comparing raises {type(error).__name__}: {error}", "compare outside the kernel")
        if not isinstance(equal, bool):
            self.refuse(node, f"{describe(left)} is compared with {describe(right)}", "compare outside the kernel")
        return equal

    def _identity(self, node: ast.AST, same: bool, left: Binding, right: Binding) -> Value:
        none = [side for side in (left, right) if isinstance(side, Static) and side.value is None]
        if not none and not (isinstance(left, Static) and isinstance(right, Static)):
            self.refuse(node, "`is` compares numbers of a kernel", "use `==`")
        equal = isinstance(left, Static) and isinstance(right, Static) and left.value is right.value
        return self.builder.const(equal is same)
