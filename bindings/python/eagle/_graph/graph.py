"""`@eagle.graph` and building."""

import functools
import inspect
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from .built import BuiltGraph
from .handles import Number, Plane
from .lines import caller
from .recorder import Recorder, Recording


class Graph:
    """A recording function, `function(g, x, n, ...)`: called at every build with a `Recorder` and with planes for the
    arrays that the build was given."""

    def __init__(self, function: Callable[..., Any]) -> None:
        if not callable(function):
            raise TypeError(f"eagle.graph was given {function!r}; it needs a function that takes the graph first")
        self.function = function
        self._name: str = getattr(function, "__name__", "graph")
        self._signature = _without_first(function)
        functools.update_wrapper(self, function)

    def __call__(self, *_: Any, **__: Any) -> Any:
        raise TypeError(
            f"{self._name!r} is a recording and does not run; build it: `built = {self._name}.build(...)`, "
            "then `built()`"
        )

    def build(self, *args: Any, backend: str | Any | None = None, **kwargs: Any) -> BuiltGraph:
        """Records and lowers; runs nothing.

        Arrays become planes and numbers `Number`s, each under the name of its parameter; anything else goes to the
        function as it is. `backend`: the kind to run on, by default that of the planes; "gpu": the one GPU kind that is
        installed. Raises what a node or the whole refuses, with the line of the recording; BackendUnavailable naming
        the node where the backend has not what it needs. The graph keeps all that it was given alive.
        """
        if isinstance(backend, str) and ":" in backend:
            raise ValueError(
                f"backend is {backend!r}; it takes a kind without a device: a graph runs where its planes lie, so give "
                "arrays of that device"
            )
        try:
            bound = self._signature.bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(f"build() of graph {self._name!r}: {error}; {self._takes(args, kwargs)}") from None
        bound.apply_defaults()
        recorder = Recorder(self._name if self._name != "<lambda>" else "graph", caller())
        given = {key: _handle(recorder, key, value) for key, value in bound.arguments.items()}
        bound.arguments.update(given)
        with Recording(recorder):
            returned = self.function(recorder, *bound.args, **bound.kwargs)
        recorder._check_entered()
        _keep(recorder, returned, caller())
        built = BuiltGraph(recorder, returned, backend)
        recorder._let_go()
        return built

    def _takes(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> str:
        signature = inspect.signature(self.function)
        first, *rest = signature.parameters
        text = f"it takes {', '.join(rest) or 'nothing'}"
        try:
            signature.bind(*args, **kwargs)
        except TypeError:
            return text
        meant = ", ".join(["g", first, *rest])
        return (
            f"{text}: its first parameter, {first!r}, is the graph, and build() gives it; where {first!r} is meant for "
            f"an argument, write def {self._name}({meant})"
        )

    def __reduce__(self) -> str:
        """By its name, as functions pickle."""
        name = getattr(self, "__qualname__", self._name)
        found: Any = sys.modules.get(self.__module__)
        for part in name.split("."):
            found = getattr(found, part, None)
        if found is not self:
            raise TypeError(
                f"{self!r} does not pickle: {self.__module__}.{name} is not it; define it with @eagle.graph at the top "
                "of a module that the other process imports"
            )
        return name

    def __repr__(self) -> str:
        return f"<eagle.Graph {self._name}{self._signature}>"


def _without_first(function: Callable[..., Any]) -> inspect.Signature:
    signature = inspect.signature(function)
    parameters = list(signature.parameters.values())
    if not parameters or parameters[0].kind not in (
        inspect.Parameter.POSITIONAL_ONLY,
        inspect.Parameter.POSITIONAL_OR_KEYWORD,
    ):
        raise TypeError(
            f"the recording {getattr(function, '__name__', function)!r} takes no first argument; "
            "it gets the graph there: def recording(g, x): ..."
        )
    if "backend" in signature.parameters:
        raise TypeError("a recording cannot take `backend`, which is an argument of build(); name it otherwise")
    return signature.replace(parameters=parameters[1:])


def _is_array(value: Any) -> bool:
    return any(hasattr(value, name) for name in ("__dlpack__", "__cuda_array_interface__", "__array_interface__"))


def _handle(recorder: Recorder, name: str, value: Any) -> Any:
    if isinstance(value, Plane):
        raise TypeError(f"argument {name!r} is a plane of a recording; build() takes arrays")
    if isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool):
        recorder._names[name] = 2
        number = recorder._numbers[name] = Number(name, value.item() if isinstance(value, np.generic) else value)
        return number
    if _is_array(value) or isinstance(value, memoryview | bytearray):
        return recorder._plane_of(value, name)
    recorder._given[id(value)] = name
    return value


def _keep(recorder: Recorder, returned: Any, where: tuple[str, int]) -> None:
    """Marks what the recording returned as results: planes, and tuples, lists and dicts of them."""
    if isinstance(returned, Plane):
        recorder._description.keep(returned._ref, where)
    elif isinstance(returned, tuple | list):
        for item in returned:
            _keep(recorder, item, where)
    elif isinstance(returned, dict):
        for item in returned.values():
            _keep(recorder, item, where)
    elif returned is not None:
        raise TypeError(
            f"the recording {recorder.name!r} returned {returned!r}; it may return planes, "
            "tuples, lists and dicts of planes, or None"
        )


def graph(function: Callable[..., Any]) -> Graph:
    """Makes a graph of a function that records it: `function(g, ...)` with `g` an `eagle.Recorder`.

    @eagle.graph
    def chain(g, x, a):
        return square(scale(x, a, 1.0))

    built = chain.build(x, 2.0)
    y = built()
    """
    return Graph(function)
