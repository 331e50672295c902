"""`python -m raptor check folder...`: artifact folders checked as writers are, with nothing loaded."""

from __future__ import annotations

import argparse
import sys

from raptor.schema import check_folder


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m raptor", description="The rules of artifacts, from a shell.")
    commands = parser.add_subparsers(dest="command", required=True)
    told = "check artifact folders as their writers are checked: manifests, sidecars, that files are there"
    check = commands.add_parser(
        "check", help=told, description=f"{told}. Loads nothing. Status 1: something was refused."
    )
    check.add_argument("folder", nargs="+", help="one that holds manifest.json")
    failed = 0
    for folder in parser.parse_args(arguments).folder:
        try:
            kernels = len(check_folder(folder)["plugins"])
        except (ValueError, OSError) as error:
            print(error, file=sys.stderr)
            failed = 1
        else:
            print(f"{folder}: {kernels} records, as a writer writes them")
    return failed


if __name__ == "__main__":
    raise SystemExit(main())
