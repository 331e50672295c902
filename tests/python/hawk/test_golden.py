"""What hawk writes is, byte for byte, what is committed under tests/golden."""

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from raptor.schema import parse, validate_manifest, validate_sidecar

GOLDEN = Path(__file__).resolve().parents[2] / "golden"
sys.path.insert(0, str(GOLDEN))

import regenerate  # noqa: E402


def test_the_same_bytes():
    shown = regenerate.differences(regenerate.committed(), regenerate.made())
    assert not shown, f"`make golden` writes this, where it is meant:\n{shown}"


def test_what_is_committed():
    files = regenerate.committed()
    kernels = ("affine", "counted", "oscillator", "turned")
    assert sorted(files) == sorted(["manifest.json", *(f"{k}.{end}" for k in kernels for end in ("cpp", "json"))])
    validate_manifest(parse(files["manifest.json"], "manifest.json"))
    for kernel in kernels:
        document = parse(files[f"{kernel}.json"], kernel)
        validate_sidecar(document, kernel)
        assert document["host_cpu"] == []
        assert f"// {document['digest']}\n" in files[f"{kernel}.cpp"]
        assert len(document["digest"]) == len(hashlib.sha256().hexdigest())


def test_every_difference_is_shown():
    old = {"a.json": "1\n2\n", "gone.cpp": "x\n"}
    shown = regenerate.differences(old, {"a.json": "1\n3\n", "new.cpp": "y\n"})
    for line in ("-2\n", "+3\n", "--- committed/gone.cpp\n", "-x\n", "+++ made/new.cpp\n", "+y\n"):
        assert line in shown
    assert regenerate.differences(old, dict(old)) == ""


@pytest.mark.parametrize(("change", "code"), [("", 0), ("  ", 1)])
def test_the_command(tmp_path, change, code):
    """In a copy: a file that was changed is shown, and written back only without --check."""
    shutil.copytree(GOLDEN, tmp_path / "golden", ignore=shutil.ignore_patterns("__pycache__"))
    file = tmp_path / "golden" / "artifact" / "affine.json"
    right = file.read_text()
    file.write_text(right + change)

    def run(*options):
        command = [sys.executable, tmp_path / "golden" / "regenerate.py", *options]
        return subprocess.run(command, capture_output=True, text=True)

    assert run("--check").returncode == code and file.read_text() == right + change
    written = run()
    assert written.returncode == 0, written.stderr
    assert file.read_text() == right
    assert ("committed/affine.json" in written.stdout) is bool(change)
    assert run("--check").stdout == "nothing changed\n"
