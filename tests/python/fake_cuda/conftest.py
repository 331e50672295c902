"""Kind cuda over the fake driver (tests/fake_cuda), in a pytest run of its own: a process has one driver.

    FAKE_CUDA=build/dev/tests/fake_cuda python -m pytest tests/python/fake_cuda

What passes here is host logic on the fake driver. It says nothing of a card. Without FAKE_CUDA, the folder of the C++
build, the tests of this folder are deselected.
"""

import os
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
BUILT = os.environ.get("FAKE_CUDA")

if BUILT:
    folder = Path(BUILT).resolve()
    for name in ("EAGLE_CUDA_DRIVER", "EAGLE_CUDA_NVML"):
        os.environ[name] = str(folder / "libcuda_fake.so")
    # The wheel brings kind cpu alone; the backend is that of the same C++ build.
    os.environ.setdefault("EAGLE_BACKEND_CUDA", str(folder.parents[1] / "lib" / "eagle" / "libeagle_cuda.so"))
    os.environ["FAKE_CUDA_DEVICES"] = "2"
    os.environ["FAKE_CUDA_FIBERS"] = str(folder / "libfake_cuda_fibers.a")
    os.environ["HAWK_NVCC"] = f"{sys.executable} {HERE.parents[1] / 'fake_cuda' / 'nvcc.py'}"
    os.environ.pop("HAWK_CUDA_ARCH", None)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    mine = [item for item in items if HERE in item.path.parents]
    for item in mine:
        item.add_marker("fake_cuda")
    if not BUILT and mine:
        items[:] = [item for item in items if HERE not in item.path.parents]
        config.hook.pytest_deselected(items=mine)
