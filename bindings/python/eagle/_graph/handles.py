"""What planes, cells, numbers and nodes are while a graph is recorded: names of things that have no value yet.

Whatever asks one for a value raises TypeError and says which call of the recorder does what was meant.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from .._core import NodeRef, PlaneRef
from .lines import caller

if TYPE_CHECKING:
    from .recorder import Recorder


def _no_value(what: str, asked: str, instead: str) -> NoReturn:
    raise TypeError(f"{what} has no value while the graph is recorded, so {asked}; {instead}")


_EACH_SAMPLE = "what differs from sample to sample is an `if` inside a kernel"
_BRANCH = f"record the branch: `with g.if_({{0}}) as branch:`, or the loop: `with g.while_({{0}}):`; {_EACH_SAMPLE}"
_COMPARE = (
    "decide in the graph by an int64 that a kernel writes, `flag = above(x)`: `with g.if_(flag) as branch:` or "
    f"`with g.while_(flag):`; {_EACH_SAMPLE}"
)
_NUMPY = "read it after a replay, or inside a host function: g.host(function, reads=[...])"


class Node:
    """A recorded node. `name` is what errors, pictures and `BuiltGraph.set_enabled` call it."""

    def __init__(self, recorder: "Recorder", ref: NodeRef) -> None:
        self._recorder, self._ref = recorder, ref

    @property
    def name(self) -> str:
        return self._recorder._description.node_name(self._ref)

    def __repr__(self) -> str:
        return f"<node {self.name!r} of graph {self._recorder.name!r}>"


class Number:
    """A number that replays take anew: `built.update(a=3.0)`. It stands where a kernel takes a number."""

    def __init__(self, name: str, value: float | int) -> None:
        self.name, self.value = name, value

    def __float__(self) -> float:
        return float(self.value)

    def __int__(self) -> int:
        return int(self.value)

    def __bool__(self) -> NoReturn:
        _no_value(
            f"number {self.name!r}",
            "a Python condition on it would be decided once, at the build",
            f"use float({self.name}) where that is meant, or decide in a kernel that writes a cell for g.if_",
        )

    def _refuse(self, *_: object) -> NoReturn:
        _no_value(
            f"number {self.name!r}",
            "what Python computes from it would be fixed at the build",
            f"pass the result as an argument of its own, or use float({self.name}) for today's value",
        )

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _refuse
    __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __pow__ = __rpow__ = _refuse
    __neg__ = __pos__ = __abs__ = _refuse
    __hash__ = object.__hash__

    def _compare(self, *_: object) -> NoReturn:
        _no_value(
            f"number {self.name!r}",
            "what Python compares it with would be decided once, at the build",
            f"use float({self.name}) where that is meant, or decide in a kernel that writes a cell for g.if_",
        )

    __lt__ = __le__ = __gt__ = __ge__ = _compare

    def __eq__(self, other: object) -> bool:
        return self is other if isinstance(other, Number) else self._compare()

    def __repr__(self) -> str:
        return f"<number {self.name!r} ({self.value!r}), given anew by update({self.name}=...)>"


class Plane:
    """An array of the graph: `name`, `shape`, `dtype`, `device`. `plane[1:5, ::2]` is a view of it."""

    def __init__(self, recorder: "Recorder", ref: PlaneRef) -> None:
        self._recorder, self._ref = recorder, ref
        facts = recorder._description.plane_facts(ref)
        self.name: str = facts["name"]
        self.shape: tuple[int, ...] = facts["shape"]
        self.dtype: str = facts["dtype"]
        self.device: str = facts["device"]
        self._strides: tuple[int, ...] = facts["strides"]

    @property
    def ndim(self) -> int:
        return len(self.shape)

    def _why_not(self, asked: str, instead: str) -> str:
        if not self._recorder._is_over:
            return f"plane {self.name!r} has no value while the graph is recorded, so {asked}; {instead}"
        return (
            f"plane {self.name!r} stands for an array in the recording and has no value in a host function either, so "
            f"{asked}; use the array itself there, by a name that is not the recording's: the one that build() was "
            "given, or one of yours that g.copy(plane, into=array) writes before"
        )

    def _no_value(self, asked: str, instead: str) -> NoReturn:
        raise TypeError(self._why_not(asked, instead))

    def __bool__(self) -> NoReturn:
        self._no_value("Python cannot branch on it", _BRANCH.format(self.name))

    def __iter__(self) -> Iterator[Any]:
        self._no_value(
            "Python cannot iterate over it",
            "loop where the work runs: `with g.repeat(count):` or `with g.while_(cell):`, or give it to a kernel whole",
        )

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError(f"plane {self.name!r} has no axis, so it has no length")
        return self.shape[0]

    def _numpy(self, *_: Any, **__: Any) -> NoReturn:
        self._no_value("it is no array for NumPy or another framework", _NUMPY)

    __array__ = __array_ufunc__ = __array_function__ = __dlpack__ = __dlpack_device__ = _numpy

    def _refuse(self, *_: Any) -> NoReturn:
        self._no_value(
            "Python's operators cannot compute with it",
            "call a kernel on it: y = kernel(x, 2.0)",
        )

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _refuse
    __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __pow__ = __rpow__ = __matmul__ = __rmatmul__ = _refuse
    __neg__ = __pos__ = __abs__ = __invert__ = _refuse
    __hash__ = object.__hash__

    def _compare(self, *_: Any) -> NoReturn:
        self._no_value("Python cannot compare it", _COMPARE)

    __lt__ = __le__ = __gt__ = __ge__ = _compare

    def __eq__(self, other: object) -> bool:
        return self is other if isinstance(other, Plane) else self._compare()

    __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = _refuse

    def _to_number(self) -> NoReturn:
        self._no_value("it is no Python number", _NUMPY)

    __float__ = __int__ = __index__ = __complex__ = _to_number

    def __setitem__(self, *_: Any) -> NoReturn:
        self._no_value(
            "assignment cannot write it",
            "record the write: g.fill(plane, value), g.copy(source, into=plane), or a kernel with out=plane",
        )

    if not TYPE_CHECKING:  # to a checker's eyes a plane has what stands above, and no more

        def __getattr__(self, name: str) -> NoReturn:
            if name.startswith("_") or not hasattr(np.ndarray, name):
                raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
            folds = f'call g.reduce("{name}", {self.name}), or ' if name in ("sum", "max", "min", "all") else ""
            raise AttributeError(self._why_not(f"it has no `{name}` of an array", folds + _NUMPY))

    def __getitem__(self, key: Any) -> "Plane":
        if self._recorder._is_over:
            self._no_value("it cannot be indexed", "")
        offset, shape, strides = _slice(self, key if isinstance(key, tuple) else (key,))
        known, part = self._recorder._views, (self._ref, offset, tuple(shape), tuple(strides))
        if part not in known:
            name = self._recorder._free_name(f"{self.name}[{_key_text(key)}]")
            made = self._recorder._description.view(name, self._ref, offset, shape, strides, caller())
            known[part] = Plane(self._recorder, made)
        return known[part]

    def __repr__(self) -> str:
        return f"<plane {self.name!r} {self.dtype}{list(self.shape)} of graph {self._recorder.name!r}>"


Cell = Plane  # a plane of one uint32, by which control flow is decided


def _key_text(key: Any) -> str:
    def text(part: Any) -> str:
        if isinstance(part, slice):
            ends = ":".join("" if end is None else str(end) for end in (part.start, part.stop))
            return ends if part.step is None else f"{ends}:{part.step}"
        return "..." if part is Ellipsis else str(part)

    return ", ".join(text(part) for part in (key if isinstance(key, tuple) else (key,)))


def _check_key(plane: Plane, key: tuple[Any, ...]) -> None:
    """Before the key is searched: arrays compare element by element, and planes have no value."""
    for part in key:
        if isinstance(part, slice) or part is Ellipsis:
            continue
        number = hasattr(part, "__index__") and not isinstance(part, bool | Plane) and not getattr(part, "shape", ())
        if not number:
            raise TypeError(
                f"plane {plane.name!r} is indexed with {part!r}; it takes integers, slices and `...`: "
                "gather by an index plane in a kernel"
            )


def _slice(plane: Plane, key: tuple[Any, ...]) -> tuple[int, list[int], list[int]]:
    """Byte offset, shape and strides in bytes of `plane[key]`: NumPy's basic indexing with ints, slices and `...`."""
    _check_key(plane, key)
    if key.count(Ellipsis) > 1:
        raise IndexError(f"plane {plane.name!r} is indexed with several `...`; it takes one")
    given = len(key) - key.count(Ellipsis)
    if given > plane.ndim:
        raise IndexError(f"plane {plane.name!r} has {plane.ndim} axes and is indexed with {given}")
    at = key.index(Ellipsis) if Ellipsis in key else len(key)
    full = (*key[:at], *(slice(None),) * (plane.ndim - given), *key[at + 1 :])
    offset, shape, strides = 0, [], []
    for axis, (part, extent, stride) in enumerate(zip(full, plane.shape, plane._strides, strict=True)):
        if isinstance(part, slice):
            begin, end, step = part.indices(extent)
            count = len(range(begin, end, step))
            offset += begin * stride if count else 0
            shape.append(count)
            strides.append(step * stride)
            continue
        index = part.__index__()
        if not -extent <= index < extent:
            raise IndexError(f"index {index} is out of range for axis {axis} of plane {plane.name!r}, of {extent}")
        offset += index % extent * stride
    return offset, shape, strides
