"""Two sides of a condition, and what each name stands for after them."""

from __future__ import annotations

import ast
from collections.abc import Callable
from itertools import count

from hawk.frontend.bindings import Binding, Missing, Static, Vec, describe
from hawk.frontend.context import MASK_SET, RESULT, RETURNED, Context
from hawk.ir import Block, Value
from hawk.ir.build import Pair

# The binding on a side where nobody will look: the function has returned there.
UNSEEN = object()


class _Join:
    """Collects the pairs of numbers that differ between the sides, then hands out their values after the branch."""

    def __init__(self, context: Context, then: Block, other: Block) -> None:
        self.context = context
        self.blocks = (then, other)
        self.pairs: list[Pair] = []
        self.results: list[Value] = []

    def number(self, a: Value, b: Value) -> Callable[[], Binding]:
        if a.type != b.type:
            with self.context.builder.inside(self.blocks[0]):
                a = self.context.unify(a, b)[0]
            with self.context.builder.inside(self.blocks[1]):
                b = self.context.unify(b, a)[0]
        return self.pair(a, b)

    def pair(self, a: Value | None, b: Value | None) -> Callable[[], Binding]:
        index = len(self.pairs)
        self.pairs.append((a, b))
        return lambda: self.results[index]

    def one_sided(self, binding: Binding, first: bool) -> Callable[[], Binding]:
        """A binding of one side alone, whose other side is unseen."""
        if isinstance(binding, Value):
            return self.pair(binding, None) if first else self.pair(None, binding)
        return self.rebuild(binding, lambda part: self.one_sided(part, first))

    def rebuild(self, binding: Binding, each: Callable[[Binding], Callable[[], Binding]]) -> Callable[[], Binding]:
        if isinstance(binding, Vec):
            made = [each(part) for part in binding.parts]
            return lambda: Vec(tuple(make() for make in made))
        if isinstance(binding, tuple):
            made = [each(part) for part in binding]
            return lambda: tuple(make() for make in made)
        if isinstance(binding, dict):
            table = {key: each(part) for key, part in binding.items()}
            return lambda: {key: make() for key, make in table.items()}
        return lambda: binding

    def merge(self, a: Binding, b: Binding) -> Callable[[], Binding] | None:
        """How to make the binding after the branch; None when the two do not go together."""
        if a is UNSEEN or b is UNSEEN:
            return self.one_sided(b if a is UNSEEN else a, b is UNSEEN)
        if a is b or (isinstance(a, Static) and isinstance(b, Static) and a.value is b.value):
            return lambda: a
        if isinstance(a, Value) and isinstance(b, Value):
            return self.number(a, b)
        left, right = _parts(a), _parts(b)
        if left is None or right is None or type(a) is not type(b) or list(left) != list(right):
            return None
        made = [self.merge(left[key], right[key]) for key in left]
        if any(make is None for make in made):
            return None
        order = count()
        return self.rebuild(a, lambda _: made[next(order)])  # type: ignore[arg-type, return-value]


def _parts(binding: Binding) -> dict[object, Binding] | None:
    if isinstance(binding, dict):
        return binding
    items = binding.parts if isinstance(binding, Vec) else binding if isinstance(binding, tuple) else None
    return None if items is None else dict(enumerate(items))


class Branching(Context):
    def choose(
        self, node: ast.AST, cond: Value, first: Callable[[], Binding], second: Callable[[], Binding]
    ) -> Binding:
        """The value of an expression that computes one of two; assigns no names."""
        if cond.is_const:
            return first() if cond.data else second()
        then, a = self._side(first)
        other, b = self._side(second)
        join = _Join(self, then, other)
        make = join.merge(a, b)
        if make is None:
            self.refuse(node, f"one side is {describe(a)}, the other {describe(b)}", "give both sides the same kind")
        join.results = self.builder.join(cond, then, other, join.pairs)
        return make()

    def _side(self, run: Callable[[], Binding]) -> tuple[Block, Binding]:
        block = self.builder.nested()
        with self.builder.inside(block):
            return block, run()

    def branch(self, node: ast.AST, cond: Value, first: Callable[[], None], second: Callable[[], None]) -> None:
        """Runs two bodies of statements, and joins what they leave in the names."""
        if cond.is_const:
            (first if cond.data else second)()
            return
        frame, before = self.frame, self.frame.env
        sides: list[dict[str, Binding]] = []
        blocks: list[Block] = []
        for run in (first, second):
            frame.env = dict(before)
            block = self.builder.nested()
            with self.builder.inside(block):
                run()
            sides.append(frame.env)
            blocks.append(block)
        join = _Join(self, blocks[0], blocks[1])
        plan = {name: self._merged(node, join, name, sides) for name in {**sides[0], **sides[1]}}
        join.results = self.builder.join(cond, blocks[0], blocks[1], join.pairs)
        frame.env = {name: make() for name, make in plan.items()}

    def _merged(self, node: ast.AST, join: _Join, name: str, sides: list[dict[str, Binding]]) -> Callable[[], Binding]:
        if name == MASK_SET:
            return self._mask_set(sides)
        line = getattr(node, "lineno", 0)
        values = [self._seen(name, side, line, which) for side, which in zip(sides, ("true", "false"), strict=True)]
        for value in values:
            if isinstance(value, Missing):
                return lambda value=value: value  # type: ignore[misc]
        if values[0] is UNSEEN and values[1] is UNSEEN:
            return lambda: Missing("has no value here, because the function has returned")
        make = join.merge(values[0], values[1])
        if make is None:
            why = f"is {describe(values[0])} where line {line} is true and {describe(values[1])} where it is false"
            return lambda: Missing(why)
        return make

    def _mask_set(self, sides: list[dict[str, Binding]]) -> Callable[[], Binding]:
        """Has the mask been set on a way that goes on?"""
        going = [side[MASK_SET].value for side in sides if side[RETURNED] is not self.builder.true]
        return lambda: Static(any(going))

    def _seen(self, name: str, side: dict[str, Binding], line: int, which: str) -> Binding:
        returned = side[RETURNED] is self.builder.true
        if name == RESULT:
            return side.get(RESULT, UNSEEN)
        if returned and name != RETURNED and name not in self.frame.kept:
            return UNSEEN
        if name in side:
            return side[name]
        return Missing(f"is given a value only where the condition in line {line} is {_other(which)}")


def _other(which: str) -> str:
    return "false" if which == "true" else "true"
