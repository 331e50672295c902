"""python -m eagle conformance: the installed judge, its status and its report."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from programs import environment

from eagle import _core, conformance

CPU = Path(_core.library_path()) / "libeagle_cpu.so"


def judge(*arguments):
    return subprocess.run(
        [sys.executable, "-m", "eagle", "conformance", *map(str, arguments)],
        env=environment(EAGLE_CPU_THREADS=2),
        capture_output=True,
        text=True,
        timeout=300,
    )


def test_the_installed_cpu_backend_passes_with_the_installed_kernels(tmp_path):
    report = tmp_path / "report.json"
    said = judge(CPU, "--rows", "core-*,exec-*", "--json", report)
    assert said.returncode == 0, said.stdout + said.stderr
    content = json.loads(report.read_text())
    assert content["file"]["path"] == str(CPU)
    assert content["counts"]["failed"] == content["counts"]["not_run"] == 0
    assert content["counts"]["passed"] >= 15
    kernels = Path(content["kernels"]["path"])
    assert kernels.is_file() and kernels.is_relative_to(_core.library_path())


def test_options_and_the_status_go_through(tmp_path):
    assert "core-free" in judge("--list").stdout
    assert "usage: eagle-conformance" in judge("--help").stdout
    text = tmp_path / "libeagle_text.so"
    text.write_text("no library")
    said = judge(text)
    assert said.returncode == 2
    assert "does not load" in said.stderr


def test_the_program_is_executable():
    assert os.access(conformance.program(), os.X_OK)


def test_where_no_program_is_the_command_says_so(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(conformance._core, "library_path", lambda: str(tmp_path / "lib"))
    assert conformance.main([str(CPU)]) == 2
    said = capsys.readouterr().err
    assert "no eagle-conformance is installed" in said
    assert str(tmp_path / "lib" / "bin" / "eagle-conformance") in said


@pytest.mark.parametrize("arguments", [["conformance", "--version"]])
def test_the_command_is_one_of_eagle_s(arguments, capfd):
    from eagle import __main__

    assert __main__.main(arguments) == 0
    assert capfd.readouterr().out.startswith("eagle-conformance ")
