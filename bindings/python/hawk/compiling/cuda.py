"""One source compiled for NVIDIA's cards, or found in the cache."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hawk import _native
from hawk.compiling.archs import CUDA, names_of, of_this_machine
from hawk.compiling.cuda_search import CudaCompiler, find_cuda_compiler, no_cuda_compiler
from hawk.compiling.kept import INCLUDE, LIGHT_ABOVE, Library, digest, headers_digest, kept
from hawk.errors import HawkError

# Of the toolkits that hawk writes for; where there is no compiler, an entry of this name may be in the cache.
_OLDEST = 75


@dataclass(frozen=True)
class CardCode:
    """A compiled kernel for cards. `form`: cubin, fatbin or ptx; `codes`: what is in it, such as sm_90."""

    library: Library
    form: str
    codes: tuple[str, ...]


def arch_list(arch: str | Sequence[str] | None) -> tuple[str, ...]:
    """Architectures by name, each once. None: those of this machine's cards, or of $HAWK_CUDA_ARCH; empty where it has
    none.

    Raises HawkError for a name that is none.
    """
    if arch is None:
        return of_this_machine("HAWK_CUDA_ARCH", lambda: [f"sm_{n}" for n in _native.cuda_cards()], CUDA)
    return names_of(arch, [CUDA])


def _flags(operations: int, compiler: CudaCompiler | None) -> list[str]:
    """Sums and products are not joined: `fma` stands where the kernel has it. Divisions and roots are rounded right."""
    light = operations > LIGHT_ABOVE and (compiler is None or compiler.joins)
    return ["-std=c++20", "-fmad=false", "-prec-div=true", "-prec-sqrt=true", "-ftz=false", "-w"] + (
        ["-Xptxas=-O1"] if light else []
    )


def _codes(wanted: tuple[str, ...], compiler: CudaCompiler, kernel: str) -> tuple[str, tuple[str, ...]]:
    """The form of the file and the code in it: for the very cards where the compiler knows them, PTX for newer ones."""
    known, oldest = compiler.archs, compiler.archs[0]
    codes: list[str] = []
    for name in wanted or (f"compute_{oldest}",):
        kind, _, digits = name.partition("_")
        number = int(digits)
        if number < oldest:
            raise HawkError(
                f"kernel '{kernel}' is wanted for {name}, and {compiler.name} makes code from sm_{oldest} on: take an "
                "older toolkit for that card, with HAWK_NVCC"
            )
        if number not in known:
            kind, number = "compute", max(n for n in known if n <= number)
        codes.append(f"{kind}_{number}")
    found = tuple(dict.fromkeys(codes))
    if len(found) == 1:
        return "ptx" if found[0].startswith("compute") else "cubin", found
    if compiler.joins:
        return "fatbin", found
    lowest = min(int(code.partition("_")[2]) for code in found)
    return "ptx", (f"compute_{lowest}",)


def compile_for_cards(name: str, source: str, operations: int, arch: tuple[str, ...]) -> CardCode:
    """The compiled form of a kernel's source for these cards (`arch_list`); PTX for the oldest ones when there are
    none.

    Raises HawkError when there is no compiler, or it refuses.
    """
    compiler = find_cuda_compiler()
    if compiler is None:
        return _from_cache(name, source, operations, arch)
    form, codes = _codes(arch, compiler, name)
    flags = _flags(operations, compiler)
    loose = _loose(source, operations, form, codes)
    library = kept(
        loose,
        form,
        digest(compiler.identity, *flags),
        lambda: compiler.make(name, source, [*flags, f"-I{INCLUDE}"], form, codes),
    )
    assert library is not None
    return CardCode(library, form, codes)


def _loose(source: str, operations: int, form: str, codes: tuple[str, ...]) -> str:
    return digest("cuda 1", source, headers_digest(), *_flags(operations, None), form, *codes)


def _from_cache(name: str, source: str, operations: int, arch: tuple[str, ...]) -> CardCode:
    codes = arch or (f"compute_{_OLDEST}",)
    form = "fatbin" if len(codes) > 1 else "ptx" if codes[0].startswith("compute") else "cubin"
    library = kept(_loose(source, operations, form, codes), form, None, lambda: b"")
    if library is None:
        raise no_cuda_compiler(name)
    return CardCode(library, form, codes)
