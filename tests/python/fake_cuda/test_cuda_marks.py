"""Code whose variables the driver does not find: host logic on the fake driver."""

import numpy as np
import pytest

import eagle
import hawk
from hawk import Param, Scalar
from stand_ins import up

X = np.arange(100.0)


@hawk.kernel
def marked(x: Scalar, a: Param) -> Scalar:
    return a * x + 3.0


@pytest.fixture
def build(tmp_path, monkeypatch):
    def make(left_out):
        monkeypatch.setenv("FAKE_CUDA_LEAVE_OUT", left_out)
        monkeypatch.setenv("HAWK_CACHE_DIR", str(tmp_path / "cache"))
        hawk.build(marked, tmp_path / "made", ("cuda",))
        return tmp_path / "made"

    return make


@pytest.mark.parametrize("left_out", ["", "mark", "variables"])
def test_variables_or_the_mark_are_enough(build, left_out):
    kernel = eagle.Artifact.load(build(left_out)).kernel("marked", kind="cuda")
    found = eagle.plan(kernel, structure=eagle.exec.DeviceKernel("cuda")).run(x=up(X), a=2.0)
    np.testing.assert_array_equal(found.to_host(), 2.0 * X + 3.0)


def test_neither_is_refused(build):
    artifact = eagle.Artifact.load(build("variables,mark"))
    with pytest.raises(ValueError, match=r"marked\.ptx: does not export 'eagle_abi_tag'; build the artifact again"):
        artifact.kernel("marked", kind="cuda")
