"""What compiles code for AMD's processors needs a clang for them. Where there is none, those tests are deselected."""

import pytest

from hawk.compiling.amd_search import find_amd_compiler


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    needing = [item for item in items if item.get_closest_marker("amd_compiler")]
    if needing and find_amd_compiler() is None:
        items[:] = [item for item in items if not item.get_closest_marker("amd_compiler")]
        config.hook.pytest_deselected(items=needing)
