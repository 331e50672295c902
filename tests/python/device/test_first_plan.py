"""What the guide for a backend's author lists for the first `plan.run` is enough, and nothing of it can be left out.

A library stands before the simulated device that has the listed functions alone, each passed on to it.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "scripts"))

import backend_guide  # noqa: E402

CORE = ("version", "last_error", "build_info", "probe", "free", "device_types")
BITS = {"stream": 0, "exec": 9, "device": 10, "interop": 11}

FORWARD = """
#include <dlfcn.h>
#include <stdint.h>
{declared}
__attribute__((constructor)) static void find(void) {{
    void* library = dlopen("{library}", RTLD_NOW | RTLD_LOCAL);
    {found}
}}
int eagle_backend_capabilities(uint64_t* groups) {{ *groups = {bits}ull; return 0; }}
"""
ONE = """
void* forward_{name};
__asm__(".pushsection .text\\n.globl eagle_backend_{name}\\n.type eagle_backend_{name}, @function\\n"
        "eagle_backend_{name}: movq forward_{name}@GOTPCREL(%rip), %rax\\njmpq *(%rax)\\n.popsection\\n");
"""

RUN = """
import numpy as np
import eagle
from device_kernels import scale
x = eagle.empty((1000,), "float64", "sim:0")
eagle.copy(np.arange(1000.0), into=x)
y = eagle.deploy(scale).run(x=x, a=2.0, b=1.0)
assert (y.to_host() == 2.0 * np.arange(1000.0) + 1.0).all()
print("it ran")
"""


def with_only(names: list[str], groups: list[str], place: Path) -> Path:
    """The simulated device with these functions alone, and the bits of these groups."""
    every = [*CORE, *names]
    source, made = place / "few.c", place / "libeagle_sim.so"
    source.write_text(
        FORWARD.format(
            declared="".join(ONE.format(name=name) for name in every),
            library=os.environ["EAGLE_BACKEND_SIM"],
            found="\n    ".join(f'forward_{name} = dlsym(library, "eagle_backend_{name}");' for name in every),
            bits=sum(1 << BITS[group] for group in groups),
        )
    )
    subprocess.run([os.environ.get("CC", "cc"), "-shared", "-fPIC", "-o", made, source], check=True)
    return made


def run(names: list[str], groups: list[str], place: Path) -> str:
    made = with_only(names, groups, place)
    environment = {**os.environ, "EAGLE_BACKEND_SIM": str(made), "PYTHONPATH": os.pathsep.join([*sys.path, str(ROOT)])}
    done = subprocess.run([sys.executable, "-c", RUN], env=environment, capture_output=True, text=True, timeout=300)
    return done.stdout.strip() or done.stderr.strip().splitlines()[-1]


LISTED = backend_guide.first_plan()
GROUPS = [group for group, _ in LISTED if group in BITS]
NAMES = [name for _, names in LISTED for name in names]


def test_what_is_listed_is_enough(tmp_path):
    assert run(NAMES, GROUPS, tmp_path) == "it ran"


@pytest.mark.parametrize("group", GROUPS)
def test_a_group_less_is_refused_by_name(tmp_path, group):
    said = run(NAMES, [g for g in GROUPS if g != group], tmp_path)
    assert f"does not provide {group}" in said, said


@pytest.mark.parametrize("name", [name for group, names in LISTED if group not in BITS for name in names])
def test_a_function_less_is_refused_by_name(tmp_path, name):
    said = run([n for n in NAMES if n != name], GROUPS, tmp_path)
    # Without the version of that part of the seam, nothing of it is there.
    missing = "sdk_device_alloc" if name == "sdk_version" else name
    assert f"does not provide eagle_backend_{missing}" in said, said
