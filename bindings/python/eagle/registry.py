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
    return Artifact.load(place.parent if place.name == "manifest.json" else place)
