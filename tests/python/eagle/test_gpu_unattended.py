"""`make gpu` with nobody beside it: a part that hangs, a run that is broken off, tools off the path; without a card."""

import importlib.util
import json
import os
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def gpu(monkeypatch):
    spec = importlib.util.spec_from_file_location("gpu_unattended", ROOT / "scripts" / "gpu.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "card", lambda: "stand-in")
    return module


def run(gpu, monkeypatch, out, parts, *arguments):
    monkeypatch.setattr(gpu, "parts", lambda _: parts)
    monkeypatch.setattr(sys, "argv", ["gpu.py", "--out", str(out), *arguments])
    return gpu.main()


def test_a_part_that_hangs_is_ended_with_its_children_and_the_next_is_run(gpu, monkeypatch, tmp_path):
    sleeper = "import subprocess, sys; p = subprocess.Popen(['sleep', '600']); print(p.pid, flush=True); p.wait()"
    begin = time.monotonic()
    parts = {"hangs": [sys.executable, "-c", sleeper], "good": [sys.executable, "-c", ""]}
    assert run(gpu, monkeypatch, tmp_path, parts, "--limit", "5") == 1
    assert time.monotonic() - begin < 60
    told = json.loads((tmp_path / "gpu.json").read_text())["parts"]
    assert {name: part["status"] for name, part in told.items()} == {"hangs": 124, "good": 0}
    log = (tmp_path / "hangs.log").read_text()
    assert log.endswith("\nended after 5 seconds\n")
    state = Path("/proc", log.split()[0], "stat")
    assert not state.exists() or state.read_text().rsplit(")")[1].split()[0] == "Z"


def test_what_came_of_the_parts_so_far_outlives_the_run(gpu, monkeypatch, tmp_path):
    def broken_off(name, command, out):
        if name == "second":
            raise KeyboardInterrupt
        return {"status": 3}

    monkeypatch.setattr(gpu, "run", broken_off)
    with pytest.raises(KeyboardInterrupt):
        run(gpu, monkeypatch, tmp_path, {"first": [], "second": []})
    assert json.loads((tmp_path / "gpu.json").read_text()) == {"card": "stand-in", "parts": {"first": {"status": 3}}}


def test_no_stand_in_of_a_driver_is_taken_for_the_card(gpu, monkeypatch, tmp_path):
    for name in ("EAGLE_CUDA_DRIVER", "EAGLE_CUDA_NVML"):
        monkeypatch.setenv(name, "/nowhere/libcuda_fake.so")
    shows = "import os; print(sorted(n for n in os.environ if n.startswith('EAGLE_CUDA')))"
    assert run(gpu, monkeypatch, tmp_path, {"environment": [sys.executable, "-c", shows]}) == 0
    assert (tmp_path / "environment.log").read_text() == "[]\n"


def test_tools_are_found_beside_the_compiler_of_the_build(gpu, monkeypatch, tmp_path):
    toolkit = tmp_path / "toolkit" / "bin"
    toolkit.mkdir(parents=True)
    for name in ("nvcc", "compute-sanitizer"):
        (toolkit / name).write_text("#!/bin/sh\n")
        os.chmod(toolkit / name, 0o755)
    (tmp_path / "CMakeCache.txt").write_text(f"EAGLE_NVCC_PROGRAM:FILEPATH={toolkit / 'nvcc'}\n")
    monkeypatch.setattr(gpu, "BUILD", tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    assert gpu.tool("compute-sanitizer") == str(toolkit / "compute-sanitizer")
    assert gpu.parts(tmp_path)["kernels"][0] == str(toolkit / "nvcc")
    assert gpu.tool("no-such-tool") == "no-such-tool"


def test_refused_calls_of_the_driver_are_no_findings_of_the_sanitizer(gpu, tmp_path):
    for part in ("sanitizer", "races"):
        command = " ".join(gpu.parts(tmp_path)[part])
        assert "--report-api-errors no --target-processes all --error-exitcode 9" in command
