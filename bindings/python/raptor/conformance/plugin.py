"""A plugin of pytest that records what became of the rows: `pytest_plugins = ["raptor.conformance.plugin"]`.

Every test that carries a row gets the marker `interop_matrix`, so that a job can deselect the matrix in its own
definition (`-m "not interop_matrix"`), and a marker of its device, such as `matrix_cuda`, for jobs on machines without
one; at least one job runs the matrix whole. A row whose test was skipped or marked xfail
fails the session: a skip certifies nothing. `--matrix-ledger FILE` writes what came out, `--matrix-machine KIND` says
on which kind of machine. The tests of a session with rows run in one process.
"""

from __future__ import annotations

from typing import Any

from raptor.conformance.ledger import Ledger
from raptor.conformance.registry import ATTRIBUTE, registered

MARKER = "interop_matrix"


class _Session:
    def __init__(self, machine: str) -> None:
        self.ledger = Ledger(machine)
        self.rows: dict[str, tuple[tuple[str, str], ...]] = {}  # of an item, by node id
        self.skipped: list[str] = []


_session = _Session("cpu")


def pytest_addoption(parser: Any) -> None:
    group = parser.getgroup("matrix", "the certification matrix")
    group.addoption("--matrix-ledger", metavar="FILE", help="write what became of every row as JSON")
    group.addoption("--matrix-machine", metavar="KIND", default="cpu", help="kind of this machine (default: cpu)")


def pytest_configure(config: Any) -> None:
    global _session
    config.addinivalue_line("markers", f"{MARKER}: carries a row of the certification matrix")
    _session = _Session(config.getoption("--matrix-machine"))


def pytest_itemcollected(item: Any) -> None:
    rows = getattr(getattr(item, "obj", None), ATTRIBUTE, ())
    if not rows:
        return
    if hasattr(item.config, "workerinput"):
        raise ValueError(f"{item.nodeid} carries a row of the matrix: its session runs in one process, without workers")
    item.add_marker(MARKER)
    for marker in sorted({f"matrix_{device}" for _, device in rows}):
        item.config.addinivalue_line("markers", f"{marker}: carries a row on that kind of device")
        item.add_marker(marker)
    _session.rows[item.nodeid] = rows


def pytest_deselected(items: Any) -> None:
    for item in items:
        _session.ledger.saw(_session.rows.get(item.nodeid, ()), "deselected", 0.0)


def pytest_runtest_logreport(report: Any) -> None:
    rows = _session.rows.get(report.nodeid)
    if not rows:
        return
    # An xfail that failed is reported as skipped, one that passed as passed: neither is a row that holds.
    if report.skipped or hasattr(report, "wasxfail"):
        _session.ledger.saw(rows, "skipped", report.duration)
        _session.skipped.append(report.nodeid)
    elif report.failed:
        _session.ledger.saw(rows, "failed", report.duration)
    elif report.when == "call":
        _session.ledger.saw(rows, "passed", report.duration)


def pytest_sessionfinish(session: Any) -> None:
    if _session.skipped:
        session.exitstatus = 1
    path = session.config.getoption("--matrix-ledger")
    if path:
        _session.ledger.write(path, registered())


def pytest_terminal_summary(terminalreporter: Any) -> None:
    if not _session.rows:
        return
    terminalreporter.section("certification matrix")
    for outcome in _session.ledger.outcomes(registered()):
        where = f" on {outcome.device}" if outcome.device else ""
        terminalreporter.line(f"{outcome.outcome:>10}  {outcome.row}{where}")
    for test in _session.skipped:
        terminalreporter.line(f"FAILED: {test} was skipped; a row is never skipped", red=True)
