"""The README's two programs run, and agree."""

from __future__ import annotations

import os
import re
import runpy
import subprocess
from pathlib import Path

import eagle
import hawk

README = Path(__file__).resolve().parents[3] / "README.md"
SAMPLES = 2_000


def program(language: str) -> str:
    """The first block in that language, over fewer samples."""
    text = re.search(rf"```{language}\n(.*?)```", README.read_text(), re.DOTALL)
    assert text is not None
    short, count = re.subn(r"1[_']000[_']000\b", str(SAMPLES), text[1])
    assert count == 1
    return short


def run_python(folder: Path) -> dict[str, object]:
    file = folder / "readme_program.py"
    file.write_text(program("python"))
    return runpy.run_path(str(file))


def test_the_python_program_finishes_every_sample(tmp_path: Path) -> None:
    names = run_python(tmp_path)
    result = names["result"]
    assert (result.status, result.samples, result.done) == ("finished", SAMPLES, SAMPLES)
    assert (result.steps_per_sample > 100).all()
    assert result.steps == result.steps_per_sample.sum()


def test_the_cpp_program_makes_the_same_steps(tmp_path: Path) -> None:
    names = run_python(tmp_path)
    hawk.build(names["oscillator"], tmp_path / "artifact")
    source = tmp_path / "readme_program.cpp"
    source.write_text(program("cpp"))
    package = Path(eagle.__file__).parent
    binary = tmp_path / "readme_program"
    command = [os.environ.get("CXX", "c++"), "-std=c++20", "-Wall", "-Wextra", "-Werror", f"-I{package / 'include'}"]
    command += [str(source), "-o", str(binary), str(package / "libeagle.so"), f"-Wl,-rpath,{package}"]
    subprocess.run(command, check=True)
    done = subprocess.run([binary, tmp_path / "artifact"], check=True, capture_output=True, text=True)
    assert done.stdout.split() == ["finished", str(names["result"].steps)]
