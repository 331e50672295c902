"""The code that hawk writes for cards, run on this machine's CPU: every thread of a block is a fiber (tests/fake_cuda).

It shows what the code computes. It shows nothing of a card.
"""

from __future__ import annotations

import ctypes
import importlib.util
import subprocess
import sys
import sysconfig
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

import hawk
from hawk.compiling.kept import INCLUDE

ROOT = Path(__file__).resolve().parents[3]
FAKE = ROOT / "tests" / "fake_cuda"
# Unique symbols would be one for all libraries of the process, and two kernels of one name are in two of them.
FLAGS = (
    "-std=c++20", "-O0", "-fPIC", "-ffp-contract=off", "-fwrapv", "-fno-strict-aliasing", "-fno-gnu-unique", "-w",
)  # fmt: skip
FOLDERS = (
    "tests/golden",
    "tests/python/hawk",
    "tests/python/eagle",
    "tests/python/matrix",
    "tests/python/device",
    "tests/python/gpu",
    "examples/python",
)


def every_kernel() -> dict[str, hawk.Kernel]:
    """The kernels that stand in a module of the tests or the examples, each source once, by names of their own: the
    second kernel of a name has that of its module behind it."""
    found: dict[str, hawk.Kernel] = {}
    for folder in FOLDERS:
        sys.path.insert(0, str(ROOT / folder))
        try:
            for file in sorted((ROOT / folder).glob("*.py")):
                text = file.read_text()
                if "\n@hawk.kernel" not in text or any(
                    word in text for word in ("every_kernel", "register_row", "torch")
                ):
                    continue
                for value in vars(_imported(file)).values():
                    if isinstance(value, hawk.Kernel) and value.function is not None:
                        _add(found, value, file.stem)
        finally:
            sys.path.pop(0)
    return found


def _add(found: dict[str, hawk.Kernel], kernel: hawk.Kernel, module: str) -> None:
    if kernel.name in found and all(known.device_source != kernel.device_source for known in found.values()):
        found[f"{kernel.name} of {module}"] = kernel
    found.setdefault(kernel.name, kernel)


