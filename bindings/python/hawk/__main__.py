"""`python -m hawk build module:kernel [module:kernel ...] -o folder`: writes an artifact from a shell."""

from __future__ import annotations

import argparse
import importlib
import os
import sys

from hawk.artifact import TARGETS, build
from hawk.decorator import Kernel
from hawk.errors import HawkError
from hawk.targets import target_names


def _find(spec: str) -> Kernel:
    module, colon, name = spec.partition(":")
    if not colon or not module or not name:
        raise HawkError(f"'{spec}' names no kernel: write module:kernel, as in models.oscillator:oscillator")
    try:
        found = importlib.import_module(module)
    except ModuleNotFoundError as error:
        raise HawkError(f"module '{module}' of '{spec}' cannot be imported: {error}") from error
    for part in name.split("."):
        if not hasattr(found, part):
            kernels = ", ".join(key for key, value in vars(found).items() if isinstance(value, Kernel)) or "none"
            raise HawkError(f"'{module}' has no '{name}'; its kernels: {kernels}")
        found = getattr(found, part)
    if not isinstance(found, Kernel):
        raise HawkError(f"'{spec}' is {type(found).__name__}, no kernel: decorate it with @hawk.kernel")
    return found


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m hawk", description="Builds kernels into an artifact folder.")
    commands = parser.add_subparsers(dest="command", required=True)
    make = commands.add_parser("build", help="compile kernels and write them as one artifact")
    make.add_argument("kernels", nargs="+", metavar="module:kernel", help="such as models.oscillator:oscillator")
    make.add_argument(
        "-o", "--output", required=True, metavar="folder", help="where the artifact goes; made if missing"
    )
    make.add_argument("--target", action="append", choices=target_names(), help="may be repeated; default: host")
    make.add_argument("--cpu", default="native", help="native (default), or an architecture such as x86-64-v3")
    make.add_argument(
        "--arch", action="append", help="of cards, such as sm_90 or gfx942; may be repeated; default: the cards here"
    )
    chosen = parser.parse_args(arguments)
    sys.path.insert(0, os.getcwd())
    try:
        kernels = [_find(spec) for spec in chosen.kernels]
        print(build(kernels, chosen.output, tuple(chosen.target or TARGETS), cpu=chosen.cpu, arch=chosen.arch))
    except HawkError as error:
        print(f"hawk: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
