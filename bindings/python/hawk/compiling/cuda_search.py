"""Which compiler makes code for NVIDIA's cards: nvcc, else NVRTC."""

from __future__ import annotations

import glob
import os
import re
import subprocess
import sysconfig
from abc import ABC, abstractmethod
from functools import cache as remember
from pathlib import Path

from hawk import _native
from hawk.compiling.kept import first_errors, how_ended, made_by, wait_for, workplace
from hawk.compiling.search import Compiler, named_words, resolve
from hawk.errors import HawkError

_PLACES = ("$CUDA_HOME", "$CUDA_PATH", "/usr/local/cuda")


class CudaCompiler(ABC):
    """`identity` changes when the program does; `archs` are the compute capabilities that it makes code for, as 90."""

    name: str
    identity: str
    archs: tuple[int, ...]
    joins: bool  # can it put code for several cards into one file?

    @abstractmethod
    def make(self, kernel: str, source: str, options: list[str], form: str, codes: tuple[str, ...]) -> bytes:
        """A file of form `cubin`, `ptx` or `fatbin` with code for `codes`, such as sm_90 or compute_75."""


class Nvcc(CudaCompiler):
    joins = True

    def __init__(self, program: Compiler) -> None:
        self.program = program
        self.name = program.name
        self.identity = program.identity
        self.archs = _archs_of(program)

    def make(self, kernel: str, source: str, options: list[str], form: str, codes: tuple[str, ...]) -> bytes:
        with workplace(kernel) as place:
            file, made = place / f"{kernel}.cu", place / f"{kernel}.{form}"
            file.write_text(source)
            target = [f"-arch={codes[0]}"] if form != "fatbin" else [f"-gencode={_gencode(code)}" for code in codes]
            command = [
                *self.program.command, f"-{form}", *target, "-allow-unsupported-compiler", *options, "-o", str(made),
                str(file),
            ]  # fmt: skip
            what = f"kernel '{kernel}' for {', '.join(codes)}"
            code, said = wait_for(what, self.name, "HAWK_NVCC", command, str(place))
            content = made_by(code, made)
            if not content:
                raise HawkError(
                    f"kernel '{kernel}' was not compiled for CUDA: {self.name} {how_ended(code)} (its command: "
                    f"{' '.join(command)}): {first_errors(said)}\nTry another compiler with HAWK_NVCC or HAWK_NVRTC"
                )
            return content


class Nvrtc(CudaCompiler):
    joins = False

    def __init__(self, path: str) -> None:
        if os.path.exists(path) and not os.path.isfile(path):  # a pipe would be waited for
            raise ValueError(f"'{path}' is no file of a library")
        self.compiler = _native.Nvrtc(path)
        self.name = f"NVRTC ({path})"
        status = os.stat(path)
        self.identity = f"{os.path.realpath(path)} {status.st_size} {status.st_mtime_ns}"
        self.archs = tuple(sorted(self.compiler.archs))

    def make(self, kernel: str, source: str, options: list[str], form: str, codes: tuple[str, ...]) -> bytes:
        given = [f"-arch={codes[0]}", "-default-device", "-device-int128", *options]
        code, said = self.compiler.compile(source, name=f"{kernel}.cu", options=given, ptx=form == "ptx")
        if code is None:
            raise HawkError(
                f"kernel '{kernel}' was not compiled for CUDA: {self.name} refuses it (its options: "
                f"{' '.join(given)}): {first_errors(said)}\nTry another compiler with HAWK_NVCC or HAWK_NVRTC"
            )
        return code


def _gencode(code: str) -> str:
    return f"arch=compute_{code.partition('_')[2]},code={code}"


@remember
def _archs_of(program: Compiler) -> tuple[int, ...]:
    command = [*program.command, "--list-gpu-arch"]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
        found = re.findall(r"compute_(\d+)", done.stdout)
    except OSError as error:
        raise HawkError(f"the compiler {program.name} cannot be run ({error}); set HAWK_NVCC to another") from None
    if not found:
        raise HawkError(
            f"the compiler {program.name} names no architectures (its command: {' '.join(command)}): "
            f"{first_errors(done.stderr or done.stdout)}; set HAWK_NVCC to another"
        )
    return tuple(sorted(map(int, found)))


def _toolkits() -> list[Path]:
    """Folders of toolkits: named, installed, and those of the wheels on PyPI."""
    named = [os.path.expandvars(place) for place in _PLACES]
    named = [place for place in named if place]  # an empty variable names no folder, not the one of today
    wheels = Path(sysconfig.get_paths()["purelib"]) / "nvidia"
    return [Path(place) for place in named if not place.startswith("$")] + [
        Path(place) for place in sorted(glob.glob(f"{wheels}/cu*"), reverse=True)
    ]


def _nvrtc_files() -> list[str]:
    """Libraries, the newest first, without the builds that stand in for them."""
    found: list[str] = []
    for place in _toolkits():
        for folder in ("lib64", "lib"):
            files = glob.glob(f"{place}/{folder}/libnvrtc.so.*")
            found += sorted((file for file in files if re.search(r"\.so\.\d+$", file)), reverse=True)
    return found


def find_cuda_compiler() -> CudaCompiler | None:
    """The first compiler there is. $HAWK_NVCC or $HAWK_NVRTC, when set, is the only one."""
    words = named_words("HAWK_NVCC")
    if words is not None:
        program = resolve(words)
        if program is None:
            raise HawkError(
                f"$HAWK_NVCC ({' '.join(words)}) names no program that can be run; set it to an nvcc, or unset it"
            )
        return Nvcc(program)
    file = os.environ.get("HAWK_NVRTC", "").strip()
    if file:
        try:
            return Nvrtc(file)
        except (ValueError, OSError) as error:
            raise HawkError(f"$HAWK_NVRTC cannot be used: {error}; set it to a libnvrtc.so, or unset it") from None
    for path in [*(str(place / "bin" / "nvcc") for place in _toolkits()), "nvcc"]:
        program = resolve([path])
        if program is not None:
            return Nvcc(program)
    for file in _nvrtc_files():
        try:
            return Nvrtc(file)
        except (ValueError, OSError):
            continue
    return None


def no_cuda_compiler(kernel: str) -> HawkError:
    places = ", ".join(str(place) for place in _toolkits()) or "no folder of a toolkit"
    return HawkError(
        f"kernel '{kernel}' cannot be compiled for CUDA, because neither nvcc nor NVRTC was found; tried $HAWK_NVCC "
        f"and $HAWK_NVRTC (not set), {places}, and nvcc on the path. Install a CUDA toolkit, or `pip install "
        "nvidia-cuda-nvrtc`, or set one of them"
    )
