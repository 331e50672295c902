"""From whatever describes a kernel to a Kernel and a Plan."""

import contextlib
import os
import threading
import weakref
from pathlib import Path
from typing import Any

from . import _scratch
from ._core import Artifact, HostTeam, Kernel, Plan
from .registry import load_manifest

_built: "weakref.WeakKeyDictionary[Any, Artifact]" = weakref.WeakKeyDictionary()
_building = threading.RLock()


def _fresh_lock() -> None:
    global _building
    _building = threading.RLock()


os.register_at_fork(after_in_child=_fresh_lock)  # another thread of the parent may have held it

ACCEPTED = "a @hawk.kernel, the folder of an artifact, or an object with build(directory) that writes one"


def _refuse(source: Any) -> TypeError:
    if callable(source) and hasattr(source, "__code__"):
        what = "a lambda" if source.__name__ == "<lambda>" else f"the plain function {source.__qualname__!r}"
        hint = "write it as a def with annotations and decorate it with @hawk.kernel"
        return TypeError(f"cannot deploy {what}; eagle needs {ACCEPTED}: {hint}")
    return TypeError(f"cannot deploy {source!r} ({type(source).__name__}); eagle needs {ACCEPTED}")


def _known(source: Any) -> Artifact | None:
    try:
        return _built.get(source)
    except TypeError:  # no weak reference to it, or no hash: it is built every time
        return None


def _build(source: Any) -> Artifact:
    with _building:
        known = _known(source)
        if known is not None:
            return known
        manifest = source.build(_scratch.folder("artifact"))
        if not isinstance(manifest, str | os.PathLike):
            raise TypeError(
                f"{type(source).__name__}.build(directory) returned {manifest!r}; "
                "it must return the path of the manifest"
            )
        made = Artifact.load(Path(manifest).parent)
        with contextlib.suppress(TypeError):
            _built[source] = made
        return made


def artifact_of(source: Any) -> Artifact:
    """The artifact that `source` is, lies in (a folder, or the path of its manifest), or builds; what was built is
    remembered.

    TypeError for anything else, naming it.
    """
    if isinstance(source, Artifact):
        return source
    if isinstance(source, str | os.PathLike):
        return load_manifest(source)
    if isinstance(source, type) or not callable(getattr(source, "build", None)):
        raise _refuse(source)
    return _build(source)


def kernel_of(source: Any, name: str | None = None) -> Kernel:
    """The kernel that `source` is or holds; `name` says which where an artifact has several."""
    if isinstance(source, Kernel):
        return source
    if isinstance(source, Plan):
        return source.kernel
    return artifact_of(source).kernel(name)


def plan(kernel: Any, *, structure: HostTeam | None = None, npartitions: int = 1, name: str | None = None) -> Plan:
    """Joins a kernel with an execution structure.

    `kernel`: what `deploy` takes, a `Kernel` or an `Artifact`. `structure`: an `eagle.exec.HostTeam`, by default one
    of as many threads as this process may use. `npartitions`: into how many neighbouring ranges the samples are cut.
    `name`: which kernel, where an artifact has several. ValueError names the rule when the kernel's access class
    forbids the placement.
    """
    return Plan(kernel_of(kernel, name), structure, npartitions)


def deploy(kernel: Any, *, name: str | None = None) -> Plan:
    """A plan that runs `kernel` on all threads of this process.

    `kernel`: a @hawk.kernel, the folder of an artifact, or an object with `build(directory) -> manifest path`.
    `name`: which kernel, where an artifact has several. TypeError for anything else.
    """
    return Plan(kernel_of(kernel, name))
