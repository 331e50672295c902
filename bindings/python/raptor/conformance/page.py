"""docs/interop.md and the declaration say the same, both ways; what the newest runs brought stands on the page too."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from raptor.conformance.interop import ROADMAP, ROWS

BEGIN, END = "<!-- ledgers: begin -->", "<!-- ledgers: end -->"
_ID = re.compile(r"^`([A-Za-z][A-Za-z0-9_-]*)`$")
# What looks like a row's id anywhere in a page.
_MENTION = re.compile(r"`((?:T|CP|WP|STREAM|HAWK)-[A-Z][A-Z0-9-]*|execution_[a-z_]+)`")


def table_of(page: str) -> dict[str, tuple[str, str, str]]:
    """The rows of the page's tables `row | framework | owner | class | certifies`: framework, owner, class by id."""
    found: dict[str, tuple[str, str, str]] = {}
    for line in page.splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        match = _ID.match(cells[0]) if line.startswith("|") else None
        if match and len(cells) == 5:
            if match[1] in found:
                raise ValueError(f"the page has the row '{match[1]}' twice")
            found[match[1]] = (cells[1], cells[2], cells[3])
    return found


def page_faults(page: str) -> list[str]:
    """Where page and declaration differ, in words; empty when they agree."""
    found: list[str] = []
    table = table_of(page)
    for row, declared in ROWS.items():
        wanted = (declared.framework or "—", declared.owner, declared.kind)
        if row not in table:
            found.append(f"the page has no row '{row}', which is declared")
        elif table[row] != wanted:
            found.append(f"the page says {table[row]} of '{row}', the declaration says {wanted}")
    found += [f"the page has the row '{row}', which is not declared" for row in table if row not in ROWS]
    found += [
        f"the page mentions the row '{row}', which is not declared"
        for row in sorted(set(_MENTION.findall(page)) - set(ROWS))
    ]
    found += [f"the page does not say that {name} is ROADMAP" for name in ROADMAP if name not in page]
    if "ROADMAP" not in page:
        found.append("the page does not say what ROADMAP means")
    return found


def ledger_section(ledgers: Sequence[Mapping[str, Any]]) -> str:
    """A table of outcomes, a column a machine kind. One cell lists the devices of a row: `cpu: passed`."""
    machines = [str(ledger["machine"]) for ledger in ledgers]
    lines = [f"| row | {' | '.join(machines)} |", "|---" * (len(machines) + 1) + "|"]
    for row in ROWS:
        cells = []
        for ledger in ledgers:
            mine = [entry for entry in ledger["rows"] if entry["row"] == row]
            said = [f"{e['device']}: {e['outcome']}" if e["device"] else str(e["outcome"]) for e in mine]
            cells.append(", ".join(said) or "no test")
        lines.append(f"| `{row}` | {' | '.join(cells)} |")
    return "\n".join(lines)


def with_ledgers(page: str, ledgers: Sequence[Mapping[str, Any]]) -> str:
    """The page with its section of outcomes written anew. ValueError for a page without the section's two marks."""
    if page.count(BEGIN) != 1 or page.count(END) != 1 or page.index(BEGIN) > page.index(END):
        raise ValueError(f"the page has no section between '{BEGIN}' and '{END}'")
    before, rest = page.split(BEGIN)
    return f"{before}{BEGIN}\n\n{ledger_section(ledgers)}\n\n{END}{rest.split(END)[1]}"
