"""simulate: run a batch until each sample finishes."""

import contextlib
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from numbers import Number
from typing import Any

from ._core import DeviceKernel, HostTeam, Progress, nearest_text
from ._core import Simulation as _Simulation
from ._deploy import kernel_of
from .errors import LayoutWarning, PerformanceWarning

_CATEGORY = {"layout": LayoutWarning, "performance": PerformanceWarning}


def _nearest(name: object, known: Iterable[str]) -> str:
    return nearest_text(name, known) if isinstance(name, str) else ""


class State(Mapping[str, Any]):
    """The planes of a simulation by item and by attribute, `state["x"]`, `state.x`: the caller's own arrays."""

    def __init__(self, planes: Mapping[str, Any]) -> None:
        self._planes = dict(planes)

    def __getitem__(self, name: str) -> Any:
        if name not in self._planes:
            raise KeyError(f"no plane {name!r}; the planes are {', '.join(self._planes)}{_nearest(name, self._planes)}")
        return self._planes[name]

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *(name for name in self._planes if name.isidentifier())]

    def __contains__(self, name: object) -> bool:
        return name in self._planes

    def __iter__(self) -> Iterator[str]:
        return iter(self._planes)

    def __len__(self) -> int:
        return len(self._planes)

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_") and name in self._planes:
            return self._planes[name]
        planes = self.__dict__.get("_planes", {})
        raise AttributeError(
            f"{type(self).__name__} has no {name!r}; its planes are {', '.join(planes)}{_nearest(name, planes)}"
        )


class SimResult(State):
    """What a run did. The planes of the state are there by item and attribute (by item where a name is taken below).

    `status`: "finished", "max_steps", "timeout", "interrupted" or "until". `finished`: every sample is done.
    `samples`, `done`: how many there are and are done. `steps`: of all samples together in this call, exact.
    `steps_per_sample`: int64 (N,), exact; a sample terminated on entry has 0. `finished_mask`: bool (N,). `wall_s`:
    seconds. `report`: how it was run. `recorded`: by the name of each plane in `record`, the list of its copies in
    order of time: a NumPy array for every `every` steps, `recorded["x"][-1]` the last one.
    """

    def __init__(self, planes: Mapping[str, Any], facts: Mapping[str, Any]) -> None:
        super().__init__(planes)
        self.status: str = facts["status"]
        self.finished: bool = facts["finished"]
        self.samples: int = facts["samples"]
        self.done: int = facts["done"]
        self.steps: int = facts["steps"]
        self.steps_per_sample: Any = facts["steps_per_sample"]
        self.finished_mask: Any = facts["finished_mask"]
        self.wall_s: float = facts["wall_s"]
        self.report: str = facts["report"]
        self.recorded: dict[str, list[Any]] = facts["recorded"]

    def __repr__(self) -> str:
        return (
            f"<SimResult {self.status}: {self.done:,} of {self.samples:,} samples done, "
            f"{self.steps:,} steps in {self.wall_s:.3g} s>"
        )


def with_result(error: BaseException, result: SimResult, call: str) -> BaseException:
    """The error, which carries the result so far, and a note of it; one of a class that takes neither goes without."""
    with contextlib.suppress(Exception):
        error.result = result  # type: ignore[attr-defined]
        error.add_note(
            f"{call} stopped after {result.steps:,} steps of all samples together, with {result.done:,} of "
            f"{result.samples:,} samples done; the arrays hold the state after those steps, and this error's `result` "
            "is the SimResult so far"
        )
    return error


class _Bar:
    """A tqdm bar of done samples; made anew for each run."""

    def __init__(self) -> None:
        try:
            from tqdm.auto import tqdm
        except ImportError as error:
            raise ImportError(
                "progress=True shows a tqdm bar, and tqdm is not installed: pip install 'libeagle[progress]', "
                "or pass a callable that takes an eagle.Progress"
            ) from error
        self._make = tqdm
        self._bar: Any = None

    def __call__(self, at: Progress) -> None:
        if self._bar is None:
            self._bar = self._make(total=at.samples, unit=" samples", unit_scale=True)
        self._bar.update(at.done - self._bar.n)

    def close(self, done: int | None) -> None:
        if self._bar is not None:
            if done is not None:
                self._bar.update(done - self._bar.n)
            self._bar.close()
            self._bar = None


def _names(record: Any) -> list[str]:
    names = [record] if isinstance(record, str) else () if record is None else record
    if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
        raise TypeError(f"record is {record!r}; it must be the name of a plane, or a list of names")
    return list(names)


def _joined(planes: Any, named: dict[str, Any]) -> dict[str, Any]:
    """The arguments of both ways to give them."""
    if planes is None:
        return named
    if not isinstance(planes, Mapping) or not all(isinstance(name, str) for name in planes):
        raise TypeError(
            f"planes is a {type(planes).__name__}; it must be a mapping of names to arrays and numbers, and an "
            'argument that is named so comes in it: planes={"planes": ...}'
        )
    twice = [name for name in planes if name in named]
    if twice:
        raise TypeError(f"{', '.join(map(repr, twice))} is given by name and in planes; give it once")
    return {**planes, **named}


