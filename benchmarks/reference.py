"""The hand-written C++ loops of `benchmarks/reference`, as built by `make bench`."""

from __future__ import annotations

import ctypes
from pathlib import Path

import numpy as np

LIBRARY = Path(__file__).resolve().parents[1] / "build" / "dev" / "lib" / "libeagle_reference.so"


class Reference:
    """Each call works in place on float64 arrays of one length."""

    def __init__(self) -> None:
        if not LIBRARY.exists():
            raise SystemExit(f"the reference is not built: {LIBRARY} is not there; run `make bench`")
        self._library = ctypes.CDLL(str(LIBRARY))
        self._library.reference_instructions.restype = ctypes.c_char_p
        self.instructions = self._library.reference_instructions().decode()

    def _call(self, name: str, *values: np.ndarray | float | int) -> None:
        """Arrays pass as pointers, floats as double, the rest as it is."""
        function = getattr(self._library, name)
        function.restype = ctypes.c_double
        function(*(self._argument(value) for value in values))

    @staticmethod
    def _argument(value: object) -> object:
        if isinstance(value, np.ndarray):
            assert value.dtype == np.float64 and value.flags.c_contiguous
            return ctypes.c_void_p(value.ctypes.data)
        return ctypes.c_double(value) if isinstance(value, float) else value

    def euler(
        self, state: dict[str, np.ndarray], omega: np.ndarray, dt: float, t_end: float, most: int, threads: int
    ) -> None:
        arrays = (state["x"], state["v"], state["t"], omega)
        self._call(
            "reference_euler",
            *arrays,
            dt,
            t_end,
            ctypes.c_int64(most),
            ctypes.c_int64(len(omega)),
            ctypes.c_int(threads),
        )

    def rk4(
        self, name: str, state: dict[str, np.ndarray], inputs: tuple[np.ndarray, ...], dt: float, threads: int
    ) -> None:
        """`name`: "tiles" or "refilled"; `inputs`: w2, c, last."""
        arrays = (state["x"], state["v"], state["k"], *inputs)
        self._call(f"reference_rk4_{name}", *arrays, dt, ctypes.c_int64(len(inputs[0])), ctypes.c_int(threads))

    def triad(self, out: np.ndarray, x: np.ndarray, y: np.ndarray, a: float, threads: int, past_cache: bool) -> None:
        self._call(
            "reference_triad", out, x, y, a, ctypes.c_int64(len(x)), ctypes.c_int(threads), ctypes.c_int(past_cache)
        )
