"""python -m eagle doctor: everything that a report of trouble needs."""

import os
import platform
import sys
from collections.abc import Callable, Iterator
from importlib.metadata import PackageNotFoundError, version

from . import _core
from ._backends import BackendInfo, backends
from ._core import backend_report


def _version_of(distribution: str) -> str:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return "not installed"


def _versions() -> Iterator[str]:
    yield f"eagle {_core.__version__} in {_core.library_path()}"
    yield f"Python {platform.python_version()} ({sys.executable}), {platform.platform()}"
    yield ", ".join(f"{name} {_version_of(name)}" for name in ("numpy", "matplotlib", "tqdm"))
    yield f"{len(os.sched_getaffinity(0))} of {os.cpu_count()} CPUs may be used"


def _backend(info: BackendInfo) -> Iterator[str]:
    yield str(info)
    if info.loaded:
        types = _core.device_types_text(info.kind)
        yield f"  groups: {', '.join(info.groups) or 'none'}; DLPack device types: {types}"


def _backends(found: list[BackendInfo]) -> Iterator[str]:
    for info in found:
        yield from _backend(info)
    yield from _core.shared_cards()


def _attempt(attempt: dict[str, str]) -> str:
    place = f" {attempt['path']}" if attempt["path"] else ""
    system = f" ({attempt['system']})" if attempt["system"] else ""
    return f"{attempt['kind']}, {attempt['source']}:{place} {attempt['outcome']}{system}"


def _compiler() -> Iterator[str]:
    try:
        from hawk import doctor
    except ImportError as error:
        yield f"hawk cannot be imported: {error}"
        return
    yield from doctor.report()


def _section(title: str, lines: Callable[[], Iterator[str]]) -> None:
    print(title)
    for line in lines():
        print(f"  {line}")


def main() -> int:
    """Prints the report; 0 when some backend is usable."""
    found = backends()
    _section("versions", _versions)
    _section("backends", lambda: _backends(found))
    _section("load attempts", lambda: map(_attempt, backend_report()))
    _section("compiler and caches", _compiler)
    return 0 if any(info.usable for info in found) else 1
