"""Artifacts on disk."""

import os
from pathlib import Path

from ._core import Artifact

__all__ = ["load_manifest"]


def load_manifest(path: str | os.PathLike[str]) -> Artifact:
    """The artifact in a folder; `path` is the folder or its manifest.json.

    Manifest and sidecars are validated before any file of a kernel is opened. `eagle.plan` takes the result. ValueError
    says what is wrong and in which file; RuntimeError names a file that cannot be read.
    """
    place = Path(path)
    if "\0" in os.fspath(place):
        raise ValueError(f"path is {os.fspath(place)!r}, which holds a NUL; it needs the name of a folder")
    return Artifact.load(place.parent if place.name == "manifest.json" else place)
