"""Kind hip over a shim of HIP's runtime (tests/hip_shim) on the fake CUDA driver (tests/fake_cuda), in a pytest run of
its own: a process has one runtime.

    FAKE_CUDA=build/dev/tests/fake_cuda python -m pytest tests/python/hip_shim

What passes here is "HIP host logic over a shim; never run on AMD hardware". With HIP_SHIM_CUDA_DRIVER set, the shim is
over that driver: `make gpu` gives it a card's. Without FAKE_CUDA, the folder of the C++ build, the tests of this folder
are deselected, and those of eagle's own device code where the build had no clang for AMD's processors.
"""

import os
import sys
import tempfile
from pathlib import Path

import pytest

HERE = Path(__file__).parent
BUILT = os.environ.get("FAKE_CUDA")
FAT_BINARY = 0xBA55ED50.to_bytes(4, "little") + bytes(60)  # all that the fake driver reads of one


def backend_of(build: Path) -> Path:
    """Beside libeagle where EAGLE_BACKENDS names hip, else among the backends of the tests."""
    beside = build / "lib" / "eagle" / "libeagle_hip.so"
    return beside if beside.is_file() else build / "lib" / "test_backends" / "libeagle_hip.so"


def kernels_list(place: Path) -> Path:
    """One device, as /sys/class/kfd shows it."""
    node = place / "nodes" / "1"
    node.mkdir(parents=True)
    (node / "properties").write_text("simd_count 304\ngfx_target_version 90402\nunique_id 1311768467463790320\n")
    (node / "gpu_id").write_text("304\n")
    return place


if BUILT:
    folder, scratch = Path(BUILT).resolve(), Path(tempfile.mkdtemp(prefix="hip-shim-"))
    build = folder.parents[1]
    (scratch / "stand_in.fatbin").write_bytes(FAT_BINARY)
    fixed = {
        "EAGLE_HIP_DRIVER": build / "tests" / "hip_shim" / "libhip_shim_7.so",
        "EAGLE_HIP_KFD": kernels_list(scratch / "kfd"),
        "HIP_VISIBLE_DEVICES": "0",
        "HAWK_HIP_ARCH": "gfx942",
    }
    over_the_fake = {
        "EAGLE_BACKEND_HIP": backend_of(build),
        "HIP_SHIM_CUDA_DRIVER": folder / "libcuda_fake.so",
        "HIP_SHIM_FATBIN": scratch / "stand_in.fatbin",
        "HIP_SHIM_BUILTIN": scratch / "stand_in.fatbin",
        "FAKE_CUDA_FIBERS": folder / "libfake_cuda_fibers.a",
        "HAWK_HIP_CLANG": f"{sys.executable} {HERE.parents[1] / 'fake_cuda' / 'nvcc.py'}",
    }
    os.environ.update({name: str(value) for name, value in fixed.items()})
    for name, value in over_the_fake.items():
        os.environ.setdefault(name, str(value))


def has_device_code() -> bool:
    return any(Path(os.environ["EAGLE_BACKEND_HIP"]).parent.glob("eagle_builtin_hip.*"))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    mine = [item for item in items if HERE in item.path.parents]
    for item in mine:
        item.add_marker("hip_shim")
    if not BUILT:
        gone = mine
    else:
        gone = [] if has_device_code() else [item for item in mine if item.get_closest_marker("amd_compiler")]
    if gone:
        items[:] = [item for item in items if item not in gone]
        config.hook.pytest_deselected(items=gone)
