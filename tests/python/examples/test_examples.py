"""Each example, run over fewer samples: what its model promises holds, and its picture is written."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import numpy as np
import pytest


@pytest.mark.parametrize("name", ["lorenz", "sir", "mandelbrot", "pendulum", "heat_until_converged", "ranks"])
def test_the_program_checks_itself_and_writes_its_picture(name: str, tmp_path: Path) -> None:
    picture = tmp_path / f"{name}.png"
    importlib.import_module(name).main(["--samples", "10000", "--out", str(picture)])
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_without_matplotlib_it_is_said_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(
        SystemExit, match=r"^no picture: .*; the examples draw with matplotlib: pip install matplotlib$"
    ):
        importlib.import_module("sir").main(["--samples", "1000", "--out", str(tmp_path / "sir.png")])


def test_lorenz_equals_the_same_arithmetic_in_numpy() -> None:
    lorenz = importlib.import_module("lorenz")
    planes = lorenz.starts(257)
    mine = {name: plane.copy() for name, plane in planes.items()}
    dt, steps = 0.005, 200
    result = lorenz.solve(planes, dt, steps * dt)
    assert result.steps == 257 * steps
    for _ in range(steps):
        x, y, z, r = mine["x"], mine["y"], mine["z"], mine["r"]
        h = 0.5 * dt
        a = lorenz.slope(x, y, z, r)
        b = lorenz.slope(x + h * a[0], y + h * a[1], z + h * a[2], r)
        c = lorenz.slope(x + h * b[0], y + h * b[1], z + h * b[2], r)
        d = lorenz.slope(x + dt * c[0], y + dt * c[1], z + dt * c[2], r)
        for k, name in enumerate("xyz"):
            mine[name] = mine[name] + dt / 6.0 * (a[k] + 2.0 * b[k] + 2.0 * c[k] + d[k])
        mine["z_max"] = np.maximum(mine["z_max"], mine["z"])
    for name in ("x", "y", "z", "z_max"):
        np.testing.assert_array_equal(planes[name], mine[name])


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_mandelbrot_equals_a_loop_in_numpy(dtype: type) -> None:
    mandelbrot = importlib.import_module("mandelbrot")
    cx, cy = mandelbrot.pixels(2500, dtype)
    counts = np.zeros(len(cx), np.int64)
    x, y, live = np.zeros_like(cx), np.zeros_like(cy), np.ones(len(cx), bool)
    with np.errstate(over="ignore", invalid="ignore"):
        for _ in range(mandelbrot.CAP):
            x, y = x * x - y * y + cx, dtype(2.0) * x * y + cy
            counts += live
            live &= ~(x * x + y * y > dtype(4.0))
    np.testing.assert_array_equal(mandelbrot.escape_counts(cx, cy).steps_per_sample, counts)
