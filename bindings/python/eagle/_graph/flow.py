"""The `with` blocks of a recording: bodies and branches."""

from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from .handles import Cell, Node
from .lines import caller

if TYPE_CHECKING:
    from .recorder import Recorder


def _refuse_again(what: str, first: tuple[str, int] | None, call: str) -> None:
    """A `with` block stands for one node, so it is entered once."""
    if first is not None:
        file, line = first
        raise ValueError(
            f"this {what} was recorded already ({file}:{line}); make another one for more work: `with {call}:`"
        )


class Scope:
    """A body or branch. What is recorded inside its `with` block goes into it."""

    def __init__(self, begin: Callable[[tuple[str, int]], Any]) -> None:
        self._begin = begin
        self._scope: Any = None

    def __enter__(self) -> None:
        self._scope = self._begin(caller())

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._scope.end() if kind is None else self._scope.abandon()


class Loop:
    """`with g.while_(...) as loop:`: `loop.iteration` is a cell that counts the iterations before this one."""

    def __init__(self, recorder: "Recorder", begin: Callable[[tuple[str, int]], Any]) -> None:
        self._recorder, self._begin = recorder, begin
        self._where = caller()
        recorder._not_entered.append(self)
        self._scope: Any = None
        self._entered: tuple[str, int] | None = None
        self.iteration: Cell
        self.node: Node

    def __enter__(self) -> Self:
        _refuse_again("loop", self._entered, "g.while_(...) as loop` or `with g.repeat(...) as loop")
        where = caller()
        self._scope = self._begin(where)
        self._entered = where
        self._recorder._not_entered.remove(self)
        self.iteration = Cell(self._recorder, self._scope.iteration)
        self.node = Node(self._recorder, self._scope.node)
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._scope.end() if kind is None else self._scope.abandon()


class _Opened:
    """A `with` block whose parts are blocks of their own. One that an exception leaves is half recorded."""

    _article = "a"

    def __init__(self, recorder: "Recorder", what: str, call: str) -> None:
        self._recorder, self._what, self._call = recorder, what, call
        self._where = caller()
        self._entered: tuple[str, int] | None = None

    def __enter__(self) -> Self:
        _refuse_again(self._what, self._entered, self._call)
        self._entered = caller()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if kind is not None:
            self._recorder._description.abandon(f"the `with` block of {self._article} {self._what}", self._where)


class Branch(_Opened):
    """`with g.if_(cell) as branch:` with `with branch.then:` and `with branch.otherwise:` inside."""

    _article = "an"

    def __init__(self, recorder: "Recorder", core: Any) -> None:
        super().__init__(recorder, "if", "g.if_(...) as branch")
        self._core = core
        self.node = Node(recorder, core.node)

    @property
    def then(self) -> Scope:
        return Scope(self._core.then)

    @property
    def otherwise(self) -> Scope:
        return Scope(self._core.otherwise)


class Arms(_Opened):
    """`with g.switch(cell, 3) as arms:` with `with arms[0]:`, `with arms[1]:` and `with arms[2]:` inside."""

    def __init__(self, recorder: "Recorder", core: Any, count: int) -> None:
        super().__init__(recorder, "switch", "g.switch(...) as arms")
        self._core, self._count = core, count
        self.node = Node(recorder, core.node)

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, number: int) -> Scope:
        if isinstance(number, int) and not 0 <= number < self._count:
            raise IndexError(f"arm {number} of a switch of {self._count} arms; it needs 0 to {self._count - 1}")
        return Scope(lambda where: self._core.arm(number, where))


class Fork(_Opened):
    """`with g.fork() as f:` with one `with f.branch():` for each branch inside; branches may run at the same time."""

    def __init__(self, recorder: "Recorder", core: Any) -> None:
        super().__init__(recorder, "fork", "g.fork() as f")
        self._core = core

    def branch(self, name: str = "") -> Scope:
        return Scope(lambda where: self._core.branch(name, where))
