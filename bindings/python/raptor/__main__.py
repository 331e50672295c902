"""`python -m raptor check folder...`: artifact folders checked as writers are, with nothing loaded."""

from __future__ import annotations

import argparse
import os
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


def run() -> int:
    """The exit status of the command line; a report that nobody takes to its end is 2 with a word about it."""
    if sys.stdout is None:
        print("raptor: standard output is closed; give it a file, a reader or /dev/null", file=sys.stderr)
        return 2
    try:
        code = main()
        sys.stdout.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is left in its buffer goes nowhere
        print(
            f"raptor: standard output takes no more ({error.strerror}), so that the report is not whole: give it a "
            "file with room or a reader that stays",
            file=sys.stderr,
        )
        return 2
    return code


if __name__ == "__main__":
    raise SystemExit(run())
