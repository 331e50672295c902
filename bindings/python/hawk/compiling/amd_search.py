"""Which compiler makes code for AMD's processors: a clang with its lld, of ROCm or of LLVM 19 or newer."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from functools import cache as remember

from hawk.compiling.kept import first_errors, how_ended, made_by, wait_for, workplace
from hawk.compiling.search import Compiler, named_words, resolve
from hawk.errors import HawkError

_PLACES = ("$ROCM_PATH/llvm/bin/clang++", "/opt/rocm/llvm/bin/clang++")
_NAMES = ("clang++-22", "clang++-21", "clang++-20", "clang++-19", "clang++")
# What an older clang does not know.
_NEW_ENOUGH = "gfx942"
INSTALL = "Debian: apt-get install --no-install-recommends clang-19 lld-19"


class AmdClang:
    """`identity` changes when the program or its linker does; `archs` are the processors that it makes code for."""

    def __init__(self, program: Compiler, archs: frozenset[str], linker: str) -> None:
        self.program = program
        self.name = program.name
        self.archs = archs
        status = os.stat(linker)
        self.identity = f"{program.identity}\n{os.path.realpath(linker)} {status.st_size} {status.st_mtime_ns}"

    def make(self, kernel: str, source: str, options: list[str], arch: str) -> bytes:
        """A code object for one processor."""
        with workplace(kernel) as place:
            file, made = place / f"{kernel}.hip", place / f"{kernel}.hsaco"
            file.write_text(source)
            command = [*self.program.command, *options, f"--offload-arch={arch}", "-o", str(made), str(file)]
            code, said = wait_for(f"kernel '{kernel}' for {arch}", self.name, "HAWK_HIP_CLANG", command, str(place))
            content = made_by(code, made)
            if not content:
                raise HawkError(
                    f"kernel '{kernel}' was not compiled for {arch}: {self.name} {how_ended(code)} (its command: "
                    f"{' '.join(command)}): {first_errors(said)}\nTry another compiler with HAWK_HIP_CLANG"
                )
            return content


@remember
def _looked_at(program: Compiler) -> AmdClang | str:
    """The compiler, or what it lacks."""
    try:
        known = _said(program, "--target=amdgcn-amd-amdhsa", "-nogpulib", "--print-supported-cpus")
        linker = shutil.which(_said(program, "-print-prog-name=ld.lld").strip())
    except OSError as error:
        return f"cannot be run: {error}"
    archs = frozenset(re.findall(r"\bgfx\d{1,3}[0-9a-f]+\b", known))
    if _NEW_ENOUGH not in archs:
        return f"makes no code for {_NEW_ENOUGH}"
    return AmdClang(program, archs, linker) if linker else "has no ld.lld"


def _said(program: Compiler, *arguments: str) -> str:
    done = subprocess.run(
        [*program.command, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    return done.stdout.decode("utf-8", "replace")


def _candidates() -> list[str]:
    places = [os.path.expandvars(place) for place in _PLACES]
    return [*(place for place in places if not place.startswith("$")), *_NAMES]


def find_amd_compiler() -> AmdClang | None:
    """The first compiler there is. $HAWK_HIP_CLANG, when set, is the only one: a wrong one is refused."""
    words = named_words("HAWK_HIP_CLANG")
    if words is not None:
        program = resolve(words)
        found = "names no program that can be run" if program is None else _looked_at(program)
        if isinstance(found, str):
            raise HawkError(
                f"$HAWK_HIP_CLANG ({' '.join(words)}) {found}; set it to a clang++ of LLVM 19 or newer that has its "
                "ld.lld, or unset it"
            )
        return found
    for program in filter(None, (resolve([name]) for name in _candidates())):
        found = _looked_at(program)
        if not isinstance(found, str):
            return found
    return None


def no_amd_compiler(kernel: str) -> HawkError:
    tried = []
    for name in _candidates():
        program = resolve([name])
        tried.append(f"{name} ({'not there' if program is None else _looked_at(program)})")
    return HawkError(
        f"kernel '{kernel}' cannot be compiled for AMD's processors, because no clang for them was found; tried "
        f"$HAWK_HIP_CLANG (not set), {', '.join(tried)}. Install clang of LLVM 19 or newer with its lld ({INSTALL}) or "
        "ROCm, or set HAWK_HIP_CLANG"
    )
