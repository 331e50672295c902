"""Tests on an NVIDIA card, run whole by `make gpu`. Elsewhere the marker `gpu` deselects them."""

from pathlib import Path

import pytest

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if HERE in item.path.parents:
            item.add_marker("gpu")
