"""What the fake driver answers, call by call, by NVIDIA's own client of the driver's interface."""

import json
import os
import subprocess
import sys
from pathlib import Path

FAKE = Path(__file__).parents[2] / "fake_cuda"


def test_the_codes_are_those_of_the_golden_file(tmp_path):
    (tmp_path / "libcuda.so.1").symlink_to(os.environ["EAGLE_CUDA_DRIVER"])
    done = subprocess.run(
        [sys.executable, FAKE / "record_codes.py", tmp_path / "codes.json"],
        env={**os.environ, "LD_LIBRARY_PATH": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads((tmp_path / "codes.json").read_text())
    golden = json.loads((FAKE / "codes.json").read_text())
    assert found["device"].startswith("fake-cuda (host memory, test only)") and len(found["codes"]) >= 45
    if golden["device"] is None:
        assert golden["codes"] == {} and golden["note"].startswith("Not recorded on a card yet")
    else:
        assert found["codes"] == golden["codes"], f"the fake driver differs from {golden['device']}"
