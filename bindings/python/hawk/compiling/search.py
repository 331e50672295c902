"""Which compiler makes kernels here."""

from __future__ import annotations

import importlib.util
import os
import shlex
import shutil
import sys
from dataclasses import dataclass

from hawk.errors import HawkError


@dataclass(frozen=True)
class Compiler:
    """`command`: how it is run; `identity`: changes when the program behind the command does."""

    command: tuple[str, ...]
    identity: str

    @property
    def name(self) -> str:
        return " ".join(os.path.basename(self.command[0]) if k == 0 else word for k, word in enumerate(self.command))

    def spell(self, flag: str) -> str:
        """A flag as this compiler takes it: zig names architectures in a way of its own."""
        if "ziglang" in self.command and flag.startswith("-march="):
            return "-mcpu=" + flag.removeprefix("-march=").replace("-", "_")
        return flag


def resolve(words: list[str]) -> Compiler | None:
    """The compiler that these words run, or None when there is no such program. Nothing is run: a program is known by
    its place, size and time of change, so that asking costs microseconds."""
    program = shutil.which(words[0]) if words else None
    if program is None:
        return None
    facts = []
    for word in words:
        path = shutil.which(word) or (word if os.path.isfile(word) else None)  # a script that another program runs
        if path is None:
            facts.append(word)
            continue
        real = os.path.realpath(path)
        status = os.stat(real)
        facts.append(f"{real} {status.st_size} {status.st_mtime_ns}")
    return Compiler((program, *words[1:]), "\n".join(facts))


def named_words(variable: str) -> list[str] | None:
    """The command in an environment variable, or None where it is not set. Raises HawkError for one that is none."""
    value = os.environ.get(variable, "").strip()
    try:
        return shlex.split(value) or None
    except ValueError as error:
        raise HawkError(f"${variable} is {value!r}, which cannot be read as a command ({error})") from None


def _candidates() -> list[tuple[str, list[str]]]:
    """What is tried, in order: how it is called in messages, and the command."""
    found: list[tuple[str, list[str]]] = []
    for variable in ("HAWK_CXX", "CXX"):
        words = named_words(variable)
        found.append((f"${variable} (not set)", []) if words is None else (f"${variable} ({shlex.join(words)})", words))
    found += [(name, [name]) for name in ("c++", "g++", "clang++")]
    zig = importlib.util.find_spec("ziglang") is not None
    found.append(("the package ziglang", [sys.executable, "-m", "ziglang", "c++"] if zig else []))
    return found


def find_compiler() -> Compiler | None:
    """The first compiler there is. $HAWK_CXX, when set, is the only one: a wrong one is refused, not passed over."""
    for label, words in _candidates():
        compiler = resolve(words)
        if compiler is not None:
            return compiler
        if words and label.startswith("$HAWK_CXX"):
            raise HawkError(f"{label} names no program that can be run; set it to a C++ compiler, or unset it")
    return None


def no_compiler(kernel: str) -> HawkError:
    tried = ", ".join(label for label, _ in _candidates())
    return HawkError(
        f"kernel '{kernel}' cannot be compiled, because no C++ compiler was found; tried {tried}. Install g++ or "
        "clang++ (or `pip install ziglang`), or set HAWK_CXX"
    )
