"""python -m eagle."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from programs import environment

import eagle
from eagle import __main__, demo


def call(*arguments, **changes):
    return subprocess.run(
        [sys.executable, "-m", "eagle", *map(str, arguments)],
        env=environment(**changes),
        capture_output=True,
        text=True,
        timeout=300,
    )


def test_version():
    assert call("--version").stdout == f"eagle {eagle.__version__}\n"


def test_prefix_is_where_cmake_finds_the_package():
    prefix = Path(call("--prefix").stdout.strip())
    assert (prefix / "lib" / "cmake" / "eagle" / "eagleConfig.cmake").is_file()
    assert (prefix / "include" / "eagle" / "eagle.h").is_file()
    assert (prefix / "include" / "eagle" / "seam" / "eagle_backend.h").is_file()
    assert (prefix / "libeagle.so").is_file()
    assert (prefix / "libeagle_cpu.so").is_file()


def test_doctor_reports():
    said = call("doctor")
    assert said.returncode == 0
    for words in (
        "versions",
        "backends",
        "cpu: eagle-backend/1.",
        "load attempts",
        "beside libeagle",
        "compiler and caches",
    ):
        assert words in said.stdout


def test_doctor_shows_why_nothing_loads(tmp_path):
    said = call("doctor", EAGLE_BACKEND_CPU=tmp_path / "nowhere.so")
    assert said.returncode == 1
    assert "nowhere.so" in said.stdout


def test_a_report_that_nobody_takes_is_no_success():
    command = [sys.executable, "-m", "eagle", "doctor"]
    with open("/dev/full", "w") as full:
        done = subprocess.run(command, env=environment(), stdout=full, stderr=subprocess.PIPE, text=True, timeout=300)
    assert done.returncode == 2
    assert done.stderr.startswith("eagle: standard output takes no more (No space left on device), so that the report")


def test_a_reader_that_goes_is_told_without_a_traceback():
    command = [sys.executable, "-m", "eagle", "doctor"]
    with subprocess.Popen(command, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        said = process.stderr.read().decode()
    assert process.returncode == 2
    assert said.startswith("eagle: standard output takes no more (Broken pipe)") and "Traceback" not in said


def test_no_command_prints_the_help(capsys):
    assert __main__.main([]) == 2
    assert "doctor" in capsys.readouterr().out


def test_the_demo_writes_its_table_and_its_picture(tmp_path):
    said = call("demo", "--samples", 2500, "--out", tmp_path / "a folder")
    assert said.returncode == 0, said.stderr
    assert "agrees to the bit" in said.stdout
    assert "2,500" in said.stdout
    picture = tmp_path / "a folder" / "oscillators.png"
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert picture.stat().st_size > 50_000


def test_the_demo_refuses_a_batch_of_nothing(tmp_path, capsys):
    assert demo.main(0, tmp_path) == 2
    assert "--samples is 0" in capsys.readouterr().out


def test_the_demo_says_before_it_runs_that_its_folder_cannot_be_made(tmp_path, capsys):
    taken = tmp_path / "taken"
    taken.write_text("")
    assert demo.main(1_000_000, taken) == 2
    assert f"--out is {str(taken)!r}, which cannot be made (File exists)" in capsys.readouterr().out


def test_the_demo_without_matplotlib_says_so(tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.delitem(sys.modules, "eagle._demo_picture", raising=False)
    assert demo.main(100, tmp_path) == 0
    assert "matplotlib is not installed" in capsys.readouterr().out


def test_oscillators_rest_when_theory_says_so():
    # Lightly damped: the energy falls as exp(-2 zeta omega t), up to the swing within a period and the method's step.
    planes = demo.batch(400)
    light = (planes["zeta"] < 0.1) & (planes["omega"] < 6)
    result = demo.with_eagle(planes)
    assert result.finished
    wanted = np.log(1 / demo.REST) / (2 * planes["zeta"] * planes["omega"] * demo.DT)
    assert light.sum() > 20
    assert result.steps_per_sample[light] == pytest.approx(wanted[light], rel=0.1)


def test_the_demo_notices_a_difference():
    planes = demo.batch(100)
    x, v, steps, _ = demo.with_numpy(planes)
    result = demo.with_eagle(planes)
    assert demo._agree(result, x, v, steps) is None
    x[17] = np.nextafter(x[17], 2.0)
    assert "x of sample 17" in demo._agree(result, x, v, steps)


def test_a_closed_output_is_told():
    shell = ["sh", "-c", '"$@" >&-', "sh", sys.executable, "-m", "eagle", "doctor"]
    done = subprocess.run(shell, env=environment(), stderr=subprocess.PIPE, text=True, timeout=300)
    assert done.returncode == 2
    assert done.stderr == "eagle: standard output is closed; give it a file, a reader or /dev/null\n"


def test_a_demo_of_more_samples_than_memory_holds_is_told(tmp_path):
    command = [sys.executable, "-m", "eagle", "demo", "--samples", str(10**13), "--out", str(tmp_path)]
    done = subprocess.run(command, env=environment(), capture_output=True, text=True, timeout=300)
    assert done.returncode == 2
    assert "--samples is 10000000000000, and there is no memory for it (" in done.stderr
    assert done.stderr.rstrip().endswith("; give fewer")
