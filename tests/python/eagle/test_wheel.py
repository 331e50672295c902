"""What the wheel carries, and what it asks for."""

import subprocess
import sys
from importlib.metadata import distribution, entry_points
from pathlib import Path

import eagle
import hawk
import raptor
from eagle import _core

PACKAGE = Path(_core.__file__).parent


def test_everything_lies_in_its_package():
    assert Path(_core.library_path()) == PACKAGE
    for file in ("libeagle.so", "libeagle_cpu.so", "_core.pyi", "_device_kind.py", "include/eagle/config.h"):
        assert (PACKAGE / file).is_file(), file
    for package in (eagle, hawk, raptor):
        assert (Path(package.__file__).parent / "py.typed").is_file()


def test_the_library_that_is_loaded_is_the_one_beside_the_module():
    maps = Path("/proc/self/maps").read_text()
    loaded = {line.split(maxsplit=5)[5] for line in maps.splitlines() if line.endswith("libeagle.so")}
    assert loaded == {str(PACKAGE / "libeagle.so")}


def test_it_needs_numpy_alone():
    needed = [text for text in distribution("libeagle").requires or [] if "extra ==" not in text]
    assert needed == ["numpy"]
    assert distribution("libeagle").version == eagle.__version__


def test_other_projects_find_the_cmake_package_by_entry_point():
    (found,) = [entry for entry in entry_points(group="cmake.root") if entry.name == "eagle"]
    assert found.value == "eagle"


def test_the_stub_knows_every_name_of_the_module():
    stub = (PACKAGE / "_core.pyi").read_text()
    missing = [name for name in vars(_core) if not name.startswith("_") and name not in stub]
    assert not missing
    for method in (
        "def run(self, ",
        "def bind(self, ",
        "def launch(self, *, stream: object = None) -> BoundPlan",
        "def rebind(self, ",
    ):
        assert method in stub


def test_a_program_that_is_typed_against_it_passes_and_a_wrong_one_does_not(tmp_path):
    right = tmp_path / "right.py"
    right.write_text(
        "import eagle\n"
        "def f(plan: eagle.Plan) -> eagle.BoundPlan:\n"
        "    return plan.bind(x=1.0).rebind(x=2.0).launch()\n"
        "def g(result: eagle.SimResult) -> int:\n"
        "    return result.steps\n"
    )
    # State that comes by `**`, of one type and of several.
    state = tmp_path / "state.py"
    state.write_text(
        "import eagle\n"
        "import numpy as np\n"
        "from numpy.typing import NDArray\n"
        "def arrays(kernel: object, state: dict[str, NDArray[np.float64]]) -> eagle.SimResult:\n"
        "    eagle.until_done(kernel, max_steps=9, **state)\n"
        "    eagle.simulation(kernel, max_steps=9, **state).run()\n"
        "    return eagle.simulate(kernel, max_steps=9, until=lambda at: bool(at.x.all()), **state)\n"
        "def mixed(plan: eagle.Plan, graph: eagle.Graph, state: dict[str, object]) -> list[object]:\n"
        "    bound = plan.bind(**state).rebind(**state)\n"
        "    return [bound, plan.run(**state), eagle.simulate(plan, **state), graph.build(**state)]\n"
    )
    # A body computes with its arguments and assigns to them, which to a checker's eyes must be allowed.
    kernels = tmp_path / "kernels.py"
    kernels.write_text(
        "import hawk\n"
        "from hawk import Index, Mutable, Param, Scalar, Terminated, Vector\n"
        "@hawk.kernel\n"
        "def step(a: Scalar, r: Vector[2], dt: Param, k: Param[Index], done: Terminated, x: Mutable[Scalar],\n"
        "         n: Mutable[Index], v: Mutable[Vector[2]]) -> Scalar:\n"
        "    x += dt * a * r[0]\n"
        "    n = n + k if x > 0.0 else 0\n"
        "    v[1] = 2.0 * x\n"
        "    v += 0.5 * dt * r\n"
        "    done = x >= 1.0\n"
        "    return hawk.math.sin(x)\n"
        "taken: str = step.name\n"
        "step.nme\n"
    )
    wrong = tmp_path / "wrong.py"
    wrong.write_text("import eagle\neagle.exec.HostTeam(threads='two')\n")
    checker = [sys.executable, "-m", "mypy", "--cache-dir", str(tmp_path / "cache"), "--config-file", ""]
    done = subprocess.run([*checker, str(right)], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stdout
    done = subprocess.run([*checker, "--strict", str(state)], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stdout
    done = subprocess.run([*checker, "--strict", str(kernels)], capture_output=True, text=True, cwd=tmp_path)
    assert done.stdout.splitlines()[0].startswith('kernels.py:13: error: "Kernel" has no attribute "nme"'), done.stdout
    assert "Found 1 error" in done.stdout
    done = subprocess.run([*checker, str(wrong)], capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 1
    assert 'Argument "threads"' in done.stdout
