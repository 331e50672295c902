"""One source compiled for hosts, or found in the cache."""

from __future__ import annotations

from hawk.compiling import cpu
from hawk.compiling.kept import (
    INCLUDE,
    LIGHT_ABOVE,
    Library,
    digest,
    first_errors,
    headers_digest,
    how_ended,
    kept,
    made_by,
    wait_for,
    workplace,
)  # fmt: skip
from hawk.compiling.search import Compiler, find_compiler, no_compiler
from hawk.errors import HawkError

_FLAGS = (
    "-std=c++20", "-fPIC", "-shared", "-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math", "-fwrapv",
    "-fno-strict-aliasing", "-nostdlib", "-w",
)  # fmt: skip


def flags_for(operations: int, march: str) -> list[str]:
    """The compiler's flags. `march`: native, or a name such as x86-64-v3 for a file that travels."""
    level = "-O1" if operations > LIGHT_ABOVE else "-O2"
    flags = [level, f"-march={march}", *_FLAGS]
    size = cpu.last_cache_bytes() if march == "native" else None
    return flags if size is None else [*flags, f"-DHAWK_CACHE_BYTES={size}"]


def compile_source(name: str, source: str, operations: int, march: str = "native") -> Library:
    """The compiled form of a kernel's source. Threads that ask for one source at once share one compiler run.

    Raises HawkError when there is no compiler, or the compiler refuses.
    """
    flags = flags_for(operations, march)
    processor = "\0".join((cpu.description()[0], *sorted(cpu.description()[1]))) if march == "native" else ""
    loose = digest("1", source, headers_digest(), *flags, processor)
    compiler = find_compiler()
    if compiler is None:
        found = kept(loose, "so", None, lambda: b"")
        if found is None:
            raise no_compiler(name)
        return found
    found = kept(loose, "so", compiler.identity, lambda: _run(name, source, operations, compiler, flags))
    assert found is not None
    return found


def _run(name: str, source: str, operations: int, compiler: Compiler, flags: list[str]) -> bytes:
    with workplace(name) as place:
        file, made = place / f"{name}.cpp", place / f"{name}.so"
        file.write_text(source)
        command = [*compiler.command, *map(compiler.spell, flags), f"-I{INCLUDE}", "-o", str(made), str(file)]
        what = f"kernel '{name}' ({operations} operations)"
        code, said = wait_for(what, compiler.name, "HAWK_CXX", command, str(place))
        content = made_by(code, made)
        if not content:
            raise HawkError(_failure(name, compiler, command, code, said))
        return content


def _failure(name: str, compiler: Compiler, command: list[str], code: int, said: str) -> str:
    native = any(word.endswith("=native") for word in command)
    other = "write a smaller kernel" if native else "give `cpu` another architecture"
    return (
        f"kernel '{name}' was not compiled: {compiler.name} {how_ended(code)} (its command: {' '.join(command)}): "
        f"{first_errors(said)}\nTry another compiler with HAWK_CXX, or {other}"
    )
