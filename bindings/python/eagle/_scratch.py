"""Folders of this process for artifacts that are built or unpickled; removed when it exits."""

import itertools
import os
from pathlib import Path

_root: tuple[int, Path] | None = None
_numbers = itertools.count(1)


def _remove(owner: int, root: Path) -> None:
    # A forked child inherits the exit handler, but not the folder.
    if os.getpid() == owner:
        import shutil

        shutil.rmtree(root, ignore_errors=True)


def folder(name: str) -> Path:
    """A fresh empty folder whose name begins with `name`."""
    global _root
    if _root is None or _root[0] != os.getpid():
        import atexit
        import tempfile

        _root = (os.getpid(), Path(tempfile.mkdtemp(prefix="eagle-")))
        atexit.register(_remove, *_root)
    made = _root[1] / f"{name}-{next(_numbers)}"
    made.mkdir()
    return made
