"""Frameworks that rows bridge to. Neither direction is ever a skip."""

from __future__ import annotations

import importlib
import importlib.util
from types import ModuleType

from raptor.conformance.interop import CERTIFIED, ROADMAP

# What is imported, where it is not the framework's own name.
_MODULES = {"tensorflow": ("tensorflow", "keras")}


class CertificationError(AssertionError):
    """The environment cannot certify what the matrix says: a failure of the row, never a skip."""


def certified_framework(name: str) -> ModuleType:
    """The framework's module. CertificationError where it cannot be imported; ValueError for a name that is none of
    CERTIFIED.
    """
    if name not in CERTIFIED:
        raise ValueError(f"{name!r} is not certified; the certified frameworks are {', '.join(CERTIFIED)}")
    try:
        return importlib.import_module(name)
    except Exception as error:
        raise CertificationError(
            f"the certified framework '{name}' cannot be imported ({type(error).__name__}: {error}); install it: a row "
            "without its framework fails, it is not skipped"
        ) from error


def roadmap_framework(name: str) -> None:
    """CertificationError where a framework that no row certifies is installed; ValueError for a name that is none of
    ROADMAP.
    """
    if name not in ROADMAP:
        raise ValueError(f"{name!r} is not on the roadmap; the frameworks there are {', '.join(ROADMAP)}")
    for module in _MODULES.get(name, (name,)):
        if importlib.util.find_spec(module) is not None:
            raise CertificationError(
                f"'{module}' is installed, and '{name}' is ROADMAP: that nothing exercises it cannot be checked where "
                "it is present; take it out of this environment, or write its rows and declare it certified"
            )
