"""The declaration, the registry, the gates and the page."""

import dataclasses
import json
import sys
from collections import Counter
from pathlib import Path

import pytest

from raptor import conformance
from raptor.conformance import ROWS, RowDecl, interop, registry
from raptor.conformance.__main__ import main
from raptor.conformance.ledger import Ledger, read_ledger
from raptor.conformance.page import page_faults, table_of, with_ledgers

DOCS = Path(__file__).resolve().parents[3] / "docs"


@pytest.fixture
def empty_registry(monkeypatch):
    monkeypatch.setattr(registry, "_registered", {})


# ------------------------------------------------------------------ declaration


def test_the_declaration():
    assert len(ROWS) == 23
    assert Counter(row.owner for row in ROWS.values()) == {"eagle": 15, "hawk": 4, "downstream": 4}
    assert Counter(row.framework for row in ROWS.values()) == {"torch": 10, "cupy": 2, "warp": 3, None: 8}
    assert Counter(row.kind for row in ROWS.values()) == {"ALIAS": 6, "COPY": 2, "STREAM": 5, "ENV": 5, "INVARIANCE": 5}
    assert {row.split("-")[0] for row, d in ROWS.items() if d.owner == "hawk"} == {"HAWK"}


def test_it_cannot_be_changed():
    with pytest.raises(TypeError):
        ROWS["MORE"] = RowDecl(None, "eagle", "ENV")
    with pytest.raises(dataclasses.FrozenInstanceError):
        ROWS["STREAM-IDENTITY"].owner = "hawk"


@pytest.mark.parametrize(
    ("row", "words"),
    [
        (("jax", "eagle", "ALIAS"), "'jax', which is ROADMAP: no row certifies it"),
        (("paddle", "eagle", "ALIAS"), "the framework 'paddle'; it must be one of numpy, cupy, torch, warp, None"),
        (("torch", "falcon", "ALIAS"), "the owner 'falcon'; it must be one of eagle, hawk, downstream"),
        (("torch", "eagle", "alias"), "the kind 'alias'; it must be one of ALIAS, COPY, STREAM, ENV, INVARIANCE"),
        ((None, "eagle", "COPY"), "kind COPY has no framework"),
        (("torch", "eagle", "INVARIANCE"), "it crosses to none"),
    ],
)
def test_what_is_no_row(row, words):
    with pytest.raises(ValueError) as caught:
        RowDecl(*row)
    assert words in str(caught.value)


# ------------------------------------------------------------------ registry and gate


def test_registering(empty_registry):
    @conformance.register_row("STREAM-IDENTITY", device="sim")
    @conformance.register_row("execution_partition_identity")
    def carries():
        return 3

    assert carries() == 3
    assert [(r.row, r.device, r.name.rsplit(".")[-1]) for r in conformance.registered()] == [
        ("STREAM-IDENTITY", "sim", "carries"),
        ("execution_partition_identity", "cpu", "carries"),
    ]
    conformance.register_row("STREAM-IDENTITY", device="sim")(carries)  # a module imported again


def test_an_undeclared_row_raises_where_it_stands(empty_registry):
    with pytest.raises(ValueError, match=r"the row 'STREAM-IDENTTY' is not declared .* its rows: CP-CAPTURE-REJECT,"):
        conformance.register_row("STREAM-IDENTTY")
    with pytest.raises(ValueError, match="for the device 'a gpu'"):
        conformance.register_row("STREAM-IDENTITY", device="a gpu")
    with pytest.raises(TypeError, match="put register_row above a test function"):
        conformance.register_row("STREAM-IDENTITY")(3)


def test_one_test_a_row_and_device(empty_registry):
    def first():
        pass

    def second():
        pass

    conformance.register_row("STREAM-IDENTITY")(first)
    with pytest.raises(ValueError, match=r"'STREAM-IDENTITY' on 'cpu' is carried by .*first and by .*second"):
        conformance.register_row("STREAM-IDENTITY")(second)
    conformance.register_row("STREAM-IDENTITY", device="sim")(second)


def test_the_presence_gate(empty_registry):
    hawk = interop.rows_of("hawk")
    assert conformance.missing_rows("hawk") == hawk
    for row in hawk[1:]:
        conformance.register_row(row)(lambda: None)
    with pytest.raises(AssertionError, match=rf"no test carries {hawk[0]} of 'hawk'.*run it whole"):
        conformance.require_rows("hawk")
    conformance.require_rows("hawk", awaited=[hawk[0]])
    with pytest.raises(AssertionError, match=f"{hawk[1]} of 'hawk' has a test and is still awaited"):
        conformance.require_rows("hawk", awaited=hawk[:2])
    with pytest.raises(ValueError, match="STREAM-IDENTITY is awaited, but is no row of 'hawk'"):
        conformance.require_rows("hawk", awaited=["STREAM-IDENTITY"])
    with pytest.raises(ValueError, match="the owner 'falcon' is unknown; rows belong to eagle, hawk, downstream"):
        conformance.require_rows("falcon")


# ------------------------------------------------------------------ frameworks


