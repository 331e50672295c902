"""Saying which axis of an array counts samples, where its shape can be read both ways."""

from typing import Any

import numpy as np

AXIS = "__raptor_samples_axis__"


class _Marked(np.ndarray):
    """A view that says its samples axis; results of arithmetic on it are plain again."""

    __raptor_samples_axis__: str

    def __array_finalize__(self, source: Any) -> None:
        return None

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        return array[()] if return_scalar else np.asarray(array)


def _marked(array: Any, axis: str) -> Any:
    view = np.asarray(array).view(_Marked)
    setattr(view, AXIS, axis)
    return view


def samples_first(array: Any) -> Any:
    """A view of `array` (no copy) whose first axis counts samples: (N, w), (N, r, c)."""
    return _marked(array, "first")


def samples_last(array: Any) -> Any:
    """A view of `array` (no copy) whose last axis counts samples: (w, N), (r, c, N), which is eagle's own layout."""
    return _marked(array, "last")
