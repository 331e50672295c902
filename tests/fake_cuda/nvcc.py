#!/usr/bin/env python3
"""Stands in the place of nvcc, and of the clang for AMD's processors, for tests: what it compiles runs on the fake
driver, as fibers of this machine's CPU, and on nothing else. Set HAWK_NVCC or HAWK_HIP_CLANG to `python nvcc.py`;
FAKE_CUDA_FIBERS names libfake_cuda_fibers.a.

It takes what hawk gives them: a form (-cubin, -ptx, -fatbin), an architecture, -I, -o and one source.
FAKE_CUDA_LEAVE_OUT=variables,mark makes code in which a driver finds no variables, or no mark of its binary interface.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
# Unique symbols would be one for all libraries of the process, and two kernels of one name are in two of them.
FLAGS = (
    "-std=c++20", "-O1", "-fPIC", "-shared", "-ffp-contract=off", "-fwrapv", "-fno-strict-aliasing", "-fno-gnu-unique",
    "-w",
)  # fmt: skip
ENTRY = re.compile(r"^HAWK_(?:STEP|RUN)\(\w+, (\w+)", re.MULTILINE)
MARK = "eagle_abi_2_layout_40_32_32_4_24"  # of HAWK_ARTIFACT


def main(arguments: list[str]) -> int:
    if "--list-gpu-arch" in arguments:
        print("compute_75\ncompute_90")
        return 0
    if "--print-supported-cpus" in arguments or "-print-prog-name=ld.lld" in arguments:
        print("gfx942" if "--print-supported-cpus" in arguments else sys.executable)
        return 0
    made, source = arguments[arguments.index("-o") + 1], Path(arguments[-1])
    names = ENTRY.findall(source.read_text())
    left_out = os.environ.get("FAKE_CUDA_LEAVE_OUT", "").split(",")
    with tempfile.TemporaryDirectory() as place:
        wrapped = Path(place) / "wrapped.cpp"
        kernels = "".join(f"FAKE_CUDA_KERNEL({name});\n" for name in names + [MARK] * ("mark" not in left_out))
        wrapped.write_text(f'#include <fake_cuda/DeviceSource.h>\n#include "{source.resolve()}"\n{kernels}')
        includes = [word for word in arguments if word.startswith("-I")]
        if "variables" in left_out:
            script = Path(place) / "exports"
            script.write_text("{ local: eagle_abi_tag; eagle_layout_sizes; };\n")
            includes.append(f"-Wl,--version-script={script}")
        command = [
            "c++", *FLAGS, f"-I{HERE / 'include'}", *includes, "-o", made, str(wrapped), os.environ["FAKE_CUDA_FIBERS"],
            "-lpthread",
        ]  # fmt: skip
        return subprocess.run(command).returncode


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
