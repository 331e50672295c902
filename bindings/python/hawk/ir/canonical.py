"""A whole kernel as data, with what nobody uses left out; its text, in which names of temporaries do not appear."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from hawk.ir.nodes import FAULTING, Block, If, Value
from hawk.types import Declaration


@dataclass(frozen=True)
class Program:
    """A kernel's arguments and operations.

    `declarations` are the arguments in the order they were declared, then the outputs. `body` holds the operations
    that run; `stores` what each written plane component gets when the step ends; `finished` the value of the mask, or
    None when the kernel does not write one.
    """

    name: str
    single: bool
    declarations: tuple[Declaration, ...]
    body: Block
    stores: tuple[tuple[str, int | None, Value], ...]
    finished: Value | None
    read: frozenset[str]  # planes and parameters whose value at launch is used
    faults: bool  # an integer division can fault
    operations: int
    # Arguments that are carried on several planes: (argument, planes).
    quantities: tuple[tuple[str, tuple[str, ...]], ...] = ()


def roots(stores: tuple[tuple[str, int | None, Value], ...], finished: Value | None) -> list[Value]:
    return [value for _, _, value in stores] + ([finished] if finished is not None else [])


def live_values(values: list[Value]) -> set[int]:
    """Ids of every operation that the values need. An If counts by its results; only the used ones are followed."""
    live: set[int] = set()
    stack = list(values)
    while stack:
        value = stack.pop()
        if id(value) in live:
            continue
        live.add(id(value))
        stack.extend(value.args)
        if value.op == "result":
            node, index = value.data
            stack.append(node.cond)
            stack.extend(node.pairs[index])
    return live


def prune(block: Block, live: set[int]) -> Block:
    """The block without the operations nobody needs."""
    kept = Block()
    for op in block.ops:
        if isinstance(op, Value):
            if id(op) in live:
                kept.ops.append(op)
            continue
        used = [k for k, result in enumerate(op.results) if id(result) in live]
        if not used:
            continue
        node = If(op.cond, prune(op.then, live), prune(op.other, live))
        node.pairs = [op.pairs[k] for k in used]
        node.results = [op.results[k] for k in used]
        for index, result in enumerate(node.results):
            result.data = (node, index)
        kept.ops.append(node)
    return kept


def inspect_block(block: Block) -> tuple[int, bool]:
    """How many operations stand in it, and whether one of them can fault."""
    count, faults = 0, False
    for op in block.ops:
        if isinstance(op, Value):
            count += 1
            faults |= op.op in FAULTING and may_fault(op)
        else:
            for side in (op.then, op.other):
                inner, inner_faults = inspect_block(side)
                count += inner
                faults |= inner_faults
    return count, faults


def may_fault(op: Value) -> bool:
    """A divisor that is a constant other than 0 and -1 cannot fault."""
    divisor = op.args[1]
    return not (divisor.is_const and divisor.data not in (0, -1))


def _leaf(value: Value) -> str | None:
    if value.op == "const":
        data = value.data
        return f"{value.type}({data.hex() if isinstance(data, float) else data})"
    if value.op == "load":
        name, component = value.data
        return f"%{name}" if component is None else f"%{name}[{component}]"
    if value.op == "param":
        return f"${value.data}"
    return None


class _Text:
    def __init__(self) -> None:
        self.lines: list[str] = []
        self.names: dict[int, str] = {}

    def name(self, value: Value) -> str:
        return _leaf(value) or self.names[id(value)]

    def define(self, value: Value) -> str:
        self.names[id(value)] = f"v{len(self.names)}"
        return self.names[id(value)]

    def block(self, block: Block, indent: str) -> None:
        for op in block.ops:
            if isinstance(op, If):
                self.branch(op, indent)
                continue
            what = op.op if op.data is None else f"{op.op}.{op.data}"
            args = ", ".join(self.name(arg) for arg in op.args)
            self.lines.append(f"{indent}{self.define(op)}:{op.type} = {what}({args})")

    def branch(self, node: If, indent: str) -> None:
        self.lines.append(f"{indent}if {self.name(node.cond)} {{")
        for block, side in ((node.then, 0), (node.other, 1)):
            self.block(block, indent + "  ")
            self.lines.append(f"{indent}  give {', '.join(self.name(pair[side]) for pair in node.pairs)}")
            self.lines.append(indent + ("} else {" if side == 0 else "}"))
        results = ", ".join(f"{self.define(result)}:{result.type}" for result in node.results)
        self.lines.append(f"{indent}into {results}")


def text(program: Program) -> str:
    """The canonical text: equal for kernels that compute the same operations in the same order on the same planes."""
    out = _Text()
    out.lines.append(f"kernel {program.name} {'float32' if program.single else 'float64'}")
    out.lines.extend(f"{d.role} {d.name}: {d.type_text()}" for d in program.declarations)
    out.block(program.body, "  ")
    for name, component, value in program.stores:
        target = name if component is None else f"{name}[{component}]"
        out.lines.append(f"store {target} {out.name(value)}")
    if program.finished is not None:
        out.lines.append(f"finish {out.name(program.finished)}")
    return "\n".join(out.lines) + "\n"


def digest(program: Program) -> str:
    """sha256 of the canonical text, in hexadecimal."""
    return hashlib.sha256(text(program).encode()).hexdigest()
