"""`python -m benchmarks`: runs the rows, prints the table, writes JSON and a picture."""

from __future__ import annotations

import argparse
from pathlib import Path

from . import calls, graphs, interop, kernels, report, start, throughput

GROUPS = {
    "kernels": kernels.rows,
    "throughput": throughput.rows,
    "calls": calls.rows,
    "start": start.rows,
    "graphs": graphs.rows,
    "interop": interop.rows,
}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("out/bench"))
    parser.add_argument("--rows", nargs="*", choices=sorted(GROUPS), default=list(GROUPS), help="groups to run")
    options = parser.parse_args()
    rows = [row for group in options.rows for row in GROUPS[group]()]
    print(report.table([row.as_dict() for row in rows]))
    report.write(rows, options.out)
    print(f"\nwritten: {options.out}")


if __name__ == "__main__":
    main()
