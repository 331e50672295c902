"""The golden artifact: manifest, sidecars and generated sources as hawk's own writers write them, committed.

`python tests/golden/regenerate.py` writes it anew and shows what changed; `--check` shows it and writes nothing, with
code 1 where something changed. Compiled files are left out: they are the compiler's.
"""

from __future__ import annotations

import argparse
import difflib
import platform
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
FOLDER = HERE / "artifact"
# The plainest processor of each architecture: its files need no feature, so that sidecars are the same everywhere.
PLAIN_CPU = {"x86_64": "x86-64", "aarch64": "armv8-a"}


def made() -> dict[str, str]:
    """The text files of the artifact, by name, made now."""
    sys.path.insert(0, str(HERE))
    import golden_kernels

    import hawk

    with tempfile.TemporaryDirectory() as folder:
        hawk.build(golden_kernels.KERNELS, folder, cpu=PLAIN_CPU[platform.machine()])
        files = sorted(path for path in Path(folder).iterdir() if path.suffix != ".so")
        return {path.name: path.read_bytes().decode("utf-8") for path in files}


def committed() -> dict[str, str]:
    """The same files as they are committed."""
    return {path.name: path.read_bytes().decode("utf-8") for path in sorted(FOLDER.glob("*"))}


def differences(old: dict[str, str], new: dict[str, str]) -> str:
    """Every difference as a patch; empty where there is none."""
    lines: list[str] = []
    for name in sorted({*old, *new}):
        before, after = (files.get(name, "").splitlines(keepends=True) for files in (old, new))
        lines += difflib.unified_diff(before, after, f"committed/{name}", f"made/{name}")
    return "".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing")
    chosen = parser.parse_args()
    old, new = committed(), made()
    shown = differences(old, new)
    print(shown or "nothing changed", end="" if shown else "\n")
    if shown and not chosen.check:
        FOLDER.mkdir(exist_ok=True)
        for name in old.keys() - new.keys():
            (FOLDER / name).unlink()
        for name, text in new.items():
            (FOLDER / name).write_bytes(text.encode("utf-8"))
    return 1 if shown and chosen.check else 0


if __name__ == "__main__":
    raise SystemExit(main())
