"""What a recording function gets as its first argument."""

import functools
import inspect
import sys
from collections.abc import Callable, Iterable, Sequence
from numbers import Number as PythonNumber
from typing import Any, NoReturn

import numpy as np

from .._core import GraphDescription, Plan, PlaneRef
from .._deploy import deploy
from . import flow
from .handles import Cell, Node, Number, Plane
from .lines import caller

_NOT_A_PLANE = "it must be a plane of the graph or an array"


class Recorder:
    """Records nodes; runs nothing. Kernels that are called while it records become launches.

    Planes are what `build` was given, arrays that are used by themselves (they become planes of the caller's), and
    scratch: memory of the graph, undefined at the start of every replay. What a node reads and writes puts it in order.
    Cells, by which control flow is decided, are planes of one element: uint32, or int32 and int64 (a kernel's `Index`),
    whose low 32 bits count.
    """

    def __init__(self, name: str, where: tuple[str, int]) -> None:
        self.name = name
        self._description = GraphDescription(name, where)
        self._planes: dict[int, Plane] = {}  # by id of the array, which the description keeps alive
        self._owners: dict[str, Any] = {}  # arrays by the names of their planes
        self._given: dict[int, str] = {}  # by id of what build() was given that is no plane, its parameter
        self._cells: dict[Plane, PlaneRef] = {}
        self._views: dict[tuple[PlaneRef, int, tuple[int, ...], tuple[int, ...]], Plane] = {}
        self._names: dict[str, int] = {}  # and the number that the next one of that name tries
        self._known: dict[int, _Known] = {}  # by id of the kernel
        self._numbers: dict[str, Number] = {}
        self._not_entered: list[flow.Loop] = []
        self._is_over = False

    # ---- planes ----

    def scratch(self, shape: int | Sequence[int], dtype: Any = "float64", name: str | None = None) -> Plane:
        """Memory of the graph's own, dense and row-major; from an arena that lets planes share what is not alive."""
        ref = self._description.scratch(self._free_name(name or "scratch"), shape, dtype, caller())
        return Plane(self, ref)

    def cell(self, name: str | None = None) -> Cell:
        """A uint32 of the graph's own."""
        ref = self._description.scratch(self._free_name(name or "cell"), [1], "uint32", caller())
        return Cell(self, ref)

    def plane(self, array: Any, name: str | None = None) -> Plane:
        """An array as a plane: the same one for the same object."""
        return self._plane_of(array, name)

    # ---- work ----

    def launch(self, kernel: Any, /, *, name: str | Any = "", **arguments: Any) -> Any:
        """A launch of a kernel (what `eagle.deploy` takes) or a plan. Returns its outputs as a call of the kernel does:
        a plane, a tuple or a dict of them; outputs that are not given are scratch."""
        return self._record_launch(self._known_of(kernel), arguments, name)

    def copy(self, source: Any, *, into: Any, name: str = "") -> Node:
        """`into` becomes what `source` is: dense planes of one shape and dtype, each on the host or the device."""
        to, read = self._plane_of(into), self._plane_of(source)
        return Node(self, self._description.copy(to._ref, read._ref, name, caller()))

    def fill(self, plane: Any, value: float | int, name: str = "") -> Node:
        """Every element becomes `value`."""
        value = _number_to_fill(value)
        return Node(self, self._description.fill(self._plane_of(plane)._ref, value, name, caller()))

    def host(
        self, function: Callable[[], Any], *, reads: Iterable[Any] = (), writes: Iterable[Any] = (), name: str = ""
    ) -> Node:
        """A Python function, called without arguments when what it reads is there. It must not use the graph's device;
        `reads` and `writes` are planes of host memory. What it raises is raised by the launch or `synchronize()`."""
        self._need_callable(function, "host")
        refs = [self._refs(reads), self._refs(writes)]
        call = _not_recording(function)
        return Node(self, self._description.host(call, *refs, name or self._name_for(function), caller()))

    def opaque(
        self, function: Callable[[int], Any], *, reads: Iterable[Any] = (), writes: Iterable[Any] = (), name: str = ""
    ) -> Node:
        """Stream work of the caller's: `function(stream)` is called while the graph is captured, and puts work on that
        raw stream which a capture allows."""
        self._need_callable(function, "opaque")
        refs = [self._refs(reads), self._refs(writes)]
        call = _not_recording(function)
        return Node(self, self._description.opaque(call, *refs, name or self._name_for(function), caller()))

    def reduce(self, fold: str, source: Any, *, into: Any = None, name: str = "") -> Plane:
        """ "sum", "max", "min" or "all" of a plane, in a fixed order; `into`: a plane of one element, else scratch."""
        read = self._plane_of(source)
        if into is None:
            dtype = "bool" if fold == "all" else "int64" if read.dtype == "bool" and fold == "sum" else read.dtype
            into = self.scratch((1,), dtype, f"{fold} of {read.name}")
        result = self._plane_of(into)
        self._description.reduce(fold, read._ref, result._ref, name, caller())
        return result

    def compact(self, mask: Any, *, into: Any = None, count: Any = None, drop: bool = False) -> tuple[Plane, Cell]:
        """Ascending indices of the samples whose mask is set (`drop`: is not set), and how many they are: (int32 plane,
        cell). Slots past the count stay what they were. `count`: a cell, or an int64 of one element for kernels."""
        kept = self._plane_of(mask)
        into = self.scratch(kept.shape, "int32", f"kept of {kept.name}") if into is None else self._plane_of(into)
        count = self.cell(f"count of {kept.name}") if count is None else self._plane_of(count)
        cell = self._cell_ref(count)
        if count.dtype == "int64" and cell != count._ref:
            self.fill(count, 0)  # the cell is its low half
        self._description.compact(kept._ref, into._ref, cell, drop, "", caller())
        return into, count

    def widen(self, cell: Any, name: str | None = None) -> Plane:
        """What a cell (`loop.iteration`, a count) holds at this place, as an int64 plane of one element, which kernels
        take: a fill and a copy."""
        narrow = self._plane_of(cell)
        name = self._free_name(f"{narrow.name} widened" if name is None else name)
        return Plane(self, self._description.widen(narrow._ref, name, caller()))

    def child(self, graph: Any, *, name: str = "") -> Node:
        """A graph that was built, as one node: its arrays and numbers are those it was recorded with."""
        description = getattr(graph, "description", None)
        if not isinstance(description, GraphDescription):
            raise TypeError(f"child() was given {graph!r}; it needs what Graph.build returns")
        return Node(self, self._description.child(description, name, caller()))

    # ---- control flow ----

    def if_(self, cell: Any, *, baseline: Any = None, negate: bool = False, name: str = "") -> flow.Branch:
        """Runs `branch.then` where the cell differs from the baseline (a cell; without one: from 0), else
        `branch.otherwise`, which may be left out."""
        refs = self._cell_ref(cell, "if_ cell"), self._optional(baseline, "if_ baseline")
        return flow.Branch(self, self._description.if_(*refs, negate, name, caller()))

    def while_(
        self,
        cell: Any,
        *,
        cap: int | None = None,
        limit: Any = None,
        stop: Any = None,
        baseline: Any = None,
        negate: bool = False,
        name: str = "",
    ) -> flow.Loop:
        """Runs its body as long as the cell differs from the baseline (a cell; without one: from 0).

        `cap`: iterations at most. `limit`: a cell that says the same where the work runs. `stop`: a cell that ends the
        loop when the body leaves it non-zero; it is 0 before the first iteration.
        """
        cells = [
            self._optional(c, f"while_ {n}") for c, n in ((limit, "limit"), (stop, "stop"), (baseline, "baseline"))
        ]
        guard = self._cell_ref(cell, "while_ cell")
        self._refuse_number(cap, "cap", "limit")
        return flow.Loop(self, lambda where: self._description.loop(guard, cap, *cells, negate, name, where))

    def repeat(self, count: int | None = None, *, limit: Any = None, stop: Any = None, name: str = "") -> flow.Loop:
        """Runs its body `count` times, or fewer where the cells `limit` or `stop` say so."""
        cells = self._optional(limit, "repeat limit"), self._optional(stop, "repeat stop")
        self._refuse_number(count, "count", "limit")
        return flow.Loop(self, lambda where: self._description.loop(None, count, *cells, None, False, name, where))

    def switch(self, cell: Any, arms: int, *, name: str = "") -> flow.Arms:
        """Runs the arm whose number the cell holds; none where there is no such arm."""
        return flow.Arms(
            self, self._description.switch_(self._cell_ref(cell, "switch cell"), arms, name, caller()), int(arms)
        )

    def fork(self, name: str = "") -> flow.Fork:
        """Branches that may run at the same time: each keeps its own order, and two that race are refused."""
        return flow.Fork(self, self._description.fork(name, caller()))

    # ---- what stands behind ----

    def _let_go(self) -> None:
        """After the build: what is bound anew later is not to be kept alive from here."""
        self._is_over = True
        self._planes.clear()
        self._owners.clear()
        self._given.clear()
        self._known.clear()

    def _check_entered(self) -> None:
        for loop in self._not_entered:
            file, line = loop._where
            raise ValueError(
                f"{file}:{line}: a loop was made and never entered; record its body in `with g.repeat(...):`"
            )

    def _name_for(self, function: Any) -> str:
        """Of a node that calls it. "" leaves the name to the graph."""
        name = _name_of(function)
        return name and self._description.free_name(name)

    def _free_name(self, wanted: str) -> str:
        if wanted not in self._names:
            self._names[wanted] = 2
            return wanted
        number = self._names[wanted]
        while (name := f"{wanted} {number}") in self._names:
            number += 1
        self._names[wanted], self._names[name] = number + 1, 2
        return name

    def _plane_of(self, value: Any, name: str | None = None) -> Plane:
        if isinstance(value, Plane):
            return value
        if isinstance(value, Number | PythonNumber | str | bytes) or value is None:
            raise TypeError(f"{value!r} stands where graph {self.name!r} needs a plane; {_NOT_A_PLANE}")
        if isinstance(value, Recorder):
            raise TypeError(
                f"the graph {value.name!r} itself stands where graph {self.name!r} needs a plane; the first parameter "
                f"of a recording is the graph, and planes come after it: def {value.name}(g, x)"
            )
        known = self._planes.get(id(value))
        if known is None or name is not None:
            called = name or self._given.get(id(value), "array")
            made = Plane(self, self._description.plane(self._free_name(called), value, caller()))
            self._owners[made.name] = value
            self._planes.setdefault(id(value), made)  # where it is used by itself, the first stands for it
            known = made
        return known

    def _ref(self, value: Any) -> PlaneRef:
        return self._plane_of(value)._ref

    def _cell_ref(self, value: Any, asked: str = "") -> PlaneRef:
        """A plane of one element, as the uint32 that control flow reads. `asked`: the call and its parameter."""
        if isinstance(value, Number | PythonNumber | str) or value is None:
            _refuse_cell(value, asked)
        plane = self._plane_of(value)
        if plane.dtype not in ("int32", "int64") or any(extent != 1 for extent in plane.shape):
            return plane._ref
        if plane not in self._cells:
            name = self._free_name(f"cell of {plane.name}")
            self._cells[plane] = self._description.cell(name, plane._ref, 0, caller())
        return self._cells[plane]

    def _optional(self, value: Any, asked: str) -> PlaneRef | None:
        return None if value is None else self._cell_ref(value, asked)

    def _refs(self, values: Any) -> list[PlaneRef]:
        return [self._ref(value) for value in (values if isinstance(values, list | tuple) else [values])]

    def _refuse_number(self, value: Any, parameter: str, instead: str) -> None:
        if isinstance(value, Number):
            raise TypeError(
                f"{parameter} is {value!r}, and how often a loop runs at most is fixed at the build; it needs "
                f"int({value.name}) for today's value, or {instead}=cell with a cell that says it at each replay"
            )

    def _need_callable(self, function: Any, call: str) -> None:
        if not callable(function):
            raise TypeError(f"{call}() was given {function!r}; it needs a function")

    def _argument(self, value: Any) -> Any:
        kind = type(value)
        if kind is Plane:
            return value._ref
        if kind is float or kind is int:  # what most are, before the slow question for any number
            return value
        if isinstance(value, Number):
            return value.value, value.name
        if isinstance(value, PythonNumber) or (isinstance(value, np.generic) and not isinstance(value, np.void)):
            return value
        return self._ref(value)

    def _known_of(self, kernel: Any) -> "_Known":
        known = self._known.get(id(kernel))
        if known is None:
            known = self._known[id(kernel)] = _Known(kernel)
        return known

    def _record_launch(self, known: "_Known", given: dict[str, Any], name: str) -> Any:
        given = known.with_outputs(given)
        arguments = {key: self._argument(value) for key, value in given.items() if value is not None}
        _, made = self._description.call(known.plan, arguments, name, caller())
        planes = {
            out: self._plane_of(given[out]) if given.get(out) is not None else self._scratch_plane(made[out])
            for out in known.outputs
        }
        return known.plan.arrange(planes)

    def _scratch_plane(self, ref: PlaneRef) -> Plane:
        plane = Plane(self, ref)
        self._names[plane.name] = 2
        return plane

    def _call(self, kernel: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """What takes the calls of kernels while the graph is recorded."""
        known = self._known_of(kernel)
        outputs = {"out": kwargs["out"]} if "out" in kwargs and "out" not in known.signature.parameters else {}
        rest = {name: value for name, value in kwargs.items() if name not in outputs}
        named = known.named(args, rest) | outputs
        if named.pop("layout", None) is not None:
            raise TypeError("layout= is not for recording; give planes in the layout of their shape")
        return self._record_launch(known, named, "")


class _Known:
    """A kernel or plan that was met in this recording."""

    def __init__(self, kernel: Any) -> None:
        self.kernel = kernel  # stays alive, so that its id is nobody else's
        self.plan = kernel if isinstance(kernel, Plan) else deploy(kernel)
        self.outputs = [p.name for p in self.plan.kernel.parameters if p.role == "out"]

    @functools.cached_property
    def signature(self) -> inspect.Signature:
        return inspect.signature(self.kernel)

    @functools.cached_property
    def _names(self) -> tuple[list[str], frozenset[str], frozenset[str]]:
        """Parameters that may be given by position; all of them; those that must be given."""
        parameters = list(self.signature.parameters.values())
        by_position = [p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
        by_name = [p.name for p in parameters if p.kind is p.KEYWORD_ONLY]
        needed = frozenset(p.name for p in parameters if p.default is p.empty)
        return by_position, frozenset(by_position + by_name), needed

    def named(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
        """What a call gives, by name; TypeError with Python's words, the line and what the kernel takes."""
        by_position, names, needed = self._names
        named = dict(zip(by_position, args, strict=False)) | kwargs
        if len(named) == len(args) + len(kwargs) and needed <= named.keys() <= names:
            return named
        try:
            return self.signature.bind(*args, **kwargs).arguments
        except TypeError as error:
            file, line = caller()
            kernel, takes = self.plan.kernel.name, ", ".join(self.signature.parameters)
            raise TypeError(f"{file}:{line}: call of kernel {kernel!r}: {error}; it takes {takes}") from None

    def with_outputs(self, given: dict[str, Any]) -> dict[str, Any]:
        """`out=` of several outputs, taken apart."""
        out = given.get("out")
        if out is None or any(p.name == "out" for p in self.plan.kernel.parameters):
            return given
        rest = {name: value for name, value in given.items() if name != "out"}
        if isinstance(out, dict):
            return rest | out
        if not isinstance(out, tuple | list) or len(out) != len(self.outputs):
            raise TypeError(
                f"out is {out!r}; kernel {self.plan.kernel.name!r} has the outputs {', '.join(self.outputs) or 'none'}"
            )
        names = sorted(self.outputs, key=lambda name: (len(name), name))
        return rest | dict(zip(names, out, strict=True))


_KNOWN_AT_THE_BUILD = {
    "if_": "what is known at the build is decided by Python's own `if`",
    "while_": "a number of iterations that is known at the build is `with g.repeat(n):`",
    "repeat": "a number of iterations that is known at the build is the count of `g.repeat(n)`",
    "switch": "what is known at the build is decided by Python's own `if`",
}


def _refuse_cell(value: Any, asked: str) -> NoReturn:
    call, _, parameter = asked.partition(" ")
    place = f" in g.{call}()" if call else ""
    known = f"; {_KNOWN_AT_THE_BUILD[call]}" if call else ""
    raise TypeError(
        f"{parameter or 'a cell'} is {value!r} ({type(value).__name__}){place}; it must be a cell, a plane of one "
        f"int64 that work of the graph writes and each replay reads anew{known}"
    )


def _number_to_fill(value: Any) -> Any:
    if value is None:
        raise TypeError("value is None; it must be an int or a float")
    if isinstance(value, complex):
        raise ValueError(f"value is {value}, a complex number; it must be an int or a float: give its .real or abs()")
    if isinstance(value, int) and not -(2**63) <= value < 2**63:
        raise ValueError(
            f"value is {value}, an integer outside 64 bits; it must be from {-(2**63)} to {2**63 - 1}: give a float "
            "for a plane of floats"
        )
    return value


def _name_of(function: Any) -> str:
    name = getattr(function, "__name__", "")
    return "" if name == "<lambda>" else name


def _not_recording(function: Callable[..., Any]) -> Callable[..., Any]:
    """`function`, whose calls of kernels run them, also where its replay stands inside another recording."""

    def call(*arguments: Any) -> Any:
        native = sys.modules.get("hawk._native")
        if native is None:
            return function(*arguments)
        before = native.set_recorder(None)
        try:
            return function(*arguments)
        finally:
            native.set_recorder(before)

    return call


class Recording:
    """Around a recording function: the kernels of this thread are recorded instead of run."""

    def __init__(self, recorder: Recorder) -> None:
        self._recorder = recorder
        # Without hawk there is no kernel that could be called.
        self._native = sys.modules.get("hawk._native")
        self._before: Any = None

    def __enter__(self) -> Recorder:
        if self._native is not None:
            self._before = self._native.set_recorder(self._recorder._call)
        return self._recorder

    def __exit__(self, *_: object) -> None:
        if self._native is not None:
            self._native.set_recorder(self._before)
