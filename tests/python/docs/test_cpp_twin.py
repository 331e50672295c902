"""The main job in C++ and in Python: one artifact, the same batch, the same bits."""

from __future__ import annotations

import math
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np

import eagle
import hawk
from eagle._demo_kernel import oscillator

EXAMPLE = Path(__file__).resolve().parents[3] / "examples" / "cpp" / "oscillators"
SAMPLES = 5_000


def checksum(words: np.ndarray) -> int:
    """The example's sum over 8-byte words, each scrambled together with its place."""
    place = np.arange(1, len(words) + 1, dtype=np.uint64)
    z = words.view(np.uint64) ^ (place * np.uint64(0x9E3779B97F4A7C15))
    z = (z ^ z >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ z >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return int(np.sum(z ^ z >> np.uint64(31), dtype=np.uint64))


def in_python() -> dict[str, str]:
    side = math.ceil(math.sqrt(SAMPLES))
    i = np.arange(SAMPLES)
    x, v = np.ones(SAMPLES), np.zeros(SAMPLES)
    result = eagle.simulate(
        oscillator,
        max_steps=20_000,
        omega=3.0 + 27.0 * ((i % side) / side),
        zeta=0.05 + 1.95 * ((i // side) / side),
        x=x,
        v=v,
        dt=0.01,
        rest=1e-4,
    )
    total = sum(checksum(words) for words in (x, v, result.steps_per_sample)) % 2**64
    return {
        "samples": str(SAMPLES),
        "finished": str(result.done),
        "steps": str(result.steps),
        "checksum": f"{total:016x}",
    }


def in_cpp(folder: Path) -> dict[str, str]:
    hawk.build(oscillator, folder / "artifact")
    prefix = subprocess.run(
        [sys.executable, "-m", "eagle", "--prefix"], check=True, capture_output=True, text=True
    ).stdout.strip()
    build = folder / "build"
    cmake = shutil.which("cmake", path=os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]))
    assert cmake is not None
    for command in (
        [cmake, "-S", EXAMPLE, "-B", build, f"-Deagle_ROOT={prefix}", "-DCMAKE_BUILD_TYPE=Release"],
        [cmake, "--build", build],
    ):
        subprocess.run(command, check=True, capture_output=True)
    run = [build / "oscillators", folder / "artifact", str(SAMPLES)]
    done = subprocess.run(run, check=True, capture_output=True, text=True)
    return dict(line.split(maxsplit=1) for line in done.stdout.splitlines()[:4])


def test_the_example_and_python_agree_to_the_bit(tmp_path: Path) -> None:
    folder = tmp_path / "a folder"
    folder.mkdir()
    assert in_cpp(folder) == in_python()
