"""CONTRIBUTING.md names the targets of the Makefile, all and no other."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def test_every_target_is_told_and_is_there() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    (phony,) = re.findall(r"^\.PHONY: (.+)$", makefile, re.MULTILINE)
    told = re.findall(r"^\| `make ([a-z-]+)` \|", page, re.MULTILINE)
    assert sorted(told) == sorted(phony.split())
    assert set(told) == set(re.findall(r"^([a-z-]+):.*## ", makefile, re.MULTILINE))
