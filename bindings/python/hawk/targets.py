"""What a kernel can be built for. `host`, `cuda` and `hip` are here; others come through the entry points
`hawk.targets`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import entry_points

from hawk.compiling import amd, archs, compile_for_amd, compile_for_cards, compile_source, cuda
from hawk.description import Description
from hawk.errors import HawkError


@dataclass(frozen=True)
class Options:
    """Of a build. `cpu`: native, or an architecture of hosts; `arch`: architectures of cards, None: those here."""

    cpu: str = "native"
    arch: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Built:
    """One kernel for one target: the file's bytes, its ending without the dot, its format, and what it was made of.

    `format` is one of raptor's: "host" for a shared object whose entries take addresses of arguments, another for a
    device's code, whose entries take their values. No two targets of a folder have one ending.
    """

    content: bytes
    suffix: str
    format: str
    source: str
    source_suffix: str


@dataclass(frozen=True)
class Target:
    """`name` is what `hawk.build` takes, `kind` the eagle backend that runs its files. `compile` makes the file; it may
    be called from several threads, and raises HawkError. `arch`: a pattern of the names of architectures that it takes,
    None: it takes none; `compile` is given the names for other targets too."""

    name: str
    kind: str
    compile: Callable[[Description, Options], Built]
    arch: str | None = ".+"


def _compile_host(d: Description, options: Options) -> Built:
    library = compile_source(d.name, d.source, d.operations, options.cpu)
    return Built(library.content(), "so", "host", d.source, "cpp")


def _compile_cuda(d: Description, options: Options) -> Built:
    arch = cuda.arch_list(archs.own(options.arch, archs.CUDA))
    made = compile_for_cards(d.name, d.device_source, d.operations, arch)
    return Built(made.library.content(), made.form, made.form, d.device_source, "cu")


def _compile_hip(d: Description, options: Options) -> Built:
    arch = amd.arch_list(archs.own(options.arch, archs.HIP))
    made = compile_for_amd(d.name, d.device_source, d.operations, arch)
    return Built(made.library.content(), made.form, made.form, d.device_source, "hip")


_HERE = {
    "host": Target("host", "cpu", _compile_host, arch=None),
    "cuda": Target("cuda", "cuda", _compile_cuda, arch=archs.CUDA),
    "hip": Target("hip", "hip", _compile_hip, arch=archs.HIP),
}


def is_here(name: str) -> bool:
    """Whether the target is hawk's own."""
    return name in _HERE


def target_names() -> list[str]:
    """Every target that can be asked for."""
    return [*_HERE, *(found.name for found in entry_points(group="hawk.targets") if found.name not in _HERE)]


def target_of(name: str) -> Target:
    """The target of that name. Raises HawkError naming those there are."""
    if name in _HERE:
        return _HERE[name]
    for found in entry_points(group="hawk.targets"):
        if found.name != name:
            continue
        target = found.load()
        if not isinstance(target, Target) or target.name != name:
            raise HawkError(
                f"the entry point '{found.value}' of hawk.targets gives {target!r}; it must be a hawk.targets.Target "
                f"named '{name}'"
            )
        return target
    raise HawkError(f"there is no target {name!r}; the targets are {', '.join(map(repr, target_names()))}")
