"""Artifact folders: kernels written so that C++ and Python load them, and host kernels read back."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hawk.compiling import cpu as processor
from hawk.decorator import Kernel
from hawk.description import ABI
from hawk.errors import HawkError
from hawk.sidecar import description_of, sidecar
from raptor.schema import read_manifest, read_sidecar, validate_manifest, validate_sidecar, write

MANIFEST = "manifest.json"
TARGETS = ("host",)


@dataclass(frozen=True)
class _Part:
    """One kernel of a folder, ready to be written."""

    kernel: Kernel
    document: dict[str, Any]
    library: bytes


def build(
    kernels: Kernel | Iterable[Kernel],
    folder: str | os.PathLike[str],
    targets: Sequence[str] = TARGETS,
    *,
    cpu: str = "native",
) -> Path:
    """Compiles kernels and writes them as one artifact; returns the path of the manifest.

    `cpu`: native, or an architecture such as x86-64-v3 for a folder that travels. The folder is made when it is
    missing; files of the same names in it are replaced. Raises HawkError (nothing is written then): a kernel that
    cannot be compiled, two of one name, kernels of different access classes, a target that there is none of.
    """
    chosen = list(kernels) if isinstance(kernels, Iterable) else [kernels]
    _check(chosen, targets, cpu)
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        parts = list(pool.map(lambda kernel: _part(kernel, cpu), chosen))
    place = Path(folder)
    try:
        place.mkdir(parents=True, exist_ok=True)
        for part in parts:
            _write_part(place, part)
        return _write(place / MANIFEST, write(_manifest(parts)).encode())
    except OSError as error:
        raise HawkError(f"the artifact cannot be written to '{place}': {error.strerror or error}") from error


def _check(kernels: list[Kernel], targets: Sequence[str], cpu: str) -> None:
    if not kernels:
        raise HawkError("hawk.build is given no kernels: give it at least one")
    for kernel in kernels:
        if not isinstance(kernel, Kernel):
            raise HawkError(f"hawk.build is given {kernel!r}, which is no kernel: decorate it with @hawk.kernel")
        if kernel._description.abi != ABI:
            raise HawkError(
                f"kernel '{kernel.name}' was loaded from a v1 artifact, and artifacts are written in version 2: build "
                "the function that it was made from, or copy the folder as it is"
            )
    if isinstance(targets, str) or not targets or any(target not in TARGETS for target in targets):
        raise HawkError(f"targets is {targets!r}: use a tuple of {', '.join(map(repr, TARGETS))}")
    if not isinstance(cpu, str) or not cpu or not all(char.isalnum() or char in "-_." for char in cpu):
        raise HawkError(f"cpu is {cpu!r}: use 'native' or an architecture's name such as 'x86-64-v3'")
    names: set[str] = set()
    for kernel in kernels:
        if kernel.name in names:
            raise HawkError(f"two kernels are called '{kernel.name}': give one a name with @hawk.kernel(name=...)")
        names.add(kernel.name)
    first = kernels[0]
    for other in kernels[1:]:
        if _axis(first) != _axis(other):
            raise HawkError(
                f"kernel '{first.name}' is {_axis(first)} and kernel '{other.name}' is {_axis(other)}; the kernels of "
                "a folder are executed alike: build them into two folders"
            )


def _axis(kernel: Kernel) -> str:
    d = kernel._description
    return d.access if d.exec_op is None else f"{d.access} ({d.exec_op})"


def _part(kernel: Kernel, cpu: str) -> _Part:
    content = kernel.library(cpu).content()
    document = sidecar(kernel._description, processor.needed_by(content))
    validate_sidecar(document, f"{kernel.name}.json")
    return _Part(kernel, document, content)


def _manifest(parts: list[_Part]) -> dict[str, Any]:
    description = parts[0].kernel._description
    document: dict[str, Any] = {
        "schema_version": 2,
        "pattern": "vector",
        "aether_abi": ABI,
        "exec_targets": ["host"],
        "exec_access": description.access,
    }
    if description.exec_op is not None:
        document["exec_op"] = description.exec_op
    document["plugins"] = [
        {
            "id": part.kernel.name,
            "order": order,
            "enabled": True,
            "artifact": f"{part.kernel.name}.so",
            "sidecar": f"{part.kernel.name}.json",
            "format": "host",
        }
        for order, part in enumerate(parts)
    ]
    validate_manifest(document)
    return document


def _write_part(place: Path, part: _Part) -> None:
    name = part.kernel.name
    if part.kernel.source:
        _write(place / f"{name}.cpp", part.kernel.source.encode())
    _write(place / f"{name}.so", part.library)
    _write(place / f"{name}.json", write(part.document).encode())


def _write(path: Path, content: bytes) -> Path:
    """Beside and renamed: a process that has the old file loaded keeps it."""
    handle, temporary = tempfile.mkstemp(prefix=".new-", dir=path.parent)
    try:
        with open(handle, "wb") as file:
            file.write(content)
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
    return path


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise HawkError(f"'{path}' cannot be read: {error.strerror or error}") from error


def load(folder: str | os.PathLike[str]) -> dict[str, Kernel]:
    """The host kernels of an artifact by name, callable with arguments by name.

    Raises ValueError for a manifest or sidecar that is wrong, HawkError for a file that is missing, a kernel that
    hawk's own path does not call, or a processor that lacks what a file needs.
    """
    place = Path(folder)
    manifest = read_manifest(_read(place / MANIFEST), os.fspath(place / MANIFEST))
    found: dict[str, Kernel] = {}
    for record in manifest["plugins"]:
        if not record["enabled"] or record["format"] != "host":
            continue
        path = place / record["sidecar"]
        document = read_sidecar(_read(path), os.fspath(path))
        _check_shared(manifest, document, os.fspath(path))
        kernel = _loaded(document, path, place / record["artifact"])
        found[kernel.name] = kernel
    return found


def _check_shared(manifest: dict[str, Any], document: dict[str, Any], path: str) -> None:
    """One folder is one program: its kernels are planned alike."""
    for key in ("aether_abi", "exec_access", "exec_op"):
        if document.get(key) != manifest.get(key) and document["pattern"] != "neural_block":
            raise ValueError(
                f"{path}: '{key}' of kernel '{document['kernel']}' is {document.get(key)!r}, the manifest says "
                f"{manifest.get(key)!r} for every kernel of the folder"
            )


def _loaded(document: dict[str, Any], path: Path, library: Path) -> Kernel:
    description = description_of(document, os.fspath(path))
    needed = document.get("host_cpu", [])
    lacking = processor.missing(needed)
    if lacking:
        raise HawkError(
            f"kernel '{description.name}' was built for a CPU with {', '.join(needed)}; this one lacks "
            f"{', '.join(lacking)}; build it on this machine"
        )
    if not library.is_file():
        raise HawkError(f"'{library}' of kernel '{description.name}' is missing: build the artifact again")
    kernel = Kernel(lambda: description, description.name)
    kernel._file = library.absolute()
    return kernel
