"""Dropping a package costs speed or a way to deploy, never a program that ran. Each claim in a process of its own, in
which what is dropped cannot be imported or found.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

GOLDEN = Path(__file__).resolve().parents[2] / "golden"

WALL = """
import sys


class Wall:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in BLOCKED:
            raise ModuleNotFoundError(f"{name} is blocked", name=name)
        return None


BLOCKED = set(sys.argv[1].split(","))
sys.meta_path.insert(0, Wall())


def loaded():
    return sorted(name for name in sys.modules if name.split(".")[0] in BLOCKED)


import shutil

for name in BLOCKED:
    try:
        __import__(name)
    except ModuleNotFoundError:
        continue
    raise SystemExit(f"{name} can be imported")
"""

HAWK_ALONE = """
import numpy as np
from golden_kernels import affine, oscillator

assert shutil.which("nvcc") is None
x = np.linspace(-1.0, 1.0, 1001)
made = affine(x, 2.0, 0.5)
assert (made == 2.0 * x + 0.5).all()
state = dict(x=x.copy(), v=np.zeros(1001), done=np.zeros(1001, bool))
oscillator(**state, omega=np.ones(1001), dt=0.5, rest=0.0)
assert (state["v"] == 0.0 - 0.5 * (1.0 * 1.0 * x + 0.3 * 1.0 * 0.0)).all()
manifest = affine.build(sys.argv[2])
import hawk
assert (hawk.load(manifest.parent)["affine"](x=x, a=1.0, b=1.0) == x + 1.0).all()
assert loaded() == [], loaded()
print("compiled and run")
"""

EAGLE_ALONE = """
import numpy as np
import eagle

plan = eagle.plan(eagle.registry.load_manifest(sys.argv[2]), structure=eagle.exec.HostTeam(2))
x = np.linspace(-1.0, 1.0, 100_003)
assert (plan.run(x=x, a=2.0, b=0.5) == 2.0 * x + 0.5).all()
assert shutil.which("nvcc") is None and shutil.which("c++") is None
assert loaded() == [], loaded()
print("loaded and run")
"""

RAPTOR_ALONE = """
import pathlib
from raptor.schema import parse, read_manifest, read_sidecar, validate_manifest, validate_sidecar

for path in sorted(pathlib.Path(sys.argv[2]).glob("*.json")):
    text = path.read_bytes()
    read, validate = (
        (read_manifest, validate_manifest) if path.name == "manifest.json" else (read_sidecar, validate_sidecar)
    )
    read(text, path.name)
    validate(parse(text, path.name), path.name)
    print(path.name)
assert loaded() == [], loaded()
"""


def without(program: str, blocked: str, argument: object, **environment: str) -> str:
    """What the program prints, `blocked` (a list with commas) out of reach."""
    done = subprocess.run(
        [sys.executable, "-c", WALL + program, blocked, str(argument)],
        env={**os.environ, "PYTHONPATH": str(GOLDEN), **environment},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def plain_path(tmp_path: Path) -> str:
    """A folder with a host compiler and what it calls, and no nvcc."""
    folder = tmp_path / "bin"
    folder.mkdir()
    for name in ("c++", "g++", "cc", "as", "ld", "clang++"):
        found = shutil.which(name)
        if found:
            (folder / name).symlink_to(found)
    return str(folder)


def test_hawk_compiles_and_runs_without_eagle_cupy_and_nvcc(tmp_path: Path, plain_path: str) -> None:
    cache = str(tmp_path / "cache")  # empty: the compiler is run
    said = without(HAWK_ALONE, "eagle,cupy", tmp_path / "made", PATH=plain_path, HAWK_CACHE_DIR=cache)
    assert said == "compiled and run\n"
    assert json.loads((tmp_path / "made" / "manifest.json").read_text())["exec_targets"] == ["host"]


def test_eagle_runs_an_artifact_without_hawk_and_a_compiler(tmp_path: Path) -> None:
    build = "import golden_kernels, sys; golden_kernels.affine.build(sys.argv[2])"
    without(build, "eagle", tmp_path / "made")
    empty = tmp_path / "empty"
    empty.mkdir()
    assert without(EAGLE_ALONE, "hawk,cupy,torch", tmp_path / "made", PATH=str(empty)) == "loaded and run\n"


def test_raptor_alone_validates_what_hawk_wrote() -> None:
    said = without(RAPTOR_ALONE, "numpy,hawk,eagle", GOLDEN / "artifact")
    assert said.split() == ["affine.json", "counted.json", "manifest.json", "oscillator.json", "turned.json"]


def test_the_wall_holds() -> None:
    """A program that imports what is blocked fails: the tests above would see it."""
    with pytest.raises(AssertionError, match="eagle is blocked"):
        without("import eagle", "eagle", "")