def test_certified_frameworks(monkeypatch):
    import numpy

    assert conformance.certified_framework("numpy") is numpy
    monkeypatch.setitem(sys.modules, "cupy", None)
    with pytest.raises(conformance.CertificationError, match=r"'cupy' cannot be imported .*fails, it is not skipped"):
        conformance.certified_framework("cupy")
    with pytest.raises(ValueError, match="'jax' is not certified; the certified frameworks are numpy"):
        conformance.certified_framework("jax")
    assert issubclass(conformance.CertificationError, AssertionError)


@pytest.mark.parametrize(("name", "module"), [("jax", "jax"), ("tensorflow", "tensorflow"), ("tensorflow", "keras")])
def test_roadmap_frameworks(tmp_path, monkeypatch, name, module):
    conformance.roadmap_framework(name)
    (tmp_path / f"{module}.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(conformance.CertificationError, match=f"'{module}' is installed, and '{name}' is ROADMAP"):
        conformance.roadmap_framework(name)
    with pytest.raises(ValueError, match="'numpy' is not on the roadmap"):
        conformance.roadmap_framework("numpy")


# ------------------------------------------------------------------ page and ledger


def test_the_page_and_the_declaration_are_the_same():
    page = (DOCS / "interop.md").read_text(encoding="utf-8")
    assert page_faults(page) == []
    assert list(table_of(page)) == list(ROWS)
    assert "(interop.md)" in (DOCS / "README.md").read_text(encoding="utf-8")


def test_the_page_shows_the_committed_ledgers():
    page = (DOCS / "interop.md").read_text(encoding="utf-8")
    ledgers = [read_ledger(path) for path in sorted((DOCS / "matrix").glob("*.json"))]
    assert ledgers and with_ledgers(page, ledgers) == page


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("| `STREAM-IDENTITY` |", "| STREAM-IDENTITY |", "the page has no row 'STREAM-IDENTITY', which is declared"),
        ("| `STREAM-IDENTITY` | torch", "| `STREAM-IDENTITY` | cupy", "the page says ('cupy', 'eagle', 'STREAM')"),
        ("| `STREAM-IDENTITY` |", "| `STREAM-SAME` |", "has the row 'STREAM-SAME', which is not declared"),
        ("## The rule", "`T-NEW-ROW` works.", "mentions the row 'T-NEW-ROW', which is not declared"),
        ("jax", "xla", "does not say that jax is ROADMAP"),
    ],
)
def test_a_page_that_differs(old, new, words):
    page = (DOCS / "interop.md").read_text(encoding="utf-8")
    assert old in page
    assert any(words in fault for fault in page_faults(page.replace(old, new)))


def test_a_row_twice_on_the_page():
    with pytest.raises(ValueError, match="'STREAM-IDENTITY' twice"):
        table_of("| `STREAM-IDENTITY` | a | b | c | d |\n" * 2)


def test_a_ledger(empty_registry, tmp_path):
    conformance.register_row("STREAM-IDENTITY", device="sim")(test_a_ledger)
    conformance.register_row("STREAM-IDENTITY", device="cuda")(test_a_ledger)
    ledger = Ledger("cuda")
    ledger.saw([("STREAM-IDENTITY", "sim")], "passed", 0.25)
    ledger.saw([("STREAM-IDENTITY", "sim")], "failed", 0.5)
    with pytest.raises(ValueError, match="the outcome 'fine' is none of failed, skipped"):
        ledger.saw([("STREAM-IDENTITY", "sim")], "fine", 0.5)
    ledger.write(tmp_path / "cuda.json", conformance.registered())
    document = read_ledger(tmp_path / "cuda.json")
    rows = {(entry["row"], entry["device"]): entry for entry in document["rows"]}
    assert len(rows) == 24 and document["machine"] == "cuda"
    sim = rows["STREAM-IDENTITY", "sim"]
    assert (sim["outcome"], sim["duration_s"], sim["kind"], sim["framework"]) == ("failed", 0.75, "STREAM", "torch")
    assert rows["STREAM-IDENTITY", "cuda"]["outcome"] == "not run"
    assert rows["T-BRIDGE-COPY", None]["outcome"] == "no test"

    page = tmp_path / "page.md"
    page.write_text((DOCS / "interop.md").read_text(encoding="utf-8"), encoding="utf-8")
    assert main(["page", str(page), str(tmp_path / "cuda.json")]) == 0
    assert "| `STREAM-IDENTITY` | cuda: not run, sim: failed |" in page.read_text(encoding="utf-8")


def test_what_is_no_ledger(tmp_path, capsys):
    file = tmp_path / "ledger.json"
    for text, words in (
        ("{", "no ledger"),
        ("{}", "its 'format' must be 'raptor-matrix/1'"),
        (json.dumps({"format": "raptor-matrix/1", "rows": [{"row": "OLD"}]}), "has the row 'OLD', which is not"),
    ):
        file.write_text(text)
        with pytest.raises(ValueError) as caught:
            read_ledger(file)
        assert words in str(caught.value)
    page = tmp_path / "page.md"
    page.write_text("no section")
    assert main(["page", str(page), str(file)]) == 1
    assert "OLD" in capsys.readouterr().err
    with pytest.raises(ValueError, match="the page has no section between"):
        with_ledgers("no section", [])
