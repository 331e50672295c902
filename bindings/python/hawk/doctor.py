"""What hawk finds on this machine."""

from __future__ import annotations

from collections.abc import Iterator

from hawk.compiling import cache, cpu
from hawk.compiling.amd_search import find_amd_compiler
from hawk.compiling.cuda_search import find_cuda_compiler
from hawk.compiling.search import find_compiler
from hawk.errors import HawkError

_ENTRIES = (".so", ".cubin", ".fatbin", ".ptx", ".hsaco")


def _cuda_compiler() -> str:
    try:
        found = find_cuda_compiler()
    except HawkError as error:
        return str(error)
    return "none (neither nvcc nor NVRTC)" if found is None else f"{found.name}, from sm_{found.archs[0]} on"


def _amd_compiler() -> str:
    try:
        found = find_amd_compiler()
    except HawkError as error:
        return str(error)
    return "none (no clang of LLVM 19 or newer with its lld)" if found is None else found.name


def report() -> Iterator[str]:
    """Lines about the compilers, the kernel cache and the processor."""
    try:
        compiler = find_compiler()
    except HawkError as error:
        yield f"compiler: {error}"
    else:
        yield (
            "compiler: none; install g++ or clang++ (or `pip install ziglang`), or set HAWK_CXX"
            if compiler is None
            else f"compiler: {' '.join(compiler.command)}"
        )
    place = cache.folder()
    entries = [entry for entry in place.glob("*") if entry.suffix in _ENTRIES] if place.is_dir() else []
    size = sum(entry.stat().st_size for entry in entries)
    yield f"kernel cache: {place}, {len(entries)} kernels, {size / 2**20:.1f} MiB"
    features = cpu.description()[1]
    best = [name for name in ("avx512f", "avx2", "avx", "sse4_2") if name in features]
    yield f"vectors: {best[0] if best else 'none known'}"
    yield f"CUDA compiler: {_cuda_compiler()}"
    yield f"HIP compiler: {_amd_compiler()}"
