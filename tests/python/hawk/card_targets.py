"""What the tests of targets for cards share: two kernels, a program in a compiler's place, and what was built."""

from __future__ import annotations

import json
import stat
import sys
from pathlib import Path
from typing import Any

import pytest

import hawk
from hawk import Mutable, Param, Scalar, Terminated


@hawk.kernel
def affine(x: Scalar, a: Param) -> Scalar:
    return a * x + 1.0


@hawk.kernel
def decay(x: Mutable[Scalar], k: Param, done: Terminated):
    x = x - k * x
    done = x < 0.01


PROGRAM = """#!{python}
import sys
for asked, answer in {answers!r}.items():
    if asked in sys.argv:
        print(answer)
        raise SystemExit(0)
if {error!r}:
    print({error!r})
    raise SystemExit(2)
made = sys.argv[sys.argv.index("-o") + 1]
open(made, "w").write(" ".join(sys.argv[1:sys.argv.index("-o")]))
"""


def put_compiler(
    monkeypatch: pytest.MonkeyPatch, path: Path, variable: str, answers: dict[str, str], error: str = ""
) -> Path:
    """A program that `variable` names: it answers what it is asked by those options, and else ends with the error, or
    writes how it was called in place of code. Kernels are cached beside it."""
    path.write_text(PROGRAM.format(python=sys.executable, answers=answers, error=error))
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv(variable, str(path))
    monkeypatch.setenv("HAWK_CACHE_DIR", str(path.parent / "cache"))
    return path


def take_compilers_away(monkeypatch: pytest.MonkeyPatch, folder: Path, variables: tuple[str, ...]) -> None:
    """None by those variables or on the path; the cache is that of `put_compiler` in the same folder."""
    for name in variables:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", str(folder / "nothing"))
    monkeypatch.setenv("HAWK_CACHE_DIR", str(folder / "cache"))


def built_for(target: str, kernel: hawk.Kernel, folder: Path, **options: Any) -> tuple[bytes, dict[str, Any]]:
    """The one file of the kernel, and its record in the manifest."""
    made = hawk.build(kernel, folder / "made", (target,), **options).parent
    (record,) = json.loads((made / "manifest.json").read_text())["plugins"]
    return (made / record["artifact"]).read_bytes(), record


# What both kinds of artifacts say of the entries of `decay`.
ENTRIES_OF_DECAY = {
    "host": {"step": "decay_step", "run": "decay_run"},
    "device": {"step": "decay_step", "run": "decay_run"},
}
