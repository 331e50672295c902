"""Arrays and streams as CuPy's and torch's are, over memory of the fake driver. Neither library runs here."""

from __future__ import annotations

from typing import Any

import numpy as np

import eagle


class CupyArray:
    """As CuPy's: `__cuda_array_interface__` with the stream that the data is ready on; no DLPack."""

    def __init__(self, host: np.ndarray, stream: int | None = None, device: str = "cuda:0") -> None:
        self.memory = up(host, device)
        self.stream = stream

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return {
            "shape": self.memory.shape,
            "typestr": np.dtype(self.memory.dtype).str,
            "data": (self.memory.ptr, False),
            "strides": None,
            "version": 3,
            "stream": self.stream,
        }

    def get(self) -> np.ndarray:
        return self.memory.to_host()


class TorchTensor:
    """As torch's: DLPack, whose producer is told the consumer's stream."""

    def __init__(self, host: np.ndarray, device: str = "cuda:0") -> None:
        self.memory = up(host, device)
        self.asked: list[Any] = []

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.memory.__dlpack_device__()

    def __dlpack__(self, **options: Any) -> Any:
        self.asked.append(options.get("stream"))
        return self.memory.__dlpack__(**options)

    def numpy(self) -> np.ndarray:
        return self.memory.to_host()


def up(array: np.ndarray, device: str = "cuda:0") -> Any:
    made = eagle.empty(array.shape, array.dtype, device)
    eagle.copy(array, into=made)
    return made