class Simulation:
    """A model with its arguments prepared once, run many times; a stopped run continues from where it stands.

    Made by `eagle.simulation`. One caller at a time: a second entry raises `eagle.Busy`.
    """

    def __init__(self, model: Any, planes: dict[str, Any], options: dict[str, Any]) -> None:
        kernels = [kernel_of(part) for part in model] if isinstance(model, list | tuple) else [kernel_of(model)]
        self._masks = [p.name for kernel in kernels for p in kernel.parameters if p.role == "terminated"]
        self._planes = {name: value for name, value in planes.items() if not isinstance(value, Number)}
        self._bar = _Bar() if options["progress"] is True else None
        progress = self._bar if options["progress"] is True else options["progress"] or None
        if progress is not None and not callable(progress):
            raise TypeError(
                f"progress is {progress!r}; it must be True, None or a callable that takes an eagle.Progress"
            )
        self._core = _Simulation(
            kernels,
            planes,
            {
                **options,
                "progress": progress,
                "until": self._until(options["until"]),
                "keywords": [*options, "planes"],
            },
        )

    def _until(self, until: Any) -> Callable[[], Any] | None:
        if until is None:
            return None
        if not callable(until):
            raise TypeError(f"until is {until!r}; it must be a callable that takes the state and returns a bool")
        state = State(self._planes)

        def ask() -> bool:
            answer = until(state)
            try:
                return bool(answer)
            except ValueError as error:
                raise TypeError(
                    f"until gave a {type(answer).__name__}, which is neither true nor false; it must give one bool, "
                    "such as the .all() or .any() of an array"
                ) from error

        return ask

    def run(self) -> SimResult:
        """Runs until every sample is done, at the cap, or the run is stopped. State is updated in place.

        KeyboardInterrupt and what a callback raises come out when every worker has stopped: the state is valid, and
        the error's `result` is the SimResult so far: its status is "interrupted", or what the run had come to where it
        was over by then.
        """
        return self._run(stacklevel=3)

    def _run(self, stacklevel: int) -> SimResult:
        done = None
        try:
            facts, error = self._core.run()
            done = facts["done"]
        finally:
            if self._bar is not None:
                self._bar.close(done)
        planes = {name: facts["mask"] for name in self._masks} | self._planes
        result = SimResult(planes, facts)
        if error is not None:
            raise with_result(error, result, "simulate")
        for kind, text in facts["notices"]:
            warnings.warn(text, _CATEGORY[kind], stacklevel=stacklevel)
        return result


# A type checker takes the values of `**state` for those of every option that is not given beside it: hence Any.
def simulation(
    model: Any,
    /,
    *,
    max_steps: int | Any,
    until: Callable[[State], bool] | Any | None = None,
    every: int | Any | None = None,
    record: str | Sequence[str] | Any | None = None,
    progress: bool | Callable[[Progress], Any] | Any | None = None,
    timeout: float | Any | None = None,
    structure: HostTeam | DeviceKernel | Any | None = None,
    layout: str | Any | None = None,
    planes: Mapping[str, Any] | Any | None = None,
    **named: Any,
) -> Simulation:
    """Prepares what `simulate` runs: see there."""
    options = {
        "max_steps": max_steps,
        "until": until,
        "every": every,
        "record": _names(record),
        "progress": progress,
        "timeout": timeout,
        "structure": structure,
        "layout": layout,
    }
    return Simulation(model, _joined(planes, named), options)


def simulate(
    model: Any,
    /,
    *,
    max_steps: int | Any,
    until: Callable[[State], bool] | Any | None = None,
    every: int | Any | None = None,
    record: str | Sequence[str] | Any | None = None,
    progress: bool | Callable[[Progress], Any] | Any | None = None,
    timeout: float | Any | None = None,
    structure: HostTeam | DeviceKernel | Any | None = None,
    layout: str | Any | None = None,
    planes: Mapping[str, Any] | Any | None = None,
    **named: Any,
) -> SimResult:
    """Runs each sample of a batch until it finishes, or has done `max_steps` steps in this call.

    `model`: a kernel that finishes its samples (what `deploy` takes), or a list of kernels run in order as one step.
    Its arguments come by name; state is updated in place, and a missing mask is allocated with all samples live. One
    whose name is an option's here comes in the mapping `planes`: `planes={"timeout": t}`.

    `until(state) -> bool` is asked every `every` steps and stops the run; planes named in `record` are copied then: the
    result's `recorded["x"]` is a list of arrays.
    `progress`: True for a tqdm bar, or a callable that takes an `eagle.Progress`. `timeout`: seconds after which the
    run stops at whole steps; the next call continues it, given the same arrays and the mask. `structure`: an
    `eagle.exec.HostTeam`. `layout`: as in `Plan.run`.

    The results do not depend on the number of threads, to the bit. Ctrl-C stops the run within 0.1 s: the
    KeyboardInterrupt carries the SimResult so far as `result`.
    """
    prepared = simulation(
        model,
        max_steps=max_steps,
        until=until,
        every=every,
        record=record,
        progress=progress,
        timeout=timeout,
        structure=structure,
        layout=layout,
        planes=planes,
        **named,
    )
    return prepared._run(stacklevel=3)
