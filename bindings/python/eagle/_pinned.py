"""pinned: arrays of the host that a device reaches quickly."""

import functools
from typing import Any

from . import _core

__all__ = ["pinned"]


@functools.cache
def _array_class() -> type:
    import numpy as np

    class PinnedArray(np.ndarray):
        """A NumPy array whose `backend` is the kind that locked its memory, or None where that is plain. Views keep it;
        what is computed from one is an array of its own, in plain memory, and what is pickled arrives as a plain array.
        """

        backend: str | None

        def __array_finalize__(self, made_from: Any) -> None:
            views = made_from is not None and np.may_share_memory(self, made_from)
            self.backend = getattr(made_from, "backend", None) if views else None

        def __reduce__(self) -> Any:
            return np.array(self, subok=False).__reduce__()

        def __reduce_ex__(self, protocol: Any) -> Any:
            return np.array(self, subok=False).__reduce_ex__(protocol)

    return PinnedArray


def pinned(shape: Any, dtype: Any = "float64", backend: str | None = None) -> Any:
    """A NumPy array of page-locked memory, uninitialised and row-major, for quick copies to a device and back.

    `shape`: an extent or a sequence of them. `dtype`: float64, float32, int64, int32, uint32 or bool. `backend`: the
    kind that locks the memory; without it, the one device kind that is loaded; plain memory aligned to 64 bytes where
    none is. The array says which in its attribute `backend`: a kind, or None. BackendUnavailable where two device kinds
    are loaded (naming them), where the kind is not there, or where it has no page-locked memory (naming the symbol).
    """
    array, kind = _core.pinned(shape, dtype, backend)
    made = array.view(_array_class())
    made.backend = kind or None
    return made
