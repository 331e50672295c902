"""The element types of planes: their names, sizes and DLPack codes, and how sidecars and targets spell things."""

from __future__ import annotations

from dataclasses import dataclass

# DLPack's type codes (DLDataTypeCode).
_INT, _UINT, _FLOAT, _BOOL = 0, 1, 2, 6


@dataclass(frozen=True)
class Dtype:
    """One element type. `size` in bytes; `code`, `bits` are DLPack's; `buffer` is the buffer protocol's character."""

    name: str
    size: int
    code: int
    buffer: str

    @property
    def bits(self) -> int:
        return 8 * self.size


@dataclass(frozen=True)
class Format:
    """A file format of an artifact. `target`: what exec_targets calls the memory it works on; `entry`: how its step is
    entered (docs/artifacts.md): `pointers`, an array of block addresses and the partition, or `values`, the blocks
    themselves as arguments of a launch, then the partition.
    """

    name: str
    target: str
    entry: str


DTYPES = {
    dtype.name: dtype
    for dtype in (
        Dtype("float64", 8, _FLOAT, "d"),
        Dtype("float32", 4, _FLOAT, "f"),
        Dtype("int64", 8, _INT, "q"),
        Dtype("int32", 4, _INT, "i"),
        Dtype("uint32", 4, _UINT, "I"),
        Dtype("bool", 1, _BOOL, "?"),
    )
}
SCALARS = ("float64", "float32")
FORMATS = {
    known.name: known
    for known in (
        Format("ptx", "device", "values"),
        Format("cubin", "device", "values"),
        Format("fatbin", "device", "values"),
        Format("hsaco", "device", "values"),
        Format("host", "host", "pointers"),
    )
}


def dtype_of(written: str, scalar_type: str) -> Dtype:
    """The element type that a sidecar's word stands for. `scalar_type`: of the kernel, float64 or float32.

    `float`, `scalar`, `vector` and `matrix` are the kernel's reals, `int` is int64; every other name is its own.
    ValueError for a word that names none.
    """
    if scalar_type not in SCALARS:
        raise ValueError(f"scalar_type is {scalar_type!r}; it must be 'float64' or 'float32'")
    if written in ("float", "scalar", "vector", "matrix"):
        return DTYPES[scalar_type]
    found = DTYPES.get("int64" if written == "int" else written)
    if found is None:
        raise ValueError(f"the dtype {written!r} is none of {', '.join(DTYPES)}, float, int, scalar, vector and matrix")
    return found
