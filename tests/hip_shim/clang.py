#!/usr/bin/env python3
"""Stands in the place of the clang for AMD's processors where the shim is over the driver of an NVIDIA card: what it
makes is a cubin for that card. Set HAWK_HIP_CLANG to `python clang.py`."""

from __future__ import annotations

import subprocess
import sys

# As hawk has them for the target cuda: hawk/compiling/cuda.py.
FLAGS = ("-std=c++20", "-fmad=false", "-prec-div=true", "-prec-sqrt=true", "-ftz=false", "-w")


def main(arguments: list[str]) -> int:
    if "--print-supported-cpus" in arguments or "-print-prog-name=ld.lld" in arguments:
        print("gfx942" if "--print-supported-cpus" in arguments else sys.executable)
        return 0
    includes = [word for word in arguments if word.startswith("-I")]
    made, source = arguments[arguments.index("-o") + 1], arguments[-1]
    command = ["nvcc", "-cubin", "-arch=native", "-x", "cu", *FLAGS, *includes, "-o", made, source]
    return subprocess.run(command).returncode


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
