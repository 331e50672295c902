"""A run of tests says nothing of objects that were left behind."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]

TESTS = """
import pytest
from eagle_kernels import scale

import eagle

PLACES = [eagle.exec.HostTeam(1), eagle.exec.HostTeam(2)]


@pytest.mark.parametrize("plan", [eagle.plan(scale, structure=place) for place in PLACES])
@pytest.mark.parametrize(("kernel", "place"), [(scale, place) for place in PLACES])
def test_nothing(plan, kernel, place):
    assert kernel([1.0], [2.0], 3.0) == 5.0
"""


def test_parameters_of_tests_are_let_go(tmp_path):
    (tmp_path / "test_first.py").write_text(TESTS)
    (tmp_path / "test_second.py").write_text(
        "import torch\n\n\ndef test_something():\n    assert torch.ones(1)[0] == 1\n"
    )
    paths = [str(ROOT), str(ROOT / "eagle"), *sys.path]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "conftest", "-p", "no:cacheprovider", "-c", os.devnull, "."],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "5 passed" in done.stdout
