"""The parts a kernel is made of.

A Value is the result of one operation and has one type. A Block is a list of operations in order; an If holds two
blocks of its own and joins their values. A block may use every value of the blocks around it.
"""

from __future__ import annotations

from typing import Any

REAL = "real"  # float64 or float32, whichever the kernel is compiled for
INT = "int"  # int64; wraps
BOOL = "bool"

# Operations that can end a sample's step with a fault, so that a sample which does not take the branch must not run
# them.
FAULTING = frozenset({"idiv", "imod"})
# What one operation costs beside an addition; a library function has its own. Fitted with the number of vectors held.
WEIGHTS = {"div": 4, "floordiv": 12, "mod": 12, "idiv": 12, "imod": 12}
FUNCTION_WEIGHTS = {
    "sqrt": 2, "exp": 30, "log": 35, "sin": 50, "cos": 50, "tanh": 50, "pow": 80, "atan2": 60, "atan": 50,
}  # fmt: skip


class Value:
    """One operation and its result. `data` is what is no value: a constant's number, a plane's name and component."""

    __slots__ = ("args", "block", "data", "op", "type")

    def __init__(
        self, op: str, args: tuple[Value, ...], type_: str, data: Any = None, block: Block | None = None
    ) -> None:
        self.op = op
        self.args = args
        self.type = type_
        self.data = data
        self.block = block

    @property
    def is_const(self) -> bool:
        return self.op == "const"

    def weight(self) -> int:
        """What it costs, in additions."""
        if self.op == "call":
            return FUNCTION_WEIGHTS.get(str(self.data), 1)
        return WEIGHTS.get(self.op, 1)


class If:
    """A branch that a sample takes or not: two blocks, and the values that come out of them, pair by pair."""

    __slots__ = ("cond", "other", "pairs", "results", "then")

    def __init__(self, cond: Value, then: Block, other: Block) -> None:
        self.cond = cond
        self.then = then
        self.other = other
        self.pairs: list[tuple[Value, Value]] = []
        self.results: list[Value] = []


class Block:
    """Operations in order. `table` finds an equal operation that is there already."""

    __slots__ = ("ops", "parent", "table")

    def __init__(self, parent: Block | None = None) -> None:
        self.parent = parent
        self.ops: list[Value | If] = []
        self.table: dict[tuple[object, ...], Value] = {}

    def holds(self, value: Value) -> bool:
        """Is the value made in this block or in one inside it (so that it is unknown outside)?"""
        block = value.block
        while block is not None:
            if block is self:
                return True
            block = block.parent
        return False


Key = tuple[object, ...]
