"""One source compiled, or found in the cache."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass
from functools import cache as remember
from pathlib import Path

from hawk.compiling import cache, cpu
from hawk.compiling.search import Compiler, find_compiler, no_compiler
from hawk.errors import HawkError

INCLUDE = Path(__file__).resolve().parent.parent / "include"
# Above this many operations a compiler's time grows faster than the kernel gains.
LIGHT_ABOVE = 2000
# A run that takes longer tells the user what it is about.
TELL_AFTER_S = 1.0

_FLAGS = (
    "-std=c++20", "-fPIC", "-shared", "-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math", "-fwrapv",
    "-fno-strict-aliasing", "-nostdlib", "-w",
)  # fmt: skip


@dataclass(frozen=True)
class Library:
    """A compiled kernel: `path` is the file to load. `sealed`: it is an entry of the cache."""

    path: Path
    sealed: bool = True

    def content(self) -> bytes:
        """The file's bytes as the compiler made them."""
        return cache.content_of(self.path) if self.sealed else self.path.read_bytes()


@remember
def headers_digest() -> str:
    """sha256 over hawk's headers, names and bytes."""
    total = hashlib.sha256()
    for path in sorted(INCLUDE.rglob("*.h")):
        total.update(f"{path.relative_to(INCLUDE)}\0".encode())
        total.update(path.read_bytes())
        total.update(b"\0")
    return total.hexdigest()


def flags_for(operations: int, march: str) -> list[str]:
    """The compiler's flags. `march`: native, or a name such as x86-64-v3 for a file that travels."""
    level = "-O1" if operations > LIGHT_ABOVE else "-O2"
    flags = [level, f"-march={march}", *_FLAGS]
    size = cpu.last_cache_bytes() if march == "native" else None
    return flags if size is None else [*flags, f"-DHAWK_CACHE_BYTES={size}"]


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


_locks: dict[str, threading.Lock] = {}
_locks_lock = threading.Lock()


def _after_fork() -> None:
    """A thread of the parent that held a lock is not there to release it."""
    global _locks_lock
    _locks_lock = threading.Lock()
    _locks.clear()


os.register_at_fork(after_in_child=_after_fork)


def compile_source(name: str, source: str, operations: int, march: str = "native") -> Library:
    """The compiled form of a kernel's source. Threads that ask for one source at once share one compiler run.

    Raises HawkError when there is no compiler, or the compiler refuses.
    """
    flags = flags_for(operations, march)
    processor = "\0".join((cpu.description()[0], *sorted(cpu.description()[1]))) if march == "native" else ""
    loose = _digest("1", source, headers_digest(), *flags, processor)
    with _locks_lock:
        lock = _locks.setdefault(loose, threading.Lock())
    with lock:
        store = cache.current()
        compiler = find_compiler()
        if compiler is None:
            found = store.find_last(loose)
            if found is None:
                raise no_compiler(name)
            return Library(found)
        key = _digest(loose, compiler.identity)
        found = store.find(key) or store.store(key, loose, _run(name, source, operations, compiler, flags))
        return Library(found)


def _run(name: str, source: str, operations: int, compiler: Compiler, flags: list[str]) -> bytes:
    with tempfile.TemporaryDirectory(prefix="hawk-") as place:
        file, made = Path(place) / f"{name}.cpp", Path(place) / f"{name}.so"
        file.write_text(source)
        command = [*compiler.command, *map(compiler.spell, flags), f"-I{INCLUDE}", "-o", str(made), str(file)]
        code, said = _wait(name, operations, compiler, command, place)
        if code != 0 or not made.exists():
            raise HawkError(_failure(name, compiler, command, code, said))
        return made.read_bytes()


def _wait(name: str, operations: int, compiler: Compiler, command: list[str], place: str) -> tuple[int, str]:
    try:
        process = subprocess.Popen(
            command, cwd=place, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
    except OSError as error:
        raise HawkError(f"the compiler {compiler.name} cannot be run ({error}); set HAWK_CXX to another") from None
    with process:
        try:
            try:
                said, _ = process.communicate(timeout=TELL_AFTER_S)
            except subprocess.TimeoutExpired:
                print(
                    f"hawk: compiling kernel '{name}' ({operations} operations) with {compiler.name} ...",
                    file=sys.stderr,
                    flush=True,
                )
                said, _ = process.communicate()
        except BaseException:
            process.kill()
            raise
    return process.returncode, said.decode("utf-8", "replace")


def _failure(name: str, compiler: Compiler, command: list[str], code: int, said: str) -> str:
    lines = [line for line in said.splitlines() if "error" in line] or said.splitlines()
    first = "\n".join(lines[:5]) or "it said nothing"
    native = any(word.endswith("=native") for word in command)
    other = "write a smaller kernel" if native else "give `cpu` another architecture"
    return (
        f"kernel '{name}' was not compiled: {compiler.name} ended with code {code} (its command: {' '.join(command)}): "
        f"{first}\nTry another compiler with HAWK_CXX, or {other}"
    )
