"""One compiler run for a source, however many threads and processes ask, and its outcome kept."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache as remember
from pathlib import Path

from hawk.compiling import cache
from hawk.errors import HawkError

INCLUDE = Path(__file__).resolve().parent.parent / "include"
# Above this many operations a compiler's time grows faster than the kernel gains.
LIGHT_ABOVE = 2000
# A run that takes longer tells the user what it is about.
TELL_AFTER_S = 1.0


@dataclass(frozen=True)
class Library:
    """A compiled kernel: `path` is the file to load. `made`: what the compiler made; None: the file as it is."""

    path: Path
    made: bytes | None = None

    def content(self) -> bytes:
        """The file's bytes as the compiler made them."""
        return self.path.read_bytes() if self.made is None else self.made


@remember
def headers_digest() -> str:
    """sha256 over hawk's headers, names and bytes."""
    total = hashlib.sha256()
    for path in sorted(INCLUDE.rglob("*.h")):
        total.update(f"{path.relative_to(INCLUDE)}\0".encode())
        total.update(path.read_bytes())
        total.update(b"\0")
    return total.hexdigest()


def digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


_locks: dict[str, threading.Lock] = {}
_locks_lock = threading.Lock()


def _after_fork() -> None:
    """A thread of the parent that held a lock is not there to release it."""
    global _locks_lock
    _locks_lock = threading.Lock()
    _locks.clear()


os.register_at_fork(after_in_child=_after_fork)


def kept(loose: str, suffix: str, identity: str | None, make: Callable[[], bytes]) -> Library | None:
    """The cached outcome of `make`, or that of running it. Threads that ask for one source at once share one run.

    `loose` names the source and all that decides its code but the compiler, `identity` the compiler; None is no
    compiler: then what any compiler made of the source, or None.
    """
    with _locks_lock:
        lock = _locks.setdefault(loose, threading.Lock())
    with lock:
        store = cache.current()
        if identity is None:
            last = store.find_last(loose, suffix)
            return None if last is None else Library(last.path, last.content)
        key = digest(loose, identity)
        entry = store.find(key, suffix) or store.store(key, loose, suffix, make())
        return Library(entry.path, entry.content)


def _kill(process: subprocess.Popen[bytes]) -> None:
    """With the programs that it started: they hold the pipe that it is read from. It leads a group of its own."""
    if process.poll() is None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)


class Compilers:
    """The compilers that the threads of one build run, so that they end with it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: set[subprocess.Popen[bytes]] = set()
        self._ended = False

    def belong(self) -> None:
        """What the calling thread runs from here on is of these."""
        _of_thread.compilers = self

    def end(self) -> None:
        """Kills those that run, and those that are begun later."""
        with self._lock:
            self._ended = True
            for process in self._running:
                _kill(process)

    @contextlib.contextmanager
    def holding(self, process: subprocess.Popen[bytes]) -> Iterator[None]:
        with self._lock:
            self._running.add(process)
            if self._ended:
                _kill(process)
        try:
            yield
        finally:
            with self._lock:
                self._running.discard(process)


_of_thread = threading.local()


def wait_for(what: str, compiler: str, variable: str, command: Sequence[str], place: str) -> tuple[int, str]:
    """Runs a compiler in the folder `place`: its code, and what it said. Raises HawkError when it cannot be run."""
    try:
        process = subprocess.Popen(
            command,
            cwd=place,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    except OSError as error:
        raise HawkError(f"the compiler {compiler} cannot be run ({error}); set {variable} to another") from None
    compilers = getattr(_of_thread, "compilers", None)
    with process, compilers.holding(process) if compilers else contextlib.nullcontext():
        try:
            try:
                said, _ = process.communicate(timeout=TELL_AFTER_S)
            except subprocess.TimeoutExpired:
                print(f"hawk: compiling {what} with {compiler} ...", file=sys.stderr, flush=True)
                said, _ = process.communicate()
        except BaseException:
            _kill(process)
            raise
    return process.returncode, said.decode("utf-8", "replace")


_WORKPLACE = "hawk-compiling-"
_LOCKED_BY_THEN_S = 60.0


@contextlib.contextmanager
def _locked(folder: str | Path, how: int) -> Iterator[None]:
    """Raises OSError where another process has it, or the file system has no locks."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        fcntl.flock(handle, how)
        yield
    finally:
        os.close(handle)


@remember
def _remove_left(folder: str) -> None:
    """Once: the places of processes that were ended while they compiled. Who works in one has it locked."""
    for place in Path(folder).glob(f"{_WORKPLACE}*"):
        with contextlib.suppress(OSError):
            status = place.lstat()
            if status.st_uid == cache.my_id() and time.time() - status.st_mtime > _LOCKED_BY_THEN_S:
                with _locked(place, fcntl.LOCK_EX | fcntl.LOCK_NB):
                    shutil.rmtree(place, ignore_errors=True)


@contextlib.contextmanager
def workplace(kernel: str) -> Iterator[Path]:
    """A folder for one run of a compiler, which is gone afterwards. Raises HawkError where it cannot be written."""
    try:
        with tempfile.TemporaryDirectory(prefix=_WORKPLACE) as place, contextlib.ExitStack() as held:
            with contextlib.suppress(OSError):  # no locks here: it is then left alone too
                held.enter_context(_locked(place, fcntl.LOCK_EX))
            _remove_left(os.path.dirname(place))
            yield Path(place)
    except OSError as error:
        raise HawkError(
            f"kernel '{kernel}' was not compiled: the folder that a compiler works in cannot be written ({error}); "
            "make room there, or name another place with TMPDIR"
        ) from error


def made_by(code: int, file: Path) -> bytes:
    """What a compiler that ended with `code` left in the file; nothing where it failed."""
    return file.read_bytes() if code == 0 and file.exists() else b""


def how_ended(code: int) -> str:
    """For the words of a refusal: how a compiler ended that made nothing."""
    if code == 0:
        return "ended with code 0 and made nothing"
    return f"ended with code {code}" if code > 0 else f"was ended by signal {-code} ({signal.strsignal(-code)})"


def first_errors(said: str) -> str:
    """The lines of a compiler's output that say what is wrong."""
    lines = [line for line in said.splitlines() if "error" in line] or said.splitlines()
    return "\n".join(lines[:5]) or "it said nothing"
