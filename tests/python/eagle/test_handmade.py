"""The artifact that is written by hand in C, without hawk."""

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from programs import run

import eagle

SOURCES = Path(__file__).parents[3] / "examples" / "c" / "handmade"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("handmade")
    for name in ("manifest.json", "scale.json"):
        shutil.copy(SOURCES / name, made)
    subprocess.run(["cc", "-O2", "-fPIC", "-shared", SOURCES / "scale.c", "-o", made / "scale.so"], check=True)
    return made


def test_it_loads_and_runs(folder):
    x = np.linspace(-3.0, 3.0, 100_003)
    made = eagle.deploy(folder).run(x=x, a=2.0, b=1.0)
    np.testing.assert_array_equal(made, 2.0 * x + 1.0)


def test_it_binds_and_names_its_arguments(folder):
    plan = eagle.deploy(folder)
    out = np.zeros(3)
    plan.bind(x=np.arange(3.0), a=2.0, b=1.0, out=out).rebind(b=5.0).launch()
    np.testing.assert_array_equal(out, [5.0, 7.0, 9.0])
    with pytest.raises(TypeError, match="'b'"):
        plan.run(x=np.arange(3.0), a=2.0)


def test_it_needs_no_hawk(folder):
    said = run(
        """
        import sys
        sys.modules["hawk"] = None
        import eagle, numpy as np
        print(eagle.deploy(sys.argv[1]).run(x=np.ones(2), a=2.0, b=1.0))
        """,
        folder,
    )
    assert said == "[3. 3.]"
