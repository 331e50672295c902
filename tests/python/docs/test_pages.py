"""The programs on the pages of docs/ run, in the order in which they stand, and give what can be worked out by hand."""

from __future__ import annotations

import contextlib
import os
import re
import runpy
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import eagle
import hawk

DOCS = Path(__file__).resolve().parents[3] / "docs"


def blocks(page: str, language: str) -> list[str]:
    found = re.findall(rf"```{language}\n(.*?)```", (DOCS / page).read_text(), re.DOTALL)
    assert found
    return found


def run_page(page: str, folder: Path) -> dict[str, Any]:
    """The names that the page's Python programs leave, run as one file in `folder`."""
    file = folder / "page.py"
    file.write_text("\n\n".join(blocks(page, "python")))
    with contextlib.chdir(folder):
        return runpy.run_path(str(file))


def test_python(tmp_path: Path) -> None:
    names = run_page("python.md", tmp_path)
    assert names["y"][0] == 1.0 and names["y"][-1] == 4.0  # 3 x + 1, after the rebind
    assert names["z"][0] == 1.0 and names["z"][-1] == 16.0  # (3 x + 1)^2
    assert names["largest"].tolist() == [1.0]  # 8 halved three times
    result = names["result"]
    assert (result.status, result.done) == ("finished", 1_000_000)
    # After n steps the height is h - g dt^2 n (n + 1) / 2: the root of that, rounded up, is when a sample lands.
    height = np.linspace(1.0, 100.0, 1_000_000)
    root = (np.sqrt(1.0 + 8.0 * height / (9.81 * 1e-6)) - 1.0) / 2.0
    assert (np.abs(result.steps_per_sample - np.ceil(root)) <= 1).all()
    assert (result.y <= 0.0).all() and result.finished_mask.all()


def test_hawk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names = run_page("hawk.md", tmp_path)
    assert (names["y"] == [1.0, 3.0, 5.0, 7.0]).all()
    assert sorted(path.name for path in names["manifest"].parent.iterdir()) == sorted(
        ["manifest.json", *(f"{kernel}.{end}" for kernel in ("scale", "oscillator") for end in ("cpp", "json", "so"))]
    )
    assert (names["loaded"](x=np.arange(3.0), a=2.0, b=1.0) == [1.0, 3.0, 5.0]).all()


def test_ranks(tmp_path: Path) -> None:
    names = run_page("ranks.md", tmp_path)  # as one process, which is one rank
    assert (names["y"] == 2.0 * names["x"] + 1.0).all()
    assert names["ranks"].partition(7) == eagle.Partition(0, 7, 7)
    grown = np.ones(100_000)
    for _ in range(100):
        grown = grown + 0.01 * names["rate"] * grown
    assert (names["state"] == grown).all()


def test_a_run_continues_with_its_mask(tmp_path: Path) -> None:
    """What docs/python.md says of a run that was cut: with the mask it is the run that was not."""
    fall = run_page("python.md", tmp_path)["fall"]
    whole, cut = (dict(y=np.linspace(1.0, 100.0, 1_000), v=np.zeros(1_000)) for _ in range(2))
    at_once = eagle.simulate(fall, max_steps=10_000, dt=1e-3, **whole)
    first = eagle.simulate(fall, max_steps=1_000, dt=1e-3, **cut)
    assert first.status == "max_steps" and 0 < first.done < 1_000
    then = eagle.simulate(fall, max_steps=10_000, dt=1e-3, landed=first.finished_mask, **cut)
    assert (whole["y"] == cut["y"]).all() and (whole["v"] == cut["v"]).all()
    assert (at_once.steps_per_sample == first.steps_per_sample + then.steps_per_sample).all()


def compiled(page: str, folder: Path) -> Path:
    """The one C++ program of a page."""
    (source,) = blocks(page, "cpp")
    (folder / "page.cpp").write_text(source)
    package = Path(eagle.__file__).parent
    command = [os.environ.get("CXX", "c++"), "-std=c++20", "-Wall", "-Wextra", "-Werror", f"-I{package / 'include'}"]
    command += [str(folder / "page.cpp"), "-o", str(folder / "page")]
    subprocess.run([*command, str(package / "libeagle.so"), f"-Wl,-rpath,{package}"], check=True)
    return folder / "page"


def run_program(program: Path, *arguments: Path) -> tuple[int, str, str]:
    done = subprocess.run([program, *arguments], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def test_cpp(tmp_path: Path) -> None:
    hawk.build(run_page("python.md", tmp_path)["scale"], tmp_path / "artifact")
    program = compiled("cpp.md", tmp_path)
    assert run_program(program, tmp_path / "artifact") == (0, "9\n", "")
    code, _, said = run_program(program, tmp_path / "nowhere")
    assert code == 1 and "nowhere/manifest.json" in said
    assert run_program(program) == (1, "", "usage: app <folder of the artifact>\n")


def test_graphs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (in_python,) = [block for block in blocks("graphs.md", "python") if "cool_kernels" in block]
    (tmp_path / "page.py").write_text(in_python)
    with contextlib.chdir(tmp_path):
        runpy.run_path("page.py")
    first = 1.0
    while first > 1e-3:
        first *= 1.0 - 0.1
    np.testing.assert_allclose([float(line) for line in capsys.readouterr().out.split()], [first, 0.5 * first])
    code, said, errors = run_program(compiled("graphs.md", tmp_path), tmp_path / "cool_kernels")
    assert (code, errors) == (0, "")
    *picture, one, two = said.splitlines()
    assert (one, two) == (f"{first:.6g}", f"{0.5 * first:.6g}")
    assert picture[0] == "cool: 6 nodes, 4 edges, host memory"
    assert any("until cool" in row and "while live != 0, at most 10000 times" in row for row in picture)
