"""What is installed to run on, in readable form."""

from typing import Any, NamedTuple

from . import _core
from ._core import backend_report

__all__ = ["BackendInfo", "backend_report", "backends"]


class BackendInfo(NamedTuple):
    """The load state of one kind. `abi`: version of the seam it was built from. `message`: why it is not loaded or
    not usable.
    """

    kind: str
    loaded: bool
    usable: bool
    message: str
    path: str
    abi: str
    eagle_version: str
    archs: str
    capabilities: int
    groups: list[str]
    device_types: list[int]
    device_count: int
    attempts: list[dict[str, str]]

    def __str__(self) -> str:
        if not self.loaded:
            return f"{self.kind}: not loaded: {self.message}"
        state = f"{self.device_count} device(s)" if self.usable else f"no usable device: {self.message}"
        return f"{self.kind}: eagle-backend/{self.abi}, eagle {self.eagle_version}, {state}, {self.path}"


def backends() -> list[BackendInfo]:
    """Every kind whose file is installed, loaded and asked what it is. Never raises for a kind that fails: its entry
    says why.
    """
    return [_info(_core.cuda_backend(kind)) for kind in _core.installed_kinds()]


def _info(state: dict[str, Any]) -> BackendInfo:
    return BackendInfo(**{field: state[field] for field in BackendInfo._fields})
