"""Compiled kernels kept between processes.

An entry is one file `<key>.so` (`.cubin`, `.fatbin`, `.ptx` or `.hsaco` of a card): what the compiler made, then a mark
and the sha256 of what stands before. It is written beside and renamed, so that any number of processes may make it at
once and each sees all of it or nothing. A file that belongs to another user, or whose hash does not fit, is no entry:
it is made again. `<loose>.last` names the newest key of a source whatever the compiler, which is how a kernel runs
where the compiler is gone.
"""

from __future__ import annotations

import atexit
import contextlib
import errno
import hashlib
import os
import shutil
import stat
import tempfile
import threading
import time
import warnings
from pathlib import Path

from hawk.errors import HawkError
from raptor.errors import PerformanceWarning

_MARK = b"\nhawk sha256 "
_NEW = ".new-"  # an entry on its way
_GIVEN_UP_S = 24 * 3600.0
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


class Cache:
    """Entries in one folder; another one, private and gone with the process, where that cannot be written."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.private: Path | None = None
        self.lock = threading.Lock()
        self.swept = False

    def find(self, key: str, suffix: str) -> Path | None:
        """The entry's file, checked, or None."""
        for place in (self.place, self.private):
            if place is not None and _content(place / f"{key}.{suffix}") is not None:
                return place / f"{key}.{suffix}"
        return None

    def find_last(self, loose: str, suffix: str) -> Path | None:
        """The newest entry of that source, whatever compiler made it, or None."""
        for place in (self.place, self.private):
            raw = None if place is None else _read(place / f"{loose}.last")
            key = "" if raw is None else raw.decode("ascii", "replace")
            if len(key) == 64 and key.isalnum():
                return self.find(key, suffix)
        return None

    def store(self, key: str, loose: str, suffix: str, content: bytes) -> Path:
        """Keeps what a compiler made; returns the file to load."""
        sealed = content + _MARK + hashlib.sha256(content).hexdigest().encode()
        if self.private is None:
            try:
                _own_folder(self.place)
                self._sweep()
                return _write_entry(self.place, f"{key}.{suffix}", loose, sealed)
            except OSError as error:
                first = error
        try:
            if self.private is None:
                self._fall_back(first)
            assert self.private is not None
            return _write_entry(self.private, f"{key}.{suffix}", loose, sealed)
        except OSError as error:
            raise HawkError(
                f"a compiled kernel can be kept neither in the cache '{self.place}' nor in a folder of this process's "
                f"own, '{self.private or 'none'}' ({error}); make room, or name other places with HAWK_CACHE_DIR and "
                "TMPDIR"
            ) from error

    def _sweep(self) -> None:
        """Once: removes what processes left that were ended while they wrote."""
        if self.swept:
            return
        self.swept = True
        for left in self.place.glob(f"{_NEW}*"):
            with contextlib.suppress(OSError):
                if time.time() - left.stat().st_mtime > _GIVEN_UP_S:
                    left.unlink()

    def _fall_back(self, error: OSError) -> None:
        with self.lock:
            if self.private is not None:
                return
            self.private = Path(tempfile.mkdtemp(prefix="hawk-"))
            atexit.register(_remove, self.private, os.getpid())
        warnings.warn(
            f"the kernel cache '{self.place}' cannot be written ({error.strerror or error}); kernels are compiled into "
            "a folder of this process's own and again in the next one: set HAWK_CACHE_DIR to a folder of yours",
            PerformanceWarning,
            stacklevel=2,
        )


def _remove(place: Path, owner: int) -> None:
    # A forked child shares the folder with its parent, who is still using it.
    if os.getpid() == owner:
        shutil.rmtree(place, ignore_errors=True)


def content_of(entry: Path) -> bytes:
    """What the compiler made, without the seal. The entry was checked when it was found."""
    return entry.read_bytes()[:-_TAIL]


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


def _write_entry(place: Path, name: str, loose: str, sealed: bytes) -> Path:
    entry = _replace(place / name, sealed)
    _replace(place / f"{loose}.last", entry.stem.encode())
    return entry


def _replace(path: Path, content: bytes) -> Path:
    handle, temporary = tempfile.mkstemp(prefix=_NEW, dir=path.parent)
    try:
        with open(handle, "wb") as file:
            file.write(content)
        os.replace(temporary, path)
    except BaseException:
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
