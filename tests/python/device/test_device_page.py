"""The programs of docs/devices.md run, on the simulated device, and give what can be worked out by hand."""

import re
import runpy
from pathlib import Path

import numpy as np

PAGE = Path(__file__).resolve().parents[3] / "docs" / "devices.md"


def test_the_page(tmp_path):
    programs = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert len(programs) == 2
    file = tmp_path / "page.py"
    file.write_text("\n\n".join(programs).replace("cuda:0", "sim:0"))
    names = runpy.run_path(str(file))
    x = np.linspace(0.0, 1.0, 100_000)
    np.testing.assert_array_equal(names["y"].to_host(), 2.0 * x + 1.0)
    np.testing.assert_array_equal(names["back"], 0.5 * (2.0 * x + 1.0))
    np.testing.assert_array_equal(names["z"].to_host(), 3.0 * (2.0 * x + 1.0) + 1.0)
    assert names["result"].finished