def _imported(file: Path) -> ModuleType:
    """The module under another name: under its own, pytest itself imports it."""
    spec = importlib.util.spec_from_file_location(f"kernels_of_{file.stem}", file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def bundle(kernels: list[hawk.Kernel]) -> str:
    """The sources of many kernels as one."""
    text = "\n".join(kernel.device_source for kernel in kernels).replace("HAWK_ARTIFACT\n", "")
    return '#include "hawk/device/kernel.h"\nHAWK_ARTIFACT\n' + text


def nvrtc() -> str:
    """The file of NVRTC among the test libraries."""
    files = sorted(Path(sysconfig.get_paths()["purelib"]).glob("nvidia/cu*/lib/libnvrtc.so.*"))
    found = [str(file) for file in files if ".alt." not in file.name]
    assert found, "the tests need NVRTC: pip install -r scripts/requirements-test.txt"
    return found[0]


def entries(kernel: hawk.Kernel) -> list[str]:
    d = kernel._description
    return [d.step] if d.run is None else [d.step, d.run]


class _Launch(ctypes.Structure):
    _fields_ = (
        *((name, ctypes.c_uint) for name in ("grid_x", "grid_y", "grid_z", "block_x", "block_y", "block_z")),
        ("arguments", ctypes.POINTER(ctypes.c_void_p)),
        ("seed", ctypes.c_uint),
        ("set_conditional", ctypes.c_void_p),
    )


class _Entry(ctypes.Structure):
    _fields_ = (
        ("name", ctypes.c_char_p),
        ("run", ctypes.CFUNCTYPE(None, ctypes.POINTER(_Launch))),
        ("sizes", ctypes.POINTER(ctypes.c_size_t)),
        ("parameters", ctypes.c_size_t),
    )


class _Scalar(ctypes.Structure):
    _fields_ = (
        ("data", ctypes.c_void_p), ("samples", ctypes.c_uint64), ("stride", ctypes.c_uint64),
        ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
    )  # fmt: skip


class _Vector(ctypes.Structure):
    _fields_ = (
        ("data", ctypes.c_void_p), ("samples", ctypes.c_uint64), ("comp_stride", ctypes.c_uint64),
        ("sample_stride", ctypes.c_uint64), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
    )  # fmt: skip


class Fibers:
    """Kernels compiled into one library for this machine."""

    def __init__(self, kernels: list[hawk.Kernel], place: Path) -> None:
        source = place / "bundle.cpp"
        names = [name for kernel in kernels for name in entries(kernel)]
        source.write_text(
            "#include <fake_cuda/DeviceSource.h>\n"
            + bundle(kernels)
            + "\n".join(f"FAKE_CUDA_KERNEL({name});" for name in names)
        )
        made = place / "bundle.so"
        command = [
            "g++", *FLAGS, "-shared", f"-I{FAKE / 'include'}", f"-I{INCLUDE}", "-o", made, source,
            FAKE / "Fibers.cpp", "-lpthread",
        ]  # fmt: skip
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr[:3000]
        self.library = ctypes.CDLL(str(made))

    def launch(
        self,
        entry: str,
        blocks: list[Any],
        base: int,
        count: int,
        samples: int,
        *,
        grid: int,
        block: int,
        seed: int = 0,
    ) -> None:
        """As the driver launches it: arguments by value, and the partition behind them."""
        found = _Entry.in_dll(self.library, f"fake_cuda_kernel_{entry}")
        arguments = [*blocks, *(ctypes.c_int64(value) for value in (base, count, samples))]
        sizes = [found.sizes[i] for i in range(found.parameters)]
        assert sizes == [ctypes.sizeof(argument) for argument in arguments], entry
        addresses = (ctypes.c_void_p * len(arguments))(*(ctypes.addressof(argument) for argument in arguments))
        found.run(ctypes.byref(_Launch(grid, 1, 1, block, 1, 1, addresses, seed, None)))


class Bundles:
    """Kernels in as many libraries as there are of one name."""

    def __init__(self, kernels: list[hawk.Kernel], place: Path) -> None:
        groups: list[list[hawk.Kernel]] = []
        for kernel in kernels:
            free = (group for group in groups if all(other.name != kernel.name for other in group))
            group = next(free, None)
            if group is None:
                groups.append(group := [])
            group.append(kernel)
        self._fibers = {}
        for number, group in enumerate(groups):
            folder = place / str(number)
            folder.mkdir()
            self._fibers |= dict.fromkeys(map(id, group), Fibers(group, folder))

    def of(self, kernel: hawk.Kernel) -> Fibers:
        return self._fibers[id(kernel)]


def blocks_of(kernel: hawk.Kernel, planes: dict[str, np.ndarray], numbers: dict[str, float], n: int) -> list[Any]:
    """The argument blocks of a call. A plane that is not given is absent, as the loader's own are by default."""
    d = kernel._description
    real = ctypes.c_double if d.scalar == "float64" else ctypes.c_float
    made: list[Any] = []
    for argument in d.signature.arguments:
        if argument.role == "nsamples":
            made.append(ctypes.c_uint32(n))
        elif argument.role == "uniform":
            made.append((ctypes.c_int64 if argument.element == "int" else real)(numbers[argument.name]))
        elif argument.name not in planes:
            made.append(_Scalar())
        else:
            array = planes[argument.name]
            assert array.flags.c_contiguous
            if argument.role == "out" or argument.width is not None:
                made.append(_Vector(array.ctypes.data, array.shape[-1], array.shape[-1], 1, 2, 0))
            else:
                made.append(_Scalar(array.ctypes.data, array.shape[-1], 1, 2, 0))
    return made


def arguments_of(
    kernel: hawk.Kernel, n: int, seed: int, *, integers: tuple[int, int] = (-4, 5)
) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    """Random planes, outputs among them, and numbers that a call takes."""
    rng = np.random.default_rng(seed)
    d = kernel._description
    planes: dict[str, np.ndarray] = {}
    numbers: dict[str, Any] = {}
    for a in d.signature.arguments:
        if a.name.startswith("__") or a.role == "nsamples":
            continue
        shape = (n,) if a.width is None else (a.width, n)
        if a.role == "uniform":
            numbers[a.name] = int(rng.integers(1, 5)) if a.element == "int" else round(float(rng.normal()), 3)
        elif a.role == "terminated":
            planes[a.name] = rng.random(n) < 0.2
        elif a.role == "out":
            planes[a.name] = np.zeros(shape, d.dtype(a))
        elif a.element == "int":
            planes[a.name] = rng.integers(*integers, shape)
        else:
            planes[a.name] = (rng.normal(size=shape) * 3).astype(d.dtype(a))
    return planes, numbers
