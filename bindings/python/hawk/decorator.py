"""`@hawk.kernel` and what it makes."""

from __future__ import annotations

import importlib
import inspect
import os
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from types import FunctionType
from typing import Any, overload

import hawk._native as _native
from hawk.compiling import Library, compile_source
from hawk.description import Description, describe, native_parameters, result_kind
from hawk.frontend import trace
from hawk.ir import Program, text

_BY_POSITION, _BY_NAME = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY
_NOTHING = inspect.Parameter.empty


class _CallSignature:
    """`__signature__` of a kernel; its class has none of its own."""

    def __get__(self, made: Kernel | None, owner: type | None = None) -> inspect.Signature:
        if made is None:
            raise AttributeError("__signature__")
        d = made._description
        declared = {
            p.name: p.role for p in d.signature.arguments if not p.name.startswith("__") and p.role != "nsamples"
        }
        named = [name for name, role in declared.items() if name not in d.order and role != "out"]
        outputs = [name for name, role in declared.items() if role == "out"]
        options = [] if "layout" in declared else ["layout"]
        given = inspect.get_annotations(made.function) if made.function is not None else {}
        return inspect.Signature(
            [
                *(inspect.Parameter(name, _BY_POSITION, annotation=given.get(name, _NOTHING)) for name in d.order),
                *(inspect.Parameter(name, _BY_NAME) for name in named),
                *(inspect.Parameter(name, _BY_NAME, default=None) for name in (*outputs, *options)),
            ],
            return_annotation=given.get("return", _NOTHING),
        )


class Kernel(_native.Kernel):
    """A function of one sample, called with arrays of samples.

    `kernel(x, 2.0)` compiles at the first call (or finds the compiled file in the cache) and makes one step of every
    sample on the calling thread. Attributes: `name`, `digest` (sha256 of the canonical form), `ir` (that form as text),
    `source` (the generated C++), `device_source` (that for cards), `function` (the Python function, or None).
    `inspect.signature` tells how it is called.
    """

    __signature__ = _CallSignature()

    def __init__(self, description: Callable[[], Description], name: str) -> None:
        super().__init__()
        self._describe = description
        self.name = name
        self.function: FunctionType | None = None
        self._program_form: Program | None = None
        self._file: Path | None = None

    @cached_property
    def _description(self) -> Description:
        return self._describe()

    @property
    def digest(self) -> str:
        return self._description.digest

    @property
    def source(self) -> str:
        return self._description.source

    @property
    def device_source(self) -> str:
        return self._description.device_source

    @property
    def ir(self) -> str:
        return "" if self._program_form is None else text(self._program_form)

    def library(self, cpu: str = "native") -> Library:
        """The compiled file, from the cache or a compiler run. Raises HawkError."""
        d = self._description
        if self._file is not None:
            return Library(self._file)
        return compile_source(d.name, d.source, d.operations, cpu)

    def _compile(self) -> None:
        file = self.library().path
        try:
            self._install_from(file)
        except Exception:
            if self._file is not None or file.exists():
                raise
            self._install_from(self.library().path)  # the cache's folder was removed meanwhile

    def _install_from(self, file: Path) -> None:
        d = self._description
        planes = [a.name for a in d.signature.arguments if a.role == "out"]
        self._install(
            _native.Program(
                os.fspath(file),
                entry=d.step,
                kernel=d.name,
                scalar=d.scalar,
                parameters=native_parameters(d),
                order=list(d.order),
                result=result_kind(planes),
                outputs=d.outputs(),
                abi=d.abi,
                terminated_readonly=d.terminated_readonly,
                finish_mask=d.mask or "",
                quantities=[(argument, list(planes)) for argument, planes in d.quantities],
            )
        )

    def build(
        self,
        directory: str | os.PathLike[str],
        *,
        targets: Sequence[str] = ("host",),
        cpu: str = "native",
        arch: str | Sequence[str] | None = None,
    ) -> Path:
        """Writes an artifact of this kernel alone, as `hawk.build` does; returns the path of its manifest."""
        from hawk.artifact import build

        return build([self], directory, targets, cpu=cpu, arch=arch)

    def __repr__(self) -> str:
        arguments = ", ".join(self._description.order)
        return f"<hawk kernel {self.name}({arguments})>"

    def __reduce__(self) -> str | tuple[Any, ...]:
        found = _importable(self)
        if found is not None:
            return found
        if self._file is not None:
            return _reload, (os.fspath(self._file.parent), self.name)
        return _rebuild, (self._description,)


def _importable(kernel: Kernel) -> str | None:
    """The qualified name under which importing finds this very kernel, or None."""
    module, name = getattr(kernel, "__module__", None), getattr(kernel, "__qualname__", None)
    if not module or not name or "<locals>" in name:
        return None
    try:
        found: Any = importlib.import_module(module)
        for part in name.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError):
        return None
    return name if found is kernel else None


def _rebuild(description: Description) -> Kernel:
    return Kernel(lambda: description, description.name)


def _reload(folder: str, name: str) -> Kernel:
    from hawk.artifact import load

    return load(folder)[name]


def _decorated(function: Any, name: str | None, dtype: str) -> Kernel:
    program = trace(function, name, dtype)
    made = Kernel(lambda: describe(program), program.name)
    made._program_form = program
    made.function = function
    for attribute in ("__module__", "__qualname__", "__name__", "__doc__"):
        setattr(made, attribute, getattr(function, attribute))
    return made


@overload
def kernel(function: Callable[..., Any], /) -> Kernel: ...
@overload
def kernel(*, name: str | None = None, dtype: str = "float64") -> Callable[[Callable[..., Any]], Kernel]: ...
def kernel(
    function: Callable[..., Any] | None = None, /, *, name: str | None = None, dtype: str = "float64"
) -> Kernel | Callable[[Callable[..., Any]], Kernel]:
    """Makes a kernel of a function whose arguments are declared as Scalar, Vector[w], Param, Mutable[...] and so on.

    `name`: of the files and entries, else the function's. `dtype`: float64 or float32, of every real in it. Nothing is
    compiled here. Raises HawkError with file, line, the construct refused and what to write instead.
    """
    if function is not None:
        return _decorated(function, name, dtype)
    return lambda found: _decorated(found, name, dtype)
