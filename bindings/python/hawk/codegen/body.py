"""The body of a kernel as C++ statements."""

from __future__ import annotations

import math

from hawk.ir import BOOL, INT, REAL, Block, If, Value

TYPES = {REAL: "R", INT: "I", BOOL: "M"}
_INFIX = {
    "add": "+", "sub": "-", "mul": "*", "div": "/", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==",
    "ne": "!=", "and": "&", "or": "|", "xor": "^",
}  # fmt: skip
_PREFIX = {"neg": "-", "not": "!"}
_INTEGER_DIVISION = {"idiv": "floor_div", "imod": "floor_mod"}
_REAL_DIVISION = {"floordiv": "floor_div", "mod": "floor_mod"}
_CASTS = {(REAL, INT): "to_real", (REAL, BOOL): "to_real", (INT, REAL): "to_int", (INT, BOOL): "to_int"}


def literal(value: Value) -> str:
    """A constant, wrapped in the type of its lanes."""
    number = value.data
    if isinstance(number, bool):
        return f"M({str(number).lower()})"
    if isinstance(number, int):
        return "I(-9223372036854775807 - 1)" if number == -(2**63) else f"I({number})"
    assert isinstance(number, float)
    if math.isnan(number):
        return "R(nan)"
    if math.isinf(number):
        return "R(inf)" if number > 0 else "R(-inf)"
    return f"R({number!r})"


def member(name: str, component: int | None) -> str:
    """The spelling of a plane: no name of a model can meet a keyword or a name of the headers."""
    return f"{name}_" if component is None else f"{name}_{component}"


class Body:
    """Writes the statements of a block; `lines` collects them."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.names: dict[int, str] = {}
        self.masks = 0

    def ref(self, value: Value) -> str:
        if value.op == "const":
            return literal(value)
        if value.op == "load":
            name, component = value.data
            return f"s.{member(name, component)}"
        if value.op == "param":
            return f"{TYPES[value.type]}(u.{value.data}_)"
        return self.names[id(value)]

    def known(self, value: Value) -> bool:
        return value.op in ("const", "load", "param") or id(value) in self.names

    def define(self, value: Value) -> str:
        name = self.names[id(value)] = f"v{len(self.names)}"
        return name

    def block(self, block: Block, mask: str, indent: str) -> None:
        """The block's statements; `mask` names the lanes that execute it."""
        for op in block.ops:
            if isinstance(op, If):
                self.branch(op, mask, indent)
            else:
                text = self.operation(op, mask)
                self.lines.append(f"{indent}const {TYPES[op.type]} {self.define(op)} = {text};")

    def operation(self, op: Value, mask: str) -> str:
        args = [self.ref(arg) for arg in op.args]
        if op.op in _INFIX:
            return f"{args[0]} {_INFIX[op.op]} {args[1]}"
        if op.op in _PREFIX:
            return _PREFIX[op.op] + args[0]
        if op.op in _INTEGER_DIVISION:
            return f"{_INTEGER_DIVISION[op.op]}({args[0]}, {args[1]}, {mask}, f)"
        if op.op in _REAL_DIVISION:
            return f"{_REAL_DIVISION[op.op]}({args[0]}, {args[1]})"
        if op.op == "cast":
            return f"{_CASTS[op.type, op.args[0].type]}<S>({args[0]})"
        name = "sel" if op.op == "sel" else op.data
        return f"{name}({', '.join(args)})"

    def branch(self, node: If, mask: str, indent: str) -> None:
        cond = self.ref(node.cond)
        names, inside = [], []
        for result, (a, b) in zip(node.results, node.pairs, strict=True):
            outer = self.known(a), self.known(b)
            names.append(f"v{len(self.names)}")
            self.names[id(result)] = names[-1]
            inside.append((not outer[0], not outer[1]))
            type_ = TYPES[result.type]
            if outer == (True, True):
                text = f"const {type_} {names[-1]} = sel({cond}, {self.ref(a)}, {self.ref(b)});"
            elif outer == (False, False):
                text = f"{type_} {names[-1]} = {type_}({'false' if result.type == BOOL else 0});"
            else:
                text = f"{type_} {names[-1]} = {self.ref(a if outer[0] else b)};"
            self.lines.append(indent + text)
        for side, block, test in ((0, node.then, cond), (1, node.other, "!" + cond)):
            wanted = [
                (name, pair[side]) for name, pair, new in zip(names, node.pairs, inside, strict=True) if new[side]
            ]
            if wanted:
                self.side(block, wanted, f"{mask} & {test}", indent)

    def side(self, block: Block, wanted: list[tuple[str, Value]], lanes: str, indent: str) -> None:
        mask = f"m{self.masks}"
        self.masks += 1
        self.lines += [f"{indent}const M {mask} = {lanes};", f"{indent}if (any({mask})) {{"]
        self.block(block, mask, indent + "    ")
        self.lines += [f"{indent}    {name} = sel({mask}, {self.ref(value)}, {name});" for name, value in wanted]
        self.lines.append(indent + "}")
