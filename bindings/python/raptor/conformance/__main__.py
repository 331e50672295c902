"""`python -m raptor.conformance page PAGE LEDGER...` writes the newest outcomes into a page; `scan FOLDER` lists what
could let a row pass without running.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from raptor.conformance.ledger import read_ledger
from raptor.conformance.page import page_faults, with_ledgers
from raptor.conformance.scanner import scan_tree


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m raptor.conformance", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    page = commands.add_parser("page", help="write ledgers into a page, and compare it with the declaration")
    page.add_argument("page", type=Path)
    page.add_argument("ledger", type=Path, nargs="+")
    scan = commands.add_parser("scan", help="find skip machinery in modules that carry rows")
    scan.add_argument("folder", type=Path)
    chosen = parser.parse_args(arguments)
    try:
        if chosen.command == "scan":
            found = [str(breach) for breach in scan_tree(chosen.folder).breaches]
        else:
            text = with_ledgers(chosen.page.read_text(encoding="utf-8"), [read_ledger(path) for path in chosen.ledger])
            chosen.page.write_text(text, encoding="utf-8")
            found = page_faults(text)
    except (OSError, ValueError, SyntaxError) as error:
        found = [str(error)]
    for line in found:
        print(line, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
