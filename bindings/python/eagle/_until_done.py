"""until_done: bound plans launched until every sample is done."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from . import _core
from ._core import BoundPlan, Plan, Progress, nearest_text, shortened
from ._simulate import SimResult, _Bar, with_result

__all__ = ["until_done"]


def _bound(plan: Any, arguments: Mapping[str, Any]) -> BoundPlan:
    if isinstance(plan, BoundPlan):
        return plan
    if isinstance(plan, Plan):
        names = _arguments_of(plan)
        missing = [name for name in names if name not in arguments]
        if missing:
            raise TypeError(
                f"until_done was given the plan of kernel {plan.kernel.name!r}, which is not bound, and no "
                f"{', '.join(missing)}; it needs a bound plan: call plan.bind("
                f"{', '.join(f'{name}=...' for name in names)}) first and give what that returns, or give the "
                "arguments here, by name"
            )
        return plan.bind(**{name: arguments[name] for name in names})
    raise TypeError(
        f"until_done was given {type(plan).__name__}; it needs a bound plan, as plan.bind(...) makes (of a kernel, "
        "eagle.deploy(kernel).bind(...)), a plan, or a list of them"
    )


def _arguments_of(plan: Plan) -> list[str]:
    """What a caller gives."""
    return [p.name for p in plan.kernel.parameters if p.role != "nsamples" and not p.name.startswith("__")]


def _check_names(plans: list[Any], arguments: Mapping[str, Any], options: Iterable[str]) -> None:
    names = dict.fromkeys(name for plan in plans if isinstance(plan, Plan) for name in _arguments_of(plan))
    for name in arguments:
        if name not in names:
            takes = (
                f"they take {', '.join(names)}, and the call {', '.join(options)}: give it one of these names, or "
                "leave it out"
            )
            known = takes if names else "leave it out: the plans are bound already"
            nearest = nearest_text(name, [*names, *options])
            raise TypeError(f"argument '{shortened(name)}' is unknown to the plans; {known}{nearest}")


def _hook(name: str, hook: Any) -> Any:
    if hook is not None and not callable(hook):
        raise TypeError(f"{name} is {hook!r}; it must be None or a callable")
    return hook


def _planes(bound: list[BoundPlan]) -> dict[str, Any]:
    planes: dict[str, Any] = {}
    for plan in bound:
        for parameter in plan.plan.kernel.parameters:
            if parameter.role not in ("uniform", "nsamples") and not parameter.name.startswith("__"):
                planes.setdefault(parameter.name, plan[parameter.name])
    return planes


# A type checker takes the values of `**state` for those of every option that is not given beside it: hence Any.
def until_done(
    plans: Any,
    /,
    *,
    max_steps: int | Any,
    every: int | Any = 32,
    reorder: bool | Any = True,
    theta: float | Any = 0.5,
    on_step: Callable[[int], Any] | Any | None = None,
    when_finished: Callable[[Any], Any] | Any | None = None,
    progress: bool | Callable[[Progress], Any] | Any | None = None,
    timeout: float | Any | None = None,
    **arguments: Any,
) -> SimResult:
    """Launches bound plans in order as one step until every sample is finished or has made `max_steps` steps.

    `plans`: a bound plan, or a list of them that share one mask (the terminated plane) and one batch; plans that are
    not bound yet are bound to what of `arguments` they take. At least one kernel finishes its samples. State is updated
    in place, on the host or on the device where the planes lie.

    Every `every` steps it looks at the mask. Where it pays (see `eagle.ActiveSet.reorder`, `theta`) live samples are
    moved to the front of every plane, so that finished ones cost nothing; the results are the same to the bit, and
    `reorder=False` leaves it out. `report` says what was done, and why not.

    `on_step(steps)` is called every `every` steps and after the last: the planes are then in the order of samples.
    `when_finished(samples)` gets the numbers of samples that finished since the last look, as a NumPy array of int32.
    `progress`, `timeout`: as in `simulate`. When the call returns or raises, the planes are in the order of samples, at
    whole steps; what a hook or Ctrl-C raises carries the SimResult so far as `result`.
    """
    given = list(plans) if isinstance(plans, list | tuple) else [plans]
    bar = _Bar() if progress is True else None
    options = {
        "max_steps": max_steps,
        "every": every,
        "reorder": reorder,
        "theta": theta,
        "on_step": _hook("on_step", on_step),
        "when_finished": _hook("when_finished", when_finished),
        "progress": bar if bar is not None else _hook("progress", progress or None),
        "timeout": timeout,
    }
    _check_names(given, arguments, options)
    bound = [_bound(plan, arguments) for plan in given]
    done = None
    try:
        facts, error = _core.until_done(bound, options)
        done = facts["done"]
    finally:
        if bar is not None:
            bar.close(done)
    result = SimResult(_planes(bound), facts)
    if error is not None:
        raise with_result(error, result, "until_done")
    return result
