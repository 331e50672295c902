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
from hawk.compiling.archs import names_of
from hawk.compiling.kept import Compilers
from hawk.decorator import Kernel
from hawk.description import ABI
from hawk.errors import HawkError
from hawk.sidecar import description_of, sidecar
from hawk.targets import Built, Options, Target, is_here, target_names, target_of
from raptor.schema import file_of_folder, read_manifest, read_sidecar, validate_manifest, validate_sidecar, write
from raptor.schema.folder import read_regular

MANIFEST = "manifest.json"
TARGETS = ("host",)


@dataclass(frozen=True)
class _Part:
    """One kernel of a folder, ready to be written: a file a target."""

    kernel: Kernel
    document: dict[str, Any]
    files: dict[str, Built]


def build(
    kernels: Kernel | Iterable[Kernel],
    folder: str | os.PathLike[str],
    targets: Sequence[str] = TARGETS,
    *,
    cpu: str = "native",
    arch: str | Sequence[str] | None = None,
) -> Path:
    """Compiles kernels and writes them as one artifact; returns the path of the manifest.

    `targets`: "host", "cuda", "hip", and those that other packages bring. `cpu`: native, or an architecture such as
    x86-64-v3 for a folder that travels. `arch`: of cards, such as "sm_90", "gfx942" or several, each for the target
    that takes such names; by default those of this machine. Where it has none, "cuda" gets PTX for the oldest that the
    compiler knows, and "hip" is refused. The folder is made when it is missing; files of the same names in it are
    replaced. Raises HawkError (nothing is written then): a kernel that cannot be compiled, two of one name,
    kernels of different access classes, a target that there is none of.
    """
    chosen = list(kernels) if isinstance(kernels, Iterable) else [kernels]
    wanted = _check(chosen, targets, cpu)
    patterns = [target.arch for target in wanted if target.arch is not None]
    options = Options(cpu, None if arch is None else names_of(arch, patterns))
    files = _compiled_all(chosen, wanted, options)
    parts = [_part(kernel, made) for kernel, made in zip(chosen, files, strict=True)]
    place = Path(folder)
    try:
        place.mkdir(parents=True, exist_ok=True)
        for part in parts:
            _write_part(place, part)
        return _write(place / MANIFEST, write(_manifest(parts)).encode())
    except OSError as error:
        raise HawkError(f"the artifact cannot be written to '{place}': {error.strerror or error}") from error


def _check(kernels: list[Kernel], targets: Sequence[str], cpu: str) -> list[Target]:
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
    if isinstance(targets, str) or not targets or not all(isinstance(target, str) for target in targets):
        raise HawkError(f"targets is {targets!r}: use a tuple of {', '.join(map(repr, target_names()))}")
    wanted = [target_of(name) for name in dict.fromkeys(targets)]
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
    return wanted


def _axis(kernel: Kernel) -> str:
    d = kernel._description
    return d.access if d.exec_op is None else f"{d.access} ({d.exec_op})"


def _compiled_all(kernels: list[Kernel], wanted: list[Target], options: Options) -> list[dict[str, Built]]:
    """For each kernel its code by target. What ends the wait, such as Ctrl-C, ends the compilers."""
    compilers = Compilers()
    with ThreadPoolExecutor(max_workers=os.cpu_count(), initializer=compilers.belong) as pool:
        rows = [[pool.submit(_compiled, kernel, target, options) for target in wanted] for kernel in kernels]
        try:
            return [{target.name: made.result() for target, made in zip(wanted, row, strict=True)} for row in rows]
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            compilers.end()
            raise


def _compiled(kernel: Kernel, target: Target, options: Options) -> Built:
    if kernel._file is None:
        return target.compile(kernel._description, options)
    if target.name != "host":
        raise HawkError(
            f"kernel '{kernel.name}' was loaded from '{kernel._file.parent}', where its code for hosts is all there "
            f"is; build it for '{target.name}' where it is written"
        )
    return Built(kernel.library().content(), "so", "host", "", "cpp")


def _check_endings(kernel: Kernel, files: dict[str, Built]) -> None:
    """Each file has a name of its own, which eagle and other readers take."""
    by_ending: dict[str, str] = {}
    for target, made in files.items():
        if not (made.suffix.isascii() and made.suffix.isalnum()):
            raise HawkError(
                f"target '{target}' gives the file of kernel '{kernel.name}' the ending {made.suffix!r}; a "
                "hawk.targets.Built has letters and digits there, without a dot, such as 'so'"
            )
        if made.suffix in by_ending:
            raise HawkError(
                f"targets '{by_ending[made.suffix]}' and '{target}' both write '{kernel.name}.{made.suffix}': give "
                "one of them another ending in its hawk.targets.Built"
            )
        by_ending[made.suffix] = target


def _part(kernel: Kernel, files: dict[str, Built]) -> _Part:
    _check_endings(kernel, files)
    host = files.get("host")
    needs = [] if host is None else processor.needed_by(host.content)
    document = sidecar(kernel._description, needs, [made.format for made in files.values()])
    validate_sidecar(document, f"{kernel.name}.json")
    return _Part(kernel, document, files)


def _manifest(parts: list[_Part]) -> dict[str, Any]:
    description = parts[0].kernel._description
    document: dict[str, Any] = {
        "schema_version": 2,
        "pattern": "vector",
        "aether_abi": ABI,
        "exec_targets": list(parts[0].document["exec_targets"]),
        "exec_access": description.access,
    }
    if description.exec_op is not None:
        document["exec_op"] = description.exec_op
    files = [(part.kernel.name, target, made) for part in parts for target, made in part.files.items()]
    document["plugins"] = [
        {
            "id": name if len(parts[0].files) == 1 and is_here(target) else f"{name}.{target}",
            "order": order,
            "enabled": True,
            "artifact": f"{name}.{made.suffix}",
            "sidecar": f"{name}.json",
            "format": made.format,
        }
        for order, (name, target, made) in enumerate(files)
    ]
    validate_manifest(document)
    return document


def _write_part(place: Path, part: _Part) -> None:
    name = part.kernel.name
    for made in part.files.values():
        if made.source:
            _write(place / f"{name}.{made.source_suffix}", made.source.encode())
        _write(place / f"{name}.{made.suffix}", made.content)
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
        return read_regular(path)
    except OSError as error:
        raise HawkError(f"'{path}' cannot be read: {error.strerror or error}") from error


def load(folder: str | os.PathLike[str]) -> dict[str, Kernel]:
    """The host kernels of an artifact by name, callable with arguments by name.

    Raises ValueError for a manifest or sidecar that is wrong, and for a link that leads out of the folder; HawkError
    for a file that is missing, a kernel that hawk's own path does not call, or a processor that lacks what a file
    needs.
    """
    place = Path(folder)
    manifest = read_manifest(_read(place / MANIFEST), os.fspath(place / MANIFEST))
    found: dict[str, Kernel] = {}
    for record in manifest["plugins"]:
        if not record["enabled"] or record["format"] != "host":
            continue
        path = file_of_folder(place, record["sidecar"])
        document = read_sidecar(_read(path), os.fspath(path))
        _check_shared(manifest, document, os.fspath(path))
        kernel = _loaded(document, path, file_of_folder(place, record["artifact"]))
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
