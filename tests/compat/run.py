"""`make compat`: this tree and the published core of the same contract, each with the other's backend.

Installs the published package into a virtual environment of its own and drives libeagle_cpu through its core
(`published_*.py`); then libeagle opens the backend that the package brings (`our_loader.py`). The published package
is used by its public Python names alone.

Exit status: 0 all checks passed, 1 one failed, 2 wrong usage, 3 nothing was checked because the package could not be
installed, such as where its index does not answer.
"""

import argparse
import os
import subprocess
import sys
import venv
from pathlib import Path

PACKAGE = "raptor-eagle==0.7.1"
HERE = Path(__file__).resolve().parent
NOT_CHECKED = 3


def installed(folder: Path) -> Path | None:
    """The interpreter of an environment that has the published package; None, with words, where it cannot be had."""
    python = folder / "bin" / "python"
    stamp = folder / "installed.txt"
    if stamp.is_file() and stamp.read_text(encoding="utf-8") == PACKAGE:
        return python
    venv.create(folder, with_pip=True, clear=True)
    done = subprocess.run([python, "-m", "pip", "install", "-q", PACKAGE], capture_output=True, text=True)
    if done.returncode != 0:
        lines = (done.stderr or done.stdout).strip().splitlines()
        print(f"compat: {PACKAGE} could not be installed, so nothing was checked; pip says:")
        print("\n".join("  " + line for line in lines[-5:]))
        print("Run `make compat` again where its package index answers.")
        return None
    stamp.write_text(PACKAGE, encoding="utf-8")
    return python


def backend_of(python: Path) -> Path:
    """The library that the published package brings for kind cuda."""
    code = "import eagle, pathlib; print(pathlib.Path(eagle.__file__).parent / 'libeagle_cuda.so')"
    return Path(subprocess.run([python, "-c", code], check=True, capture_output=True, text=True).stdout.strip())


def check(python: Path, *names: str, **variables: str) -> bool:
    """Runs the checks of some files in an environment of its own."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("EAGLE_", "PYTHON"))}
    done = subprocess.run([python, "-m", "unittest", *names], cwd=HERE, env={**environment, **variables})
    return done.returncode == 0


def main() -> int:
    """Both directions; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--build", type=Path, required=True, help="build folder with eagle_cpu, eagle_doctor and compat_kernels"
    )
    parser.add_argument("--venv", type=Path, required=True, help="folder for the environment of the published package")
    arguments = parser.parse_args()
    build = arguments.build.resolve()
    files = {
        "EAGLE_BACKEND_CUDA": build / "lib/eagle/libeagle_cpu.so",
        "COMPAT_KERNELS": build / "tests/compat/compat_kernels.so",
        "COMPAT_DOCTOR": build / "bin/eagle-doctor",
    }
    for file in files.values():
        if not file.is_file():
            print(
                f"compat: {file} is not there; build it with `cmake --build {arguments.build} --target eagle_cpu "
                "eagle_doctor compat_kernels`"
            )
            return 2
    python = installed(arguments.venv.resolve())
    if python is None:
        return NOT_CHECKED
    ours = check(
        python,
        "published_core",
        "published_graphs",
        "published_conditionals",
        "published_nodes",
        EAGLE_BACKEND_CUDA=str(files["EAGLE_BACKEND_CUDA"]),
        COMPAT_KERNELS=str(files["COMPAT_KERNELS"]),
        EAGLE_CPU_THREADS="4",
    )
    theirs = check(
        python, "our_loader", COMPAT_DOCTOR=str(files["COMPAT_DOCTOR"]), EAGLE_BACKEND_CUDA=str(backend_of(python))
    )
    return 0 if ours and theirs else 1


if __name__ == "__main__":
    sys.exit(main())
