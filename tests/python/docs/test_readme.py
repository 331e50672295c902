"""README's programs as they are printed: both run, and say the same line; its commands build the C++ one."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[3]
README = (ROOT / "README.md").read_text(encoding="utf-8")
SAMPLES = 2_000


def block(language: str, section: str = "") -> str:
    """The one block in that language below that heading."""
    (found,) = re.findall(rf"```{language}\n(.*?)```", README.partition(f"## {section}\n")[2], re.DOTALL)[:1]
    return found


def surroundings() -> dict[str, str]:
    """Where `python` and `cmake` are those of this test."""
    return os.environ | {"PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])}


def run(folder: Path) -> list[str]:
    """The lines that README's commands print. What is under test is installed, as the first of them does it."""
    install, *commands = block("sh", "C++").splitlines()
    assert install.startswith("pip install path/to/eagle")
    shell = ["bash", "-euo", "pipefail", "-c", "\n".join(commands)]
    done = subprocess.run(shell, cwd=folder, env=surroundings(), capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()


def written(folder: Path, samples: int | None = None) -> Path:
    """The three files of README, over fewer samples where that is said."""
    files = {"oscillator.py": block("python", "Python"), "app.cpp": block("cpp", "C++")}
    for name, text in files.items():
        short, times = re.subn(r"1[_']000[_']000\b", str(samples or 1_000_000), text)
        assert times == 1
        (folder / name).write_text(short if samples else text)
    (folder / "CMakeLists.txt").write_text(block("cmake", "C++"))
    return folder


def by_hand(samples: int) -> tuple[str, list[int], list[float]]:
    """The line that both print, the steps of each sample, and when it stopped: the same arithmetic in NumPy."""
    omega, dt = 0.5 + 1.5 * np.arange(samples) / (samples - 1), 0.01
    x, v, t = np.ones(samples), np.zeros(samples), np.zeros(samples)
    steps, live = np.zeros(samples, np.int64), np.arange(samples)
    while len(live):
        v[live] -= dt * (omega[live] * omega[live] * x[live] + 0.1 * v[live])
        x[live] += dt * v[live]
        t[live] += dt
        steps[live] += 1
        live = live[x[live] * x[live] + v[live] * v[live] >= 1e-6]
    bits = sum(int.from_bytes(number.tobytes(), sys.byteorder) for plane in (x, v, t) for number in plane) % 2**64
    return f"finished {steps.sum()} {bits:x}", steps.tolist(), t.tolist()


@pytest.mark.parametrize(("language", "section", "most"), [("python", "Python", 20), ("cpp", "C++", 20)])
def test_a_program_is_short(language: str, section: str, most: int) -> None:
    assert sum(bool(line.strip()) for line in block(language, section).splitlines()) <= most


def test_the_cmake_file_is_five_lines() -> None:
    assert len(block("cmake", "C++").splitlines()) == 5


def test_both_programs_as_printed_say_the_line_that_is_printed(tmp_path: Path) -> None:
    in_python, *_, in_cpp = run(written(tmp_path))
    assert in_python == in_cpp == block("text", "C++").strip()


def test_the_line_is_what_numpy_works_out(tmp_path: Path) -> None:
    line, steps, stopped = by_hand(SAMPLES)
    in_python, after, *_, in_cpp = run(written(tmp_path, SAMPLES))
    assert in_python == in_cpp == line
    assert after == f"{np.array(steps[:3])} {np.array(stopped[:3]) + 0.01}"
    the_cpp_program_says_what_is_missing(tmp_path)


def the_cpp_program_says_what_is_missing(folder: Path) -> None:
    """Started where the artifact of the Python program is not."""
    (folder / "elsewhere").mkdir()
    done = subprocess.run([folder / "build/app"], cwd=folder / "elsewhere", capture_output=True, text=True)
    assert done.returncode == 1 and done.stdout == "" and "oscillator_kernel/manifest.json" in done.stderr


def test_the_packages_named_are_those_a_build_asks_for() -> None:
    """What scripts/system_packages.sh misses in a bare system, short of benchmarks' peers and of kind hip."""
    script = (ROOT / "scripts/system_packages.sh").read_text(encoding="utf-8")
    lines = [line for line in script.splitlines() if "apt_has" not in line and "bench ]" not in line]
    asked = re.findall(r"missing\+=\(([^)]+)\)", "\n".join(lines))
    (named,) = re.findall(r"^sudo apt-get install (.+)$", README, re.MULTILINE)
    assert sorted(named.split()) == sorted(" ".join(asked).split())


def test_the_order_is_the_one_that_is_prescribed() -> None:
    marks = ["make demo ", "```python", "```cpp", "## What runs where", "## What it costs", "](docs/README.md)"]
    assert [README.index(mark) for mark in marks] == sorted(README.index(mark) for mark in marks)
