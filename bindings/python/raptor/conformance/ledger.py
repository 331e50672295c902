"""What became of every row in one run: a row counts when its test ran and passed, not when its module was imported."""

from __future__ import annotations

import json
import platform
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from importlib import metadata
from pathlib import Path
from typing import Any

from raptor.conformance.interop import ROWS
from raptor.conformance.registry import Registered

FORMAT = "raptor-matrix/1"
# From the worst to the best: of several tests of a row the worst counts.
OUTCOMES = ("failed", "skipped", "deselected", "not run", "no test", "passed")
# Distributions that a framework may have been installed by.
_DISTRIBUTIONS = {
    "numpy": ("numpy",),
    "cupy": ("cupy-cuda13x", "cupy-cuda12x", "cupy"),
    "torch": ("torch",),
    "warp": ("warp-lang",),
}


@dataclass(frozen=True)
class Outcome:
    """One row on one device kind. `duration_s`: of all its tests; `version`: of the framework, where one is there."""

    row: str
    kind: str
    owner: str
    framework: str | None
    version: str | None
    device: str | None
    outcome: str
    duration_s: float
    test: str | None


@dataclass
class _Seen:
    """What a session saw of one registered test; a parametrised one is several items."""

    outcomes: list[str] = field(default_factory=list)
    duration: float = 0.0


def framework_version(framework: str | None) -> str | None:
    """The installed version, without importing it; None where it is not installed."""
    for name in _DISTRIBUTIONS.get(framework or "", ()):
        try:
            return metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return None


class Ledger:
    """Collects what a session saw; `outcomes` says it row by row."""

    def __init__(self, machine: str = "cpu") -> None:
        self.machine = machine
        self._seen: dict[tuple[str, str], _Seen] = {}

    def saw(self, rows: Iterable[tuple[str, str]], outcome: str, duration: float) -> None:
        """One item of the rows' test ended. ValueError for an outcome that is none of OUTCOMES."""
        if outcome not in OUTCOMES:
            raise ValueError(f"the outcome {outcome!r} is none of {', '.join(OUTCOMES)}")
        for row in rows:
            seen = self._seen.setdefault(row, _Seen())
            seen.outcomes.append(outcome)
            seen.duration += duration

    def outcomes(self, registered: Iterable[Registered]) -> list[Outcome]:
        """Every declared row: with each of its tests, or as one that has none."""
        found: list[Outcome] = []
        tests = list(registered)
        for row, declared in ROWS.items():
            plain = Outcome(
                row,
                declared.kind,
                declared.owner,
                declared.framework,
                framework_version(declared.framework),
                None,
                "no test",
                0.0,
                None,
            )
            mine = [test for test in tests if test.row == row]
            found += [self._of(plain, test) for test in mine] or [plain]
        return found

    def _of(self, plain: Outcome, test: Registered) -> Outcome:
        seen = self._seen.get((test.row, test.device), _Seen(["not run"]))
        worst = min(seen.outcomes, key=OUTCOMES.index)
        return replace(plain, device=test.device, outcome=worst, duration_s=round(seen.duration, 3), test=str(test))

    def document(self, registered: Iterable[Registered]) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "machine": self.machine,
            "python": platform.python_version(),
            "rows": [asdict(outcome) for outcome in self.outcomes(registered)],
        }

    def write(self, path: str | Path, registered: Iterable[Registered]) -> None:
        Path(path).write_text(json.dumps(self.document(registered), indent=2) + "\n", encoding="utf-8")


def read_ledger(path: str | Path) -> Mapping[str, Any]:
    """A ledger as it was written. ValueError for a file that is none."""
    try:
        document = json.loads(Path(path).read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{path}: no ledger: {error}") from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ValueError(f"{path}: no ledger; its 'format' must be '{FORMAT}'")
    unknown = [row["row"] for row in document["rows"] if row["row"] not in ROWS]
    if unknown:
        raise ValueError(f"{path}: has the row '{unknown[0]}', which is not declared; run the matrix again")
    return document
