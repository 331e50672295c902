"""python -m eagle: doctor, demo, new-backend, conformance, --prefix, --version."""

import argparse
import errno
import os
import sys
from pathlib import Path

from . import __version__

# What a reader that is gone and a place without room answer.
_FULL = (errno.EPIPE, errno.ENOSPC, errno.EFBIG, errno.EDQUOT)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m eagle", description="eagle, from a shell.")
    parser.add_argument("--version", action="version", version=f"eagle {__version__}")
    parser.add_argument(
        "--prefix",
        action="store_true",
        help="print the folder to give CMake as eagle_ROOT (headers, library, package file)",
    )
    commands = parser.add_subparsers(dest="command", metavar="command")
    commands.add_parser("doctor", help="what is installed, what loads, and why not")
    demo = commands.add_parser(
        "demo", help="a million damped oscillators, each stopping at its own step: a table and a picture"
    )
    demo.add_argument("--samples", type=int, default=1_000_000, help="number of oscillators (default: 1000000)")
    demo.add_argument("--out", type=Path, default=Path("out/demo"), help="folder for the picture (default: out/demo)")
    kit = commands.add_parser("new-backend", help="the sources of a backend to begin with, for a kind of your own")
    kit.add_argument("kind", help="its name, such as level_zero: [a-z][a-z0-9_]*, at most 15 characters")
    kit.add_argument("folder", type=Path, help="where the sources go: a folder that is empty or not there")
    commands.add_parser(
        "conformance",
        help="judge a backend by its file: conformance <libeagle_kind.so> [options]; conformance --help lists them",
        add_help=False,
    )
    return parser


def main(arguments: list[str] | None = None) -> int:
    """Runs one command; the exit status."""
    arguments = sys.argv[1:] if arguments is None else arguments
    if arguments[:1] == ["conformance"]:
        from .conformance import main as conformance

        return conformance(arguments[1:])
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.prefix:
        print(prefix())
        return 0
    if options.command == "doctor":
        from .doctor import main as doctor

        return doctor()
    if options.command == "demo":
        from .demo import main as demo

        try:
            return demo(options.samples, options.out)
        except MemoryError as error:
            print(
                f"--samples is {options.samples}, and there is no memory for it ({error}); give fewer", file=sys.stderr
            )
            return 2
    if options.command == "new-backend":
        from .new_backend import main as new_backend

        return new_backend(options.kind, options.folder)
    parser.print_help()
    return 2


def run() -> int:
    """The exit status of the command line; a report that nobody takes to its end is 2 with a word about it."""
    if sys.stdout is None:
        print("eagle: standard output is closed; give it a file, a reader or /dev/null", file=sys.stderr)
        return 2
    try:
        code = main()
        sys.stdout.flush()
    except OSError as error:
        if error.errno not in _FULL or error.filename is not None:
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what is left in its buffer goes nowhere
        print(
            f"eagle: standard output takes no more ({error.strerror}), so that the report is not whole: give it a file "
            "with room or a reader that stays",
            file=sys.stderr,
        )
        return 2
    return code


def prefix() -> Path:
    """The package folder that holds libeagle, the headers and the CMake package file."""
    from . import _core

    return Path(_core.library_path())


if __name__ == "__main__":
    sys.exit(run())
