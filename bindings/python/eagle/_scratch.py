"""Folders of this process for artifacts that are built or unpickled; removed when it exits.

A process that is killed removes nothing, and a pool of worker processes kills its workers. So each root holds a lock
for as long as its process or a forked child lives, and who makes a root removes those whose lock is free.
"""

import fcntl
import itertools
import os
from pathlib import Path

_LOCK = ".lock"
_root: tuple[int, Path] | None = None
_numbers = itertools.count(1)


def _remove(owner: int, root: Path) -> None:
    # A forked child inherits the exit handler, but not the folder.
    if os.getpid() == owner:
        import shutil

        shutil.rmtree(root, ignore_errors=True)


def _at_exit(owner: int, root: Path) -> None:
    import atexit
    import sys

    atexit.register(_remove, owner, root)
    # A worker of multiprocessing ends without exit handlers; it runs finalizers of its own.
    workers = sys.modules.get("multiprocessing.util")
    if workers is not None:
        workers.Finalize(None, _remove, (owner, root), exitpriority=-100)


def _hold(root: Path) -> None:
    """Locks the root. Its lock appears under its name when it is held: a root without one is left alone."""
    made = root / ".lock-made"
    handle = os.open(made, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_SH)
    except OSError:  # a file system without locks: nobody will take this root for an abandoned one
        os.close(handle)
        return
    made.rename(root / _LOCK)  # and the handle stays open


def _abandoned(root: Path) -> bool:
    try:
        handle = os.open(root / _LOCK, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    finally:
        os.close(handle)
    return True


def _sweep(beside: Path) -> None:
    import shutil

    for root in beside.parent.glob("eagle-*"):
        if root != beside and _abandoned(root):
            shutil.rmtree(root, ignore_errors=True)


def folder(name: str) -> Path:
    """A fresh empty folder whose name begins with `name`."""
    global _root
    if _root is None or _root[0] != os.getpid():
        import tempfile

        root = Path(tempfile.mkdtemp(prefix="eagle-"))
        _hold(root)
        _sweep(root)
        _root = (os.getpid(), root)
        _at_exit(*_root)
    made = _root[1] / f"{name}-{next(_numbers)}"
    made.mkdir()
    return made
