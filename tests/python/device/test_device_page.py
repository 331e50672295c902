"""The programs of docs/devices.md and docs/graphs.md run, on the simulated device, and give what can be worked out by
hand."""

import contextlib
import re
import runpy
from pathlib import Path

import numpy as np

DOCS = Path(__file__).resolve().parents[3] / "docs"


def run(page, programs_there, folder):
    programs = re.findall(r"```python\n(.*?)```", (DOCS / page).read_text(), re.DOTALL)
    assert len(programs) == programs_there
    file = folder / "page.py"
    file.write_text("\n\n".join(programs).replace("cuda:0", "sim:0"))
    with contextlib.chdir(folder):
        return runpy.run_path(str(file))


def test_the_page_of_devices(tmp_path):
    names = run("devices.md", 2, tmp_path)
    x = np.linspace(0.0, 1.0, 100_000)
    np.testing.assert_array_equal(names["y"].to_host(), 2.0 * x + 1.0)
    np.testing.assert_array_equal(names["back"], 0.5 * (2.0 * x + 1.0))
    np.testing.assert_array_equal(names["z"].to_host(), 3.0 * (2.0 * x + 1.0) + 1.0)
    assert names["result"].finished


def test_the_page_of_graphs(tmp_path):
    names = run("graphs.md", 2, tmp_path)
    np.testing.assert_array_equal(names["y"].to_host(), np.ones(1000))
    assert (names["built"].backend, names["y"].device) == ("sim", "sim:0")
