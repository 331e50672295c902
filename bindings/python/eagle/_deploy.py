"""From whatever describes a kernel to a Kernel and a Plan."""

import contextlib
import inspect
import os
import threading
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

from . import _scratch
from ._core import Artifact, DeviceKernel, HostTeam, Kernel, Plan, structure_of_backend
from ._ranks import RankPartition
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


def _folder_of(manifest: Any, source: Any) -> Path:
    if not isinstance(manifest, str | os.PathLike):
        raise TypeError(
            f"{type(source).__name__}.build(directory) returned {manifest!r}; it must return the path of the manifest"
        )
    return Path(manifest).parent


def _build(source: Any) -> Artifact:
    with _building:
        known = _known(source)
        if known is not None:
            return known
        made = Artifact.load(_folder_of(source.build(_scratch.folder("artifact")), source))
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


def _builder(source: Any) -> Callable[[str], Path]:
    """Writes an artifact of `source` with files for a kind; returns its folder.

    It does not keep `source`: a kernel refers to its module, and with that to the plans there.
    """
    what = type(source).__name__
    held = weakref.ref(source)

    def build_for(kind: str) -> Path:
        found = held()
        if found is None:
            raise TypeError(
                f"the artifact that was deployed has no file for kind {kind!r}, and the {what} that built it is gone; "
                "keep it as long as the plan"
            )
        if "targets" not in inspect.signature(found.build).parameters:
            raise TypeError(
                f"the artifact that {what}.build writes has no file for kind {kind!r}, and its build takes no "
                "targets=; give eagle the folder of an artifact that was built for that kind"
            )
        return _folder_of(found.build(_scratch.folder("artifact"), targets=(kind,)), found)

    return build_for


def kernel_of(source: Any, name: str | None = None) -> Kernel:
    """The kernel that `source` is or holds; `name` says which where an artifact has several.

    What can be built is built for other kinds when they are met, as long as somebody keeps `source`.
    """
    if isinstance(source, Kernel):
        return source
    if isinstance(source, Plan):
        return source.kernel
    made = artifact_of(source).kernel(name)
    if isinstance(source, Artifact | str | os.PathLike):
        return made
    try:
        return made.built_by(_builder(source))
    except TypeError:  # no weak reference to it
        return made


def plan(
    kernel: Any,
    *,
    structure: HostTeam | DeviceKernel | RankPartition | None = None,
    npartitions: int = 1,
    name: str | None = None,
) -> Plan:
    """Joins a kernel with an execution structure.

    `kernel`: what `deploy` takes, a `Kernel` or an `Artifact`. `structure`: an `eagle.exec.HostTeam` or an
    `eagle.exec.DeviceKernel`, whose place the arrays of a call must lie in; without one, the arrays decide where a call
    runs: on all threads of this process, or on their device. An `eagle.exec.RankPartition` shares the samples among the
    processes of a job. `npartitions`: into how many neighbouring ranges the samples are cut. `name`: which kernel,
    where an artifact has several. ValueError names the rule when the kernel's access class forbids the placement;
    BackendUnavailable where the device's kind is not there.
    """
    return Plan(kernel_of(kernel, name), structure, npartitions)


def deploy(kernel: Any, *, name: str | None = None, backend: str | None = None) -> Plan:
    """A plan that runs `kernel` where its arrays are: on all threads of this process, or on their device.

    `kernel`: a @hawk.kernel, the folder of an artifact, or an object with `build(directory) -> manifest path`.
    `name`: which kernel, where an artifact has several. `backend`: on that kind alone, "cuda" or "cuda:1", "gpu" for
    the one GPU kind installed, "cpu" for the threads of this process; it is loaded now. TypeError for anything else.
    """
    return Plan(kernel_of(kernel, name), None if backend is None else structure_of_backend(backend))
