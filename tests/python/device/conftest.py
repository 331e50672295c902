"""The simulated device of the C++ tests. What runs on it ran on no real one.

It is found where the C++ build left it: in `$EAGLE_BACKEND_SIM`, else below `build/dev`. Where it was not built, the
tests of this folder are deselected.
"""

import os
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
sys.path.append(str(HERE.parent / "eagle"))  # modules that both folders' tests have
BUILT = HERE.parents[2] / "build" / "dev" / "lib" / "test_backends" / "libeagle_sim.so"


def simulated() -> Path | None:
    """The file of kind `sim`, or None where it was not built."""
    named = Path(os.environ.get("EAGLE_BACKEND_SIM") or BUILT)
    return named if named.is_file() else None


@pytest.fixture(autouse=True)
def _named(monkeypatch: pytest.MonkeyPatch) -> None:
    """For these tests alone: elsewhere kind `sim` is not installed."""
    monkeypatch.setenv("EAGLE_BACKEND_SIM", str(simulated()))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    mine = [item for item in items if HERE in item.path.parents]
    for item in mine:
        item.add_marker("simulated_device")
    if simulated() is None and mine:
        items[:] = [item for item in items if HERE not in item.path.parents]
        config.hook.pytest_deselected(items=mine)
