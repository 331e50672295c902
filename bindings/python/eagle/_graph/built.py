"""A graph that was built, and its replays."""

import atexit
import os
import sys
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from .. import _core
from .._core import PlaneRef
from .handles import Node, Plane

if TYPE_CHECKING:
    from .recorder import Recorder


_alive: "weakref.WeakSet[BuiltGraph]" = weakref.WeakSet()
os.register_at_fork(after_in_child=_alive.clear)  # the parent's


@atexit.register
def _finish() -> None:
    """A host function that is still to run on a device needs the interpreter."""
    for built in list(_alive):
        try:
            built.synchronize()
        except _core.Busy:
            pass  # a daemon thread is inside, and stays there
        except BaseException:
            sys.excepthook(*sys.exc_info())


def _in_notebook() -> bool:
    """Whether something here shows `_repr_svg_`: a shell of IPython that is no terminal."""
    shell = getattr(sys.modules.get("IPython"), "get_ipython", lambda: None)()
    return shell is not None and type(shell).__name__ == "ZMQInteractiveShell"


class _Result(NamedTuple):
    """A plane that the recording returned."""

    name: str
    ref: PlaneRef


def _mapped(returned: Any, call: Callable[[Any], Any]) -> Any:
    """`call` of each plane in what a recording returned: planes, and tuples, lists and dicts of them."""
    if isinstance(returned, Plane | _Result):
        return call(returned)
    if isinstance(returned, dict):
        return {key: _mapped(value, call) for key, value in returned.items()}
    if isinstance(returned, tuple | list):
        values = [_mapped(value, call) for value in returned]
        return type(returned)(*values) if hasattr(returned, "_fields") else type(returned)(values)
    return None


class BuiltGraph(_core.BuiltGraph):
    """What `Graph.build` returns. `built()` replays, and returns the arrays of what the recording returned: the next
    replay overwrites them. On host kinds a replay returns when the work is done; on device kinds once it is enqueued,
    and `synchronize()` waits. One caller at a time: a second entry raises `eagle.Busy`. Ctrl-C ends the loops of a
    long replay on a host kind where the graph calls no Python; else it is answered when the replay ends.
    """

    def __init__(self, recorder: "Recorder", returned: Any, backend: str | None) -> None:
        super().__init__(recorder._description, backend)
        self._given: dict[str, Any] = {}  # arrays of the caller's that are results, by the names of their planes
        self._returned = _mapped(returned, lambda plane: self._result_of(plane, recorder))
        self._numbers = {name: number.value for name, number in recorder._numbers.items()}
        self._refresh()
        _alive.add(self)

    def bind(self, **arrays: Any) -> Self:
        """New arrays for planes, by name: same shape, strides, dtype and device. All of them or, on an error, none."""
        self.bind_arrays(arrays)
        self._given.update({name: array for name, array in arrays.items() if name in self._given})
        self._refresh()
        return self

    def update(self, **numbers: float | int) -> Self:
        """New numbers, by the names they were built under. All of them or, on an error, none."""
        done: list[str] = []
        try:
            for name, value in numbers.items():
                self.update_numbers({name: value})
                done.append(name)
        except BaseException:
            self.update_numbers({name: self._numbers[name] for name in done})
            raise
        self._numbers.update(numbers)
        return self

    def set_enabled(self, node: Node | str, enabled: bool) -> Self:
        """Whether a node takes part in replays: launches, copies, fills and reductions."""
        if isinstance(node, Node) and node._recorder._description is not self.description:
            raise ValueError(f"{node!r} is no node of {self!r}; give one that its own recording returned, or a name")
        super().set_enabled(node.name if isinstance(node, Node) else node, enabled)
        return self

    def nodes(self) -> list[dict[str, Any]]:
        """Each node: name, kind, line, the body it is in, what it reads and writes."""
        return self.description.nodes()

    @property
    def numbers(self) -> dict[str, float | int]:
        """The numbers of the next replay, by name."""
        return dict(self._numbers)

    def to_dot(self) -> str:
        """For Graphviz."""
        return self.picture("dot")

    def to_mermaid(self) -> str:
        """For Mermaid."""
        return self.picture("mermaid")

    def to_svg(self) -> str:
        """A picture as SVG; no other program lays it out."""
        return self.picture("svg")

    def show(self) -> Any:
        """The picture in a notebook; elsewhere the graph as text, printed."""
        if _in_notebook():
            return self
        print(self.picture("text"))
        return None

    def _repr_svg_(self) -> str:
        return self.to_svg()

    def report(self) -> dict[str, Any]:
        """How changes came into the executable: `repointed` nodes, `updated` and new `captured` captures, `last` in a
        sentence; `launches`."""
        return self.report_facts()

    def memory_report(self) -> dict[str, Any]:
        """Bytes: `arena` of the graph's own, `without_sharing` what it would be, `planes` of the caller's."""
        return self.memory_facts()

    def _refresh(self) -> None:
        self.results = _mapped(self._returned, self._array_of)

    def _result_of(self, plane: Plane, recorder: "Recorder") -> "_Result":
        if plane.name in recorder._owners:
            self._given[plane.name] = recorder._owners[plane.name]
        return _Result(plane.name, plane._ref)

    def _array_of(self, result: "_Result") -> Any:
        return self._given[result.name] if result.name in self._given else self.array(result.ref)

    def __reduce__(self) -> Any:
        raise TypeError(
            f"{self!r} does not pickle: it is memory, code and handles of this process; build it where it is to run"
        )

    def __repr__(self) -> str:
        return f"<eagle.BuiltGraph {self.description.name} on {self.backend}>"
