"""Kernels compiled from kernels.cpp, as callables of hawk._native."""

from collections.abc import Callable
from pathlib import Path

import pytest
from native_kernels import Compiled, compile_library, program


@pytest.fixture(scope="session")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("kernels with spaces, ñ") / "kernels.so"
    compile_library(Path(__file__).with_name("kernels.cpp"), path)
    return path


@pytest.fixture(scope="session")
def kernel(library: Path) -> Callable[..., Compiled]:
    """kernel(name, **changes): a kernel that is not compiled yet."""
    return lambda name, **changes: Compiled(lambda: program(library, name, **changes))
