"""The certification matrix: what is declared, which test carries it, and what came out.

`interop` declares the rows; `register_row` ties a test to one; `plugin` records what became of it in a session of
pytest; `scanner` finds what could let a row pass without running; `page` keeps docs/interop.md and the declaration the
same. pytest itself is imported nowhere here.
"""

from raptor.conformance.frameworks import CertificationError, certified_framework, roadmap_framework
from raptor.conformance.interop import CERTIFIED, KINDS, OWNERS, ROADMAP, ROWS, RowDecl
from raptor.conformance.ledger import Ledger, Outcome
from raptor.conformance.registry import Registered, missing_rows, register_row, registered, require_rows
from raptor.conformance.scanner import Breach, scan_source, scan_tree

__all__ = [
    "CERTIFIED",
    "KINDS",
    "OWNERS",
    "ROADMAP",
    "ROWS",
    "Breach",
    "CertificationError",
    "Ledger",
    "Outcome",
    "Registered",
    "RowDecl",
    "certified_framework",
    "missing_rows",
    "register_row",
    "registered",
    "require_rows",
    "roadmap_framework",
    "scan_source",
    "scan_tree",
]
