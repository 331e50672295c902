"""Compiled kernels kept between processes.

An entry is one file `<key>.so` (`.cubin`, `.fatbin`, `.ptx` or `.hsaco` of a card): what the compiler made, then a mark
and the sha256 of what stands before. It is written beside and renamed, so that any number of processes may make it at
once and each sees all of it or nothing. A file that belongs to another user, or whose hash does not fit, is no entry:
it is made again. `<loose>.last` names the newest key of a source whatever the compiler, which is how a kernel runs
where the compiler is gone.

An entry on its way is locked by its writer (flock), so that one without a lock was left by a process that was ended;
the next process that keeps something removes it. The folder may be removed at any time.
"""

from __future__ import annotations

import atexit
import contextlib
import errno
import fcntl
import hashlib
import os
import shutil
import stat
import tempfile
import threading
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from hawk.errors import HawkError
from raptor.errors import PerformanceWarning

_MARK = b"\nhawk sha256 "
_NEW = ".new-"  # an entry on its way
_GIVEN_UP_S = 24 * 3600.0  # where a file system has no locks
_TRIES = 3  # where others remove the folder or a file on its way
_TAIL = len(_MARK) + 64


def folder() -> Path:
    """Where entries are kept: $HAWK_CACHE_DIR, in which `~` is a home folder, else the user's cache folder."""
    own = os.environ.get("HAWK_CACHE_DIR")
    if own:
        return Path(os.path.expanduser(own))
    base = os.environ.get("XDG_CACHE_HOME")
    if base and os.path.isabs(base):
        return Path(base) / "hawk"
    return Path(os.path.expanduser("~")) / ".cache" / "hawk"


def my_id() -> int:
    """The user whose files are trusted."""
    return os.geteuid()


@dataclass(frozen=True)
class Entry:
    """A file to load, and what the compiler made of it, which is kept though the file goes."""

    path: Path
    content: bytes


class Cache:
    """Entries in one folder; another one, private and gone with the process, where that cannot be written."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.private: Path | None = None
        self.lock = threading.Lock()
        self.swept = False

    def find(self, key: str, suffix: str) -> Entry | None:
        """The entry, checked, or None."""
        for place in (self.place, self.private):
            if place is None:
                continue
            path = place / f"{key}.{suffix}"
            content = _content(path)
            if content is not None:
                return Entry(path, content)
        return None

    def find_last(self, loose: str, suffix: str) -> Entry | None:
        """The newest entry of that source, whatever compiler made it, or None."""
        for place in (self.place, self.private):
            raw = None if place is None else _read(place / f"{loose}.last")
            key = "" if raw is None else raw.decode("ascii", "replace")
            if len(key) == 64 and key.isalnum():
                return self.find(key, suffix)
        return None

    def store(self, key: str, loose: str, suffix: str, content: bytes) -> Entry:
        """Keeps what a compiler made; returns the file to load."""
        name, sealed = f"{key}.{suffix}", content + _MARK + hashlib.sha256(content).hexdigest().encode()
        why: OSError | None = None
        if self.private is None:
            try:
                return Entry(_write_entry(self._prepared, name, loose, sealed), content)
            except OSError as error:
                why = error
        try:
            return Entry(_write_entry(lambda: self._fallen_back(why), name, loose, sealed), content)
        except OSError as error:
            raise HawkError(
                f"a compiled kernel can be kept neither in the cache '{self.place}' nor in a folder of this process's "
                f"own, '{self.private or 'none'}' ({error}); make room, or name other places with HAWK_CACHE_DIR and "
                "TMPDIR"
            ) from error

    def _prepared(self) -> Path:
        _own_folder(self.place)
        self._sweep()
        return self.place

    def _sweep(self) -> None:
        """Once: removes what processes left that were ended while they wrote."""
        if self.swept:
            return
        self.swept = True
        for left in self.place.glob(f"{_NEW}*"):
            with contextlib.suppress(OSError):
                _remove_if_left(left)

    def _fallen_back(self, error: OSError | None) -> Path:
        """The private folder, another one where that was removed. `error`: why the cache is not used, told once."""
        with self.lock:
            tells = self.private is None and error is not None
            if self.private is None or not self.private.is_dir():
                self.private = Path(tempfile.mkdtemp(prefix="hawk-"))
                atexit.register(_remove, self.private, os.getpid())
            private = self.private
        if tells:
            assert error is not None
            warnings.warn(
                f"the kernel cache '{self.place}' cannot be written ({error.strerror or error}); kernels are compiled "
                "into a folder of this process's own and again in the next one: set HAWK_CACHE_DIR to a folder of "
                "yours",
                PerformanceWarning,
                stacklevel=2,
            )
        return private


def _remove(place: Path, owner: int) -> None:
    # A forked child shares the folder with its parent, who is still using it.
    if os.getpid() == owner:
        shutil.rmtree(place, ignore_errors=True)


def _read(path: Path) -> bytes | None:
    """The bytes of a file of this user's own, or None."""
    try:
        # A pipe of that name would otherwise be waited for.
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError:
        return None
    status = os.fstat(handle)
    if status.st_uid != my_id() or not stat.S_ISREG(status.st_mode):
        os.close(handle)
        return None
    with open(handle, "rb") as file:
        return file.read()


def _content(path: Path) -> bytes | None:
    raw = _read(path)
    if raw is None or len(raw) <= _TAIL or raw[-_TAIL:-64] != _MARK:
        return None
    content = raw[:-_TAIL]
    return content if hashlib.sha256(content).hexdigest().encode() == raw[-64:] else None


def _own_folder(place: Path) -> None:
    """Who owns a folder may exchange its files after they were checked."""
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    owner = place.stat().st_uid
    if owner != my_id():
        raise PermissionError(errno.EACCES, f"it belongs to user {owner}")


def _write_entry(folder: Callable[[], Path], name: str, loose: str, sealed: bytes) -> Path:
    """`folder` makes the folder where it is not there; it is asked again where others removed it meanwhile."""
    for tries_left in reversed(range(_TRIES)):
        try:
            place = folder()
            entry = _replace(place / name, sealed)
            _replace(place / f"{loose}.last", entry.stem.encode())
            return entry
        except FileNotFoundError:
            if tries_left == 0:
                raise
    raise AssertionError


def _remove_if_left(path: Path) -> None:
    """Who locked it writes it. Without locks its age says whether somebody does."""
    handle = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        path.unlink()
    except BlockingIOError:
        pass
    except OSError:
        if time.time() - path.stat().st_mtime > _GIVEN_UP_S:
            path.unlink()
    finally:
        os.close(handle)


def _replace(path: Path, content: bytes) -> Path:
    handle, temporary = tempfile.mkstemp(prefix=_NEW, dir=path.parent)
    with open(handle, "wb") as file:
        try:
            with contextlib.suppress(OSError):  # of a file system that has no locks
                fcntl.flock(handle, fcntl.LOCK_EX)
            file.write(content)
            file.flush()
            os.replace(temporary, path)  # before the lock goes: see _remove_if_left
        except BaseException:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(temporary)
            raise
    return path


_caches: dict[Path, Cache] = {}
_caches_lock = threading.Lock()


def _after_fork() -> None:
    """A thread of the parent that held a lock is not there to release it."""
    global _caches_lock
    _caches_lock = threading.Lock()
    for one in _caches.values():
        one.lock = threading.Lock()


os.register_at_fork(after_in_child=_after_fork)


def current() -> Cache:
    """The cache of the folder that the environment names at this moment."""
    place = folder()
    with _caches_lock:
        if place not in _caches:
            _caches[place] = Cache(place)
        return _caches[place]
