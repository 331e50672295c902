"""Everything that a machine with an NVIDIA card can show, by one command (`make gpu`): each part's output in a file of
its own, what came of them in `gpu.json`, which is whole after every part. A part that hangs is ended (status 124), and
the next one is run. Ends with 1 when a part failed, with 2 where there is no card.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import IO

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "dev"
STAND_INS = ("EAGLE_CUDA_DRIVER", "EAGLE_CUDA_NVML", "EAGLE_HIP_DRIVER", "HAWK_NVCC")
TIMED_OUT, NOT_THERE = 124, 127
limit = 3600.0  # seconds for one part


def card() -> str:
    """The first card's name. Raises OSError saying what is missing."""
    driver = ctypes.CDLL("libcuda.so.1")
    count, name = ctypes.c_int(), ctypes.create_string_buffer(128)
    for what, code in (
        ("cuInit", driver.cuInit(0)),
        ("cuDeviceGetCount", driver.cuDeviceGetCount(ctypes.byref(count))),
    ):
        if code != 0:
            raise OSError(f"{what} answers {code}")
    if count.value == 0:
        raise OSError("the driver sees no card")
    driver.cuDeviceGetName(name, 128, 0)
    return name.value.decode()


def over_the_shim() -> dict[str, str]:
    """Kind hip over the shim of HIP's runtime, and that over the card's driver: HIP host logic, no AMD hardware."""
    shim, eagle = BUILD / "tests" / "hip_shim", BUILD / "lib" / "eagle"
    return {
        "FAKE_CUDA": str(BUILD / "tests" / "fake_cuda"),
        "EAGLE_HIP_DRIVER": str(shim / "libhip_shim_7.so"),
        "EAGLE_HIP_KFD": str(BUILD / "tests" / "cpp" / "hip" / "kfd"),
        "HIP_VISIBLE_DEVICES": "0",
        "HIP_SHIM_CUDA_DRIVER": "libcuda.so.1",
        "HIP_SHIM_FATBIN": str(BUILD / "backends" / "cuda" / "eagle_kernels.fatbin"),
        "HIP_SHIM_BUILTIN": str(eagle / "eagle_builtin_cuda.fatbin"),
        "HAWK_HIP_CLANG": f"{sys.executable} {ROOT / 'tests' / 'hip_shim' / 'clang.py'}",
    }


def tool(name: str) -> str:
    """A program of the toolkit that the build uses: its folder need not be on the path."""
    cache = BUILD / "CMakeCache.txt"
    lines = cache.read_text().splitlines() if cache.exists() else []
    compilers = [line.partition("=")[2] for line in lines if line.startswith("EAGLE_NVCC_PROGRAM:")]
    places = [Path(compiler).parent for compiler in compilers] + [
        Path(os.environ.get("CUDA_HOME", "/usr/local/cuda"), "bin")
    ]
    path = os.pathsep.join([os.environ.get("PATH", ""), *map(str, places)])
    return shutil.which(name, path=path) or name


def parts(out: Path) -> dict[str, list[str]]:
    """What is run, in order, from the root of the tree."""
    python = sys.executable
    kernels, backend = out / "conformance_kernels.fatbin", BUILD / "lib" / "eagle" / "libeagle_cuda.so"
    hip = BUILD / "lib" / "test_backends" / "libeagle_hip.so"
    with_shim = ["env", *(f"{name}={value}" for name, value in over_the_shim().items())]
    judge = [str(BUILD / "bin" / "eagle-conformance"), "--kernels", str(kernels)]
    # Refused calls of the driver are what many rows are about, and no errors; rows run in processes of their own.
    sanitizer = [tool("compute-sanitizer"), "--report-api-errors", "no", "--target-processes", "all"]
    sanitizer += ["--error-exitcode", "9", "--tool"]
    slowly = [*judge, "--timeout", "900"]
    return {
        "build": [shutil.which("cmake") or "cmake", "--build", "--preset", "dev"],
        "kernels": [
            tool("nvcc"), "-fatbin", "-arch=native", "-Iconformance/kernels", "-o", str(kernels),
            "conformance/kernels/kernels.cu",
        ],
        "conformance": [*judge, "--json", str(out / "conformance.json"), str(backend)],
        "python": [python, "-m", "pytest", "-q", "-m", "gpu", "tests/python/gpu", f"--junitxml={out / 'python.xml'}"],
        # The rows of the certification matrix, with CuPy, torch and Warp on the card.
        "card": [shutil.which("make") or "make", "card"],
        "hip_shim": [*with_shim, *judge, "--json", str(out / "hip_shim.json"), str(hip)],
        "hip_shim_python": [*with_shim, python, "-m", "pytest", "-q", "tests/python/hip_shim"],
        "sanitizer": [*sanitizer, "memcheck", *slowly, "--rows", "exec-*", str(backend)],
        "races": [*sanitizer, "racecheck", *slowly, "--rows", "filtering-*", str(backend)],
        "codes": [python, "tests/fake_cuda/record_codes.py", str(out / "codes.json")],
        "benchmarks": [python, "-m", "benchmarks", "--out", str(out / "bench")],
    }  # fmt: skip


def status_of(command: list[str], log: IO[str]) -> int:
    """Of the program; one that takes longer than the limit is ended with all that it started."""
    process = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=subprocess.STDOUT, start_new_session=True)
    try:
        return process.wait(limit)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        log.write(f"\nended after {limit:g} seconds\n")
        return TIMED_OUT
    except BaseException:
        os.killpg(process.pid, signal.SIGKILL)
        raise


def run(name: str, command: list[str], out: Path) -> dict[str, object]:
    """One part: how long, and the status (124 for one that was ended, 127 for a program that is not there)."""
    print(f"{name} ...", flush=True)
    begin = time.monotonic()
    with open(out / f"{name}.log", "w") as log:
        try:
            status = status_of(command, log)
        except OSError as error:
            log.write(f"{error}\n")
            status = NOT_THERE
    seconds = round(time.monotonic() - begin, 1)
    print(f"{name}: {'passed' if status == 0 else f'failed with status {status}'} in {seconds} s", flush=True)
    return {"command": command, "status": status, "seconds": seconds}


def main() -> int:
    global limit
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", default="out/gpu", type=Path, help="folder of the logs and of gpu.json")
    parser.add_argument("--limit", default=limit, type=float, help="seconds for one part (default %(default)g)")
    arguments = parser.parse_args()
    limit = arguments.limit
    out: Path = (ROOT / arguments.out).resolve()
    try:
        name = card()
    except OSError as error:
        print(
            f"make gpu needs an NVIDIA card and its driver, and this machine has none that can be used ({error}); "
            "run it on one that has driver 580 or newer. Without a card, `make test` runs the host logic on the fake "
            "driver",
            file=sys.stderr,
        )
        return 2
    out.mkdir(parents=True, exist_ok=True)
    for stand_in in STAND_INS:
        os.environ.pop(stand_in, None)
    done: dict[str, dict[str, object]] = {}
    for part, command in parts(out).items():
        done[part] = run(part, command, out)
        (out / "gpu.json").write_text(json.dumps({"card": name, "parts": done}, indent=2) + "\n")
    failed = [part for part, outcome in done.items() if outcome["status"] != 0]
    print(f"{name}: {', '.join(failed) + ' failed' if failed else 'every part passed'}; logs in {out}")
    return 1 if failed else 0


if __name__ == "__main__":
    raise SystemExit(main())
