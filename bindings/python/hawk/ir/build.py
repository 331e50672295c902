"""Making a kernel's operations: equal ones are shared, constants folded, small branches made selections."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager

from hawk.ir.fold import fold, round_to
from hawk.ir.nodes import BOOL, FAULTING, INT, REAL, Block, If, Key, Value

# A branch whose two sides cost no more than this many additions is cheaper as a selection than as a jump.
SMALL_BRANCH = 6
# More operations than this are refused: a compiler would need minutes.
MOST_OPERATIONS = 50_000

Pair = tuple[Value | None, Value | None]


class TooLong(Exception):
    """The kernel has more than MOST_OPERATIONS operations."""


class Builder:
    """Appends operations to the block it stands in. `single`: the kernel computes in float32."""

    def __init__(self, single: bool = False) -> None:
        self.single = single
        self.root = Block()
        self.block = self.root
        self.count = 0
        self.true = self.const(True)
        self.false = self.const(False)

    def const(self, number: bool | int | float) -> Value:
        if isinstance(number, bool):
            type_, key = BOOL, str(number)
        elif isinstance(number, int):
            type_, key = INT, str(number)
        else:
            number = round_to(number, self.single)
            type_, key = REAL, "nan" if math.isnan(number) else number.hex()
        return self._shared(("const", type_, key), "const", type_, number)

    def load(self, name: str, component: int | None, type_: str) -> Value:
        """The value of a plane (of one component of it) when the step begins."""
        return self._shared(("load", name, component), "load", type_, (name, component))

    def param(self, name: str, type_: str) -> Value:
        return self._shared(("param", name), "param", type_, name)

    def _shared(self, key: Key, op: str, type_: str, data: object) -> Value:
        found = self.root.table.get(key)
        if found is None:
            found = self.root.table[key] = Value(op, (), type_, data, self.root)
        return found

    def emit(self, op: str, args: tuple[Value, ...], type_: str, data: object = None) -> Value:
        """The result of an operation: one that is there already, a folded constant, or appended to the block."""
        same = self._simple(op, args)
        if same is not None:
            return same
        if data is None and all(arg.is_const for arg in args):
            number = fold(op, args, type_, self.single)
            if number is not None:
                return self.const(number)
        key: Key = (op, data, type_, *args)
        block: Block | None = self.block
        while block is not None:
            if key in block.table:
                return block.table[key]
            block = block.parent
        self.count += 1
        if self.count > MOST_OPERATIONS:
            raise TooLong
        value = Value(op, args, type_, data, self.block)
        self.block.table[key] = value
        self.block.ops.append(value)
        return value

    def _simple(self, op: str, args: tuple[Value, ...]) -> Value | None:
        """Logic that needs no operation."""
        if op == "not" and args[0].op == "not":
            return args[0].args[0]
        if op in ("and", "or"):
            absorbing = self.false if op == "and" else self.true
            neutral = self.true if op == "and" else self.false
            a, b = args
            if absorbing in args:
                return absorbing
            if b is neutral or a is b:
                return a
            if a is neutral:
                return b
        if op == "sel":
            cond, a, b = args
            if cond.is_const:
                return a if cond.data else b
            if a is b:
                return a
            if a.type == BOOL:
                return self._select_bool(cond, a, b)
        return None

    def _select_bool(self, cond: Value, a: Value, b: Value) -> Value | None:
        if b is self.false:
            return self.emit("and", (cond, a), BOOL)
        if a is self.true:
            return self.emit("or", (cond, b), BOOL)
        if a is self.false:
            return self.emit("and", (self.emit("not", (cond,), BOOL), b), BOOL)
        if b is self.true:
            return self.emit("or", (self.emit("not", (cond,), BOOL), a), BOOL)
        return None

    @contextmanager
    def inside(self, block: Block) -> Iterator[Block]:
        """Operations made within go to that block."""
        before, self.block = self.block, block
        try:
            yield block
        finally:
            self.block = before

    def nested(self) -> Block:
        return Block(self.block)

    def join(self, cond: Value, then: Block, other: Block, pairs: list[Pair]) -> list[Value]:
        """Ends a branch: one value for each pair (value on the one side, on the other side).

        A None stands for a value that nobody can see: the sample has returned there.
        """
        if cond.op == "not":
            return self.join(cond.args[0], other, then, [(b, a) for a, b in pairs])
        inner = (then, other)
        wanted = [p for p in pairs if not self._known(p, inner)]
        if self._small(then, other, wanted):
            return self._selected(cond, then, other, pairs)
        node = If(cond, then, other)
        results = [self._known(pair, inner) or self._result(node, pair) for pair in pairs]
        if node.results:
            self.block.ops.append(node)
        return results

    @staticmethod
    def _known(pair: Pair, inner: tuple[Block, Block]) -> Value | None:
        """The value of a pair that needs no branch: the same on both sides, or seen from one side only."""
        a, b = pair
        if a is b and a is not None:
            return a
        one = b if a is None else a if b is None else None
        return None if one is None or any(block.holds(one) for block in inner) else one

    def _result(self, node: If, pair: Pair) -> Value:
        known = pair[0] or pair[1]
        assert known is not None
        zero = {REAL: self.const(0.0), INT: self.const(0), BOOL: self.false}[known.type]
        result = Value("result", (), known.type, (node, len(node.results)), self.block)
        node.pairs.append((pair[0] or zero, pair[1] or zero))
        node.results.append(result)
        self.count += 1
        return result

    @staticmethod
    def _small(then: Block, other: Block, pairs: list[Pair]) -> bool:
        """May both sides be computed for every sample, at less cost than a jump?"""
        cost, stack, seen = 0, [v for pair in pairs for v in pair if v is not None], set()
        while stack:
            value = stack.pop()
            if id(value) in seen or value.is_const or not (then.holds(value) or other.holds(value)):
                continue
            seen.add(id(value))
            cost += value.weight()
            if cost > SMALL_BRANCH or value.op == "result" or value.op in FAULTING:
                return False
            stack.extend(value.args)
        return True

    def _selected(self, cond: Value, then: Block, other: Block, pairs: list[Pair]) -> list[Value]:
        moved: dict[int, Value] = {}

        def here(value: Value) -> Value:
            if not (then.holds(value) or other.holds(value)):
                return value
            if id(value) not in moved:
                args = tuple(here(arg) for arg in value.args)
                moved[id(value)] = self.emit(value.op, args, value.type, value.data)
            return moved[id(value)]

        results = []
        for a, b in pairs:
            if a is None or b is None:
                one = a or b
                assert one is not None
                results.append(here(one))
            else:
                left, right = here(a), here(b)
                results.append(self.emit("sel", (cond, left, right), left.type))
        return results
