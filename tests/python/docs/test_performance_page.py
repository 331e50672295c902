"""README's table and docs/performance.md show one run, the one that docs/performance.json keeps."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from benchmarks import report
from benchmarks.timing import Row


def lines(*rows: Row) -> list[report.Line]:
    return [row.as_dict() for row in rows]


def test_the_pages_are_of_the_run_that_is_kept() -> None:
    made = report.pages(json.loads(report.SHOWN.read_text(encoding="utf-8")))
    for path, text in made.items():
        assert path.read_text(encoding="utf-8") == text, "make it anew: python -m benchmarks.report <bench.json>"


def test_less_is_better_in_every_row() -> None:
    """A ratio is our time over the other's; the goal is the most it may be, and is rounded as the figure is."""
    copied = Row("graphs", "twice as slow", 4.0, 2.0, "a copy", 1 / 0.6, "ratio")
    called = Row("calls", "a call", 2.5e-6, None, "", 2.63254321, "us")
    first, second = report.table(lines(copied, called)).splitlines()[2:]
    assert first == "| twice as slow | 2 x | 1.67 x | no | a copy |"
    assert second == "| a call | 2.5 us | 2.63 us | yes |  |"
    assert report.count(lines(copied, called)) == "1 of 2 goals are reached."


def test_a_run_of_some_groups_makes_no_pages() -> None:
    with pytest.raises(ValueError, match=r"the run has no row \['Euler oscillator.*make a run of all groups"):
        report.first(lines(Row("calls", "a call", 1e-6, None, "", 2.0, "us")))


def test_a_page_without_its_marks_is_refused() -> None:
    assert report.between_marks("a\n<!-- made by benchmarks/report.py -->\nold\n<!-- end -->\nb\n", "new") == (
        "a\n<!-- made by benchmarks/report.py -->\nnew\n<!-- end -->\nb\n"
    )
    with pytest.raises(ValueError, match="the page has 0 places between"):
        report.between_marks("a\n", "new")
