"""The published package of the same contract, in an environment of its own: `published_replay.py` measures it there."""

from __future__ import annotations

import subprocess
import venv
from pathlib import Path

PACKAGES = ("raptor-eagle==0.7.1", "raptor-hawk", "numpy")
HERE = Path(__file__).resolve().parent
FOLDER = HERE.parent / "build" / "published"


def interpreter() -> Path | None:
    """The interpreter of an environment that has the package, made where there is none; None where it cannot be had."""
    python, stamp = FOLDER / "bin" / "python", FOLDER / "installed.txt"
    wanted = " ".join(PACKAGES)
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == wanted:
        return python
    venv.create(FOLDER, with_pip=True, clear=True)
    if subprocess.run([python, "-m", "pip", "install", "-q", *PACKAGES], capture_output=True).returncode != 0:
        return None
    stamp.write_text(wanted, encoding="utf-8")
    return python


def replay_of_ten_launches() -> float | None:
    """Seconds a replay of a graph of ten launches on one sample; None where the package cannot be had."""
    python = interpreter()
    if python is None:
        return None
    done = subprocess.run(
        [python, HERE / "published_replay.py"], capture_output=True, text=True, cwd=FOLDER, check=True
    )
    return float(done.stdout)
