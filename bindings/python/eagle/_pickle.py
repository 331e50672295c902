"""Kernels travel with the contents of their artifact: the receiver uses the folder when it holds the same files, and
writes them to a folder of its own otherwise."""

from pathlib import Path
from typing import Any

from . import _scratch
from ._core import Artifact, Kernel

_written: dict[str, Path] = {}


def reduce_kernel(kernel: Kernel) -> tuple[Any, ...]:
    """What `pickle` asks for. FileNotFoundError when the artifact's folder is gone."""
    folder = Path(kernel.folder)
    files = {name: (folder / name).read_bytes() for name in Artifact.load(folder).files}
    return restore_kernel, (str(folder), files, kernel.name, kernel.kind)


def _same(folder: Path, files: dict[str, bytes]) -> bool:
    try:
        return all((folder / name).read_bytes() == content for name, content in files.items())
    except OSError:
        return False


def _write(files: dict[str, bytes]) -> Path:
    import hashlib

    digest = hashlib.sha256()
    for name, content in sorted(files.items()):
        digest.update(f"{name}\0{len(content)}\0".encode() + content)
    key = digest.hexdigest()
    folder = _written.get(key)
    if folder is None or not _same(folder, files):
        folder = _scratch.folder("artifact")
        for name, content in files.items():
            if Path(name).name != name:
                raise ValueError(
                    f"the pickled artifact names the file {name!r}, which is not inside a folder; it is refused"
                )
            (folder / name).write_bytes(content)
        _written[key] = folder
    return folder


def restore_kernel(folder: str, files: dict[str, bytes], name: str, kind: str) -> Kernel:
    """The kernel that `reduce_kernel` took apart."""
    place = Path(folder) if _same(Path(folder), files) else _write(files)
    return Artifact.load(place).kernel(name, kind)
