"""What the guide for a backend's author lists for the first `plan.run`, and for `simulate`, is enough; without any of
it both are refused by name.

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
BITS = {"stream": 0, "exec": 9, "device": 10, "interop": 11, "filtering": 12}

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
SIMULATE = """
import numpy as np
import eagle
from device_kernels import fall, heat
planes = {"y": np.linspace(0.5, 3.0, 1000), "v": np.zeros(1000), "warmth": np.zeros(1000)}
there = {name: eagle.empty((1000,), "float64", "sim:0") for name in planes}
for name, plane in planes.items():
    eagle.copy(plane, into=there[name])
found = eagle.simulate([heat, fall], max_steps=1000, dt=0.01, **there)
wanted = eagle.simulate([heat, fall], max_steps=1000, dt=0.01, **planes)
assert found.finished and (found.steps_per_sample == wanted.steps_per_sample).all()
print("it ran")
"""
BY_RUN_ENTRY = """
import numpy as np
import eagle
from device_kernels import countdown
wanted = 1.0 + np.arange(1000) % 50
left = eagle.empty((1000,), "float64", "sim:0")
eagle.copy(wanted, into=left)
result = eagle.simulate(countdown, max_steps=1000, left=left)
assert (result.steps_per_sample == wanted).all()
print("it ran")
"""


def with_only(names: list[str], groups: list[str], place: Path, own: str = "") -> Path:
    """The simulated device with these functions alone, and the bits of these groups. `own`: C of some of them."""
    every = [name for name in [*CORE, *names] if f"eagle_backend_status eagle_backend_{name}(" not in own]
    source, made = place / "few.c", place / "libeagle_sim.so"
    source.write_text(
        FORWARD.format(
            declared="".join(ONE.format(name=name) for name in every),
            library=os.environ["EAGLE_BACKEND_SIM"],
            found="\n    ".join(f'forward_{name} = dlsym(library, "eagle_backend_{name}");' for name in every),
            bits=sum(1 << BITS[group] for group in groups),
        )
        + own
    )
    headers = backend_guide.prefix(dict(os.environ)) / "include"
    subprocess.run([os.environ.get("CC", "cc"), "-shared", "-fPIC", f"-I{headers}", "-o", made, source], check=True)
    return made


def run(names: list[str], groups: list[str], place: Path, program: str = RUN) -> str:
    made = with_only(names, groups, place)
    environment = {**os.environ, "EAGLE_BACKEND_SIM": str(made), "PYTHONPATH": os.pathsep.join([*sys.path, str(ROOT)])}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, timeout=300)
    return done.stdout.strip() or done.stderr.strip().splitlines()[-1]


def groups_of(listed: list[tuple[str, list[str]]]) -> list[str]:
    return [group for group, _ in listed if group in BITS]


def names_of(listed: list[tuple[str, list[str]]]) -> list[str]:
    return [name for _, names in listed for name in names]


def unbound(listed: list[tuple[str, list[str]]]) -> list[str]:
    """Functions that no bit promises."""
    return names_of([part for part in listed if part[0] not in BITS])


LISTED = backend_guide.needed("first_plan.txt")
GROUPS, NAMES = groups_of(LISTED), names_of(LISTED)
MORE = backend_guide.needed("simulate.txt")


def test_what_is_listed_is_enough(tmp_path):
    assert run(NAMES, GROUPS, tmp_path) == "it ran"


@pytest.mark.parametrize("group", GROUPS)
def test_a_group_less_is_refused_by_name(tmp_path, group):
    said = run(NAMES, [g for g in GROUPS if g != group], tmp_path)
    assert f"does not provide {group}" in said, said


@pytest.mark.parametrize("name", unbound(LISTED))
def test_a_function_less_is_refused_by_name(tmp_path, name):
    said = run([n for n in NAMES if n != name], GROUPS, tmp_path)
    # Without the version of that part of the seam, nothing of it is there.
    missing = "sdk_device_alloc" if name == "sdk_version" else name
    assert f"does not provide eagle_backend_{missing}" in said, said


def simulated_with(names: list[str], groups: list[str], place: Path) -> str:
    return run([*NAMES, *names], [*GROUPS, *groups], place, SIMULATE)


def test_what_is_listed_for_simulate_is_enough(tmp_path):
    assert simulated_with(names_of(MORE), groups_of(MORE), tmp_path) == "it ran"


@pytest.mark.parametrize("group", groups_of(MORE))
def test_simulate_without_a_group_is_refused_by_name(tmp_path, group):
    said = simulated_with(names_of(MORE), [g for g in groups_of(MORE) if g != group], tmp_path)
    assert f"does not provide {group}" in said, said


def test_one_kernel_needs_no_group_of_them(tmp_path):
    assert run([*NAMES, *unbound(MORE)], GROUPS, tmp_path, BY_RUN_ENTRY) == "it ran"


@pytest.mark.parametrize("name", unbound(MORE))
def test_simulate_without_a_function_is_refused_by_name(tmp_path, name):
    said = simulated_with([n for n in names_of(MORE) if n != name], groups_of(MORE), tmp_path)
    assert f"does not provide eagle_backend_{name}" in said, said
