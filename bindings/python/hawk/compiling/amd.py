"""One source compiled for AMD's processors, or found in the cache."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from hawk.compiling.amd_search import AmdClang, find_amd_compiler, no_amd_compiler
from hawk.compiling.archs import HIP, names_of, of_this_machine
from hawk.compiling.cuda import CardCode
from hawk.compiling.kept import INCLUDE, LIGHT_ABOVE, digest, headers_digest, kept
from hawk.errors import HawkError

_KFD = Path("/sys/class/kfd/kfd/topology/nodes")
_PAGE = 4096
FORM = "hsaco"


def processors(nodes: Path | None = None) -> list[str]:
    """The processors of this machine, such as gfx942, as the kernel lists them; a CPU has no number of that kind."""
    found = []
    for properties in sorted((nodes or _KFD).glob("*/properties"), key=lambda path: int(path.parent.name)):
        facts = dict(line.split(None, 1) for line in properties.read_text().splitlines() if " " in line)
        version = int(facts.get("gfx_target_version", "0"))
        if version and int(facts.get("simd_count", "0")):
            found.append(f"gfx{version // 10000}{version // 100 % 100:x}{version % 100:x}")
    return found


def arch_list(arch: str | Sequence[str] | None) -> tuple[str, ...]:
    """Processors by name, each once. None: those of this machine, or of $HAWK_HIP_ARCH; empty where it has none.

    Raises HawkError for a name that is none.
    """
    return of_this_machine("HAWK_HIP_ARCH", processors, HIP) if arch is None else names_of(arch, [HIP])


def _flags(operations: int) -> list[str]:
    """Sums and products are not joined: `fma` stands where the kernel has it. Divisions and roots are rounded right.
    No name in the file depends on where it was made."""
    return [
        "-x", "hip", "--cuda-device-only", "--no-gpu-bundle-output", "-nogpuinc", "-nogpulib", "-std=c++20",
        "-O1" if operations > LIGHT_ABOVE else "-O2", "-ffp-contract=off", "-fno-math-errno", "-fno-strict-aliasing",
        "-fhip-fp32-correctly-rounded-divide-sqrt", "-fuse-cuid=none", "-w",
    ]  # fmt: skip


def compile_for_amd(name: str, source: str, operations: int, arch: tuple[str, ...]) -> CardCode:
    """The compiled form of a kernel's source for these processors (`arch_list`): a code object, or several in a bundle.

    Raises HawkError when there is no processor or no compiler, or it refuses.
    """
    if not arch:
        raise HawkError(
            f"kernel '{name}' is to be compiled for AMD's processors, of which this machine has none, and code for one "
            "does not run on another; name them, as arch='gfx942', or set HAWK_HIP_ARCH"
        )
    flags = _flags(operations)
    loose = digest("hip 1", source, headers_digest(), *flags, *arch)
    compiler = find_amd_compiler()
    if compiler is None:
        found = kept(loose, FORM, None, lambda: b"")
        if found is None:
            raise no_amd_compiler(name)
        return CardCode(found, FORM, arch)
    for wanted in arch:
        if wanted not in compiler.archs:
            raise HawkError(
                f"kernel '{name}' is wanted for {wanted}, which {compiler.name} makes no code for: take a newer "
                "compiler, with HAWK_HIP_CLANG, or another of arch"
            )
    library = kept(loose, FORM, compiler.identity, lambda: _made(name, source, flags, compiler, arch))
    assert library is not None
    return CardCode(library, FORM, arch)


def _made(name: str, source: str, flags: list[str], compiler: AmdClang, arch: tuple[str, ...]) -> bytes:
    objects = [compiler.make(name, source, [*flags, f"-I{INCLUDE}"], one) for one in arch]
    return objects[0] if len(arch) == 1 else bundle(dict(zip(arch, objects, strict=True)))


def bundle(objects: dict[str, bytes]) -> bytes:
    """Code objects by processor as one file, as clang's offload bundler lays it out: a count, then for each part its
    place, size and name, then the parts, each on a page. The first part is the host's, of no bytes."""
    parts = {"host-x86_64-unknown-linux-gnu-": b""}
    parts |= {f"hipv4-amdgcn-amd-amdhsa--{name}": content for name, content in objects.items()}
    head, body, at = b"__CLANG_OFFLOAD_BUNDLE__" + len(parts).to_bytes(8, "little"), b"", _PAGE
    for name, content in parts.items():
        head += b"".join(number.to_bytes(8, "little") for number in (at, len(content), len(name))) + name.encode()
        padded = content + bytes(-len(content) % _PAGE)
        body += padded
        at += len(padded)
    return head.ljust(_PAGE, b"\0") + body
