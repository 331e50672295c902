"""`make gpu` runs kind hip over the shim on the card's driver: what it names is there once the C++ tests are built."""

import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "scripts"))

import gpu  # noqa: E402


def test_what_the_parts_name_is_there(tmp_path, monkeypatch):
    monkeypatch.setattr(gpu, "BUILD", Path(os.environ["FAKE_CUDA"]).resolve().parents[1])
    parts = gpu.parts(tmp_path)
    for part in ("hip_shim", "hip_shim_python"):
        given = dict(word.split("=", 1) for word in parts[part] if "=" in word and not word.startswith("-"))
        assert given["HIP_SHIM_CUDA_DRIVER"] == "libcuda.so.1"
        named = [value.rpartition(" ")[2] for value in given.values() if "/" in value]
        assert len(named) >= 5
        assert [path for path in named if not Path(path).exists()] == []
    assert Path(parts["hip_shim"][-1]).name == "libeagle_hip.so"
