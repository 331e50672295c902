"""A whole artifact folder, checked as its author would: every document, and that they fit each other and the files."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import Any

from raptor.schema.document import MAX_BYTES, parse, short
from raptor.schema.fields import show
from raptor.schema.manifest import validate_manifest
from raptor.schema.sidecar import validate_sidecar

MANIFEST = "manifest.json"
_SHARED = ("schema_version", "aether_abi", "exec_access", "exec_op")


def check_folder(folder: str | os.PathLike[str]) -> dict[str, Any]:
    """The manifest of a folder that a writer may hand on; nothing in it is loaded.

    Raises ValueError for the first document that `validate_*` refuses, a sidecar that differs from its manifest where
    the kernels of a folder are alike, or a file that a record names and that is not there, or is
    a link out of the folder; OSError for a document that
    cannot be read.
    """
    place = Path(folder)
    if not (place / MANIFEST).is_file():
        what = f"has no {MANIFEST}" if place.is_dir() else "is no folder"
        raise FileNotFoundError(
            f"'{place}' {what}; an artifact is a folder with {MANIFEST} in it, as hawk.build writes"
        )
    manifest: dict[str, Any] = _document(place / MANIFEST)
    validate_manifest(manifest, os.fspath(place / MANIFEST))
    for record in manifest["plugins"]:
        path = file_of_folder(place, record["sidecar"])
        sidecar = _document(path)
        validate_sidecar(sidecar, os.fspath(path))
        if sidecar["pattern"] != "neural_block":
            _check_shared(manifest, sidecar, path)
        if not file_of_folder(place, record["artifact"]).is_file():
            raise ValueError(
                f"{place / MANIFEST}: record '{short(record['id'])}' names '{record['artifact']}', no file"
            )
    return manifest


def file_of_folder(place: str | os.PathLike[str], name: str) -> Path:
    """The file of that name in an artifact folder. ValueError where it is a link that leads out of it."""
    path = Path(place) / name
    real = Path(os.path.realpath(path))
    if path.exists() and not real.is_relative_to(os.path.realpath(place)):
        raise ValueError(f"'{path}' is a link to '{real}', outside the artifact folder; put the file itself there")
    return path


def read_regular(path: Path) -> bytes:
    """The bytes of a file. OSError where it cannot be read, or is a pipe or the like, which would be waited for."""
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    mode = os.fstat(handle).st_mode
    if not stat.S_ISREG(mode):
        os.close(handle)
        code = errno.EISDIR if stat.S_ISDIR(mode) else errno.EINVAL
        why = os.strerror(code) if stat.S_ISDIR(mode) else "it is no regular file; put the file itself there"
        raise OSError(code, why, os.fspath(path))
    with open(handle, "rb") as file:
        return file.read()


def _document(path: Path) -> Any:
    size = path.stat().st_size
    if size > MAX_BYTES:
        raise ValueError(f"{path}: {size} bytes; at most 64 MiB ({MAX_BYTES} bytes) are read")
    return parse(read_regular(path), os.fspath(path))


def _check_shared(manifest: dict[str, Any], sidecar: dict[str, Any], path: Path) -> None:
    for key in _SHARED:
        if sidecar.get(key) != manifest.get(key):
            raise ValueError(
                f"{path}: '{key}' is {show(sidecar.get(key))}, the manifest says {show(manifest.get(key))} for every "
                "kernel of the folder"
            )
