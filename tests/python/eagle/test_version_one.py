"""Artifacts of version 1: one entry of the kernel's name, which takes all samples in one call."""

import json
import pickle
import subprocess
from pathlib import Path

import numpy as np
import pytest

import eagle
import hawk

ROOT = Path(__file__).parents[3]
SOURCE = ROOT / "tests" / "cpp" / "artifact" / "handmade" / "oldscale.c"
EXAMPLE = ROOT / "examples" / "c" / "handmade"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("version one")
    for name in ("manifest.json", "scale.json"):
        document = json.loads((EXAMPLE / name).read_text()) | {"schema_version": 1, "aether_abi": "aether-abi/1"}
        for key in ("exec_targets", "exec_access", "entries"):
            document.pop(key, None)
        (made / name).write_text(json.dumps(document))
    subprocess.run(
        ["cc", "-O2", "-fPIC", "-shared", "-ffp-contract=off", f"-I{EXAMPLE}", SOURCE, "-o", made / "scale.so"],
        check=True,
    )
    return made


X = np.linspace(-3.0, 3.0, 100_003)


def test_it_runs_and_binds(folder):
    artifact = eagle.registry.load_manifest(folder)
    assert (artifact.schema_version, artifact.exec_access) == (1, "")
    plan = eagle.plan(artifact, structure=eagle.exec.HostTeam(3))
    np.testing.assert_array_equal(plan.run(x=X, a=2.0, b=1.0), 2.0 * X + 1.0)
    assert plan.run(x=3.0, a=2.0, b=1.0) == 7.0
    out = np.zeros(3)
    plan.bind(x=np.arange(3.0), a=2.0, b=1.0, out=out).rebind(b=5.0).launch()
    np.testing.assert_array_equal(out, [5.0, 7.0, 9.0])
    again = pickle.loads(pickle.dumps(plan))
    np.testing.assert_array_equal(again.run(x=X, a=2.0, b=1.0), 2.0 * X + 1.0)


def test_a_node_of_a_graph(folder):
    plan = eagle.deploy(folder)

    @eagle.graph
    def twice(g, x):
        return g.launch(plan, x=g.launch(plan, x=x, a=2.0, b=1.0), a=3.0, b=0.0)

    np.testing.assert_array_equal(twice.build(X)(), 3.0 * (2.0 * X + 1.0) + 0.0)


def test_hawks_own_path_calls_it(folder):
    scale = hawk.load(folder)["scale"]
    np.testing.assert_array_equal(scale(x=X, a=2.0, b=1.0), 2.0 * X + 1.0)
    assert scale(x=3.0, a=2.0, b=1.0) == 7.0
    with pytest.raises(
        hawk.HawkError, match=r"'scale' was loaded from a v1 artifact, and artifacts are written in ver"
    ):
        scale.build(folder / "again")


def test_parts_of_it_are_refused(folder):
    with pytest.raises(
        ValueError, match=r"comes from a v1 artifact and the plan has 2 partitions; the rule: a v1 kernel"
    ):
        eagle.plan(folder, npartitions=2)
    bound = eagle.deploy(folder).bind(x=np.zeros(3), a=2.0, b=1.0, out=np.zeros(3))
    with pytest.raises(ValueError, match=r"comes from a v1 artifact; the rule: only a sample_local kernel may leave"):
        bound.narrow(2)


def test_more_samples_than_it_counts_are_refused(folder):
    many = np.lib.stride_tricks.as_strided(np.ones(1), (2**31,), (0,), writeable=False)
    with pytest.raises(eagle.LayoutError, match=r"was given 2147483648 samples; its v1 entry takes at most 2147483647"):
        eagle.deploy(folder).run(x=many, a=2.0, b=1.0)
