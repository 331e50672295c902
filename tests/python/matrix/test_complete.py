"""Every row of an owner has a test, but for those whose subject is not built. Run this folder whole."""

from pathlib import Path

from raptor.conformance import registered, require_rows, scan_tree
from raptor.conformance.ledger import read_ledger


def test_the_rows_of_eagle():
    require_rows("eagle")


def test_the_rows_of_hawk():
    require_rows("hawk")


def test_what_is_written_is_what_is_registered():
    """What the scanner sees in the text, and so judges, is all that the registry has."""
    written = scan_tree(Path(__file__).resolve().parents[1], leave_out=["raptor"])
    assert {test.row for test in registered()} == set(written.rows)


def test_the_committed_ledger_is_of_these_tests():
    """`make matrix` writes it anew, and the page with it."""
    ledger = read_ledger(Path(__file__).resolve().parents[3] / "docs" / "matrix" / "cpu.json")
    shown = {(entry["row"], entry["device"]): entry["outcome"] for entry in ledger["rows"] if entry["device"]}
    # Rows of a card are deselected here by their marker, and the ledger says so.
    wanted = {True: "deselected", False: "passed"}
    assert shown == {(test.row, test.device): wanted[test.device == "cuda"] for test in registered()}
