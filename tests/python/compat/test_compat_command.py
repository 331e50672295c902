"""`make compat` where it cannot check: it says so, and its status is that of nothing checked."""

import os
import subprocess
import sys
from pathlib import Path

RUN = Path(__file__).resolve().parents[2] / "compat/run.py"
FILES = ("lib/eagle/libeagle_cpu.so", "tests/compat/compat_kernels.so", "bin/eagle-doctor")


def run(build: Path, environment: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(RUN), "--build", str(build), "--venv", str(environment)]
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, **variables})


def test_a_build_without_the_libraries_is_told_what_to_build(tmp_path: Path) -> None:
    done = run(tmp_path, tmp_path / "venv")
    assert done.returncode == 2
    assert f"{tmp_path / FILES[0]} is not there; build it with" in done.stdout
    assert "eagle_cpu eagle_doctor compat_kernels" in done.stdout
    assert not (tmp_path / "venv").exists()


def test_an_index_that_does_not_answer_is_nothing_checked(tmp_path: Path) -> None:
    for file in FILES:
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).touch()
    done = run(tmp_path, tmp_path / "venv", PIP_NO_INDEX="1")
    assert done.returncode == 3, done.stdout + done.stderr
    assert "raptor-eagle==0.7.1 could not be installed, so nothing was checked; pip says:" in done.stdout
    assert "No matching distribution found" in done.stdout
    assert "Run `make compat` again where its package index answers." in done.stdout
