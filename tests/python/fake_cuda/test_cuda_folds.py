"""Kernels whose samples are folded to one value, on kind cuda: host logic on the fake driver, and the code of eagle's
own reductions as fibers."""

import numpy as np
import pytest
from folds import FOLDS, folded, in_blocks

import eagle
import hawk
from hawk import Param, Scalar, Terminated, Vector
from stand_ins import up

N = 3 * 4096 + 77
BOTH = ("host", "cuda")


@hawk.kernel
def affine(x: Scalar, a: Param) -> Scalar:
    return a * x + 1e-9


@hawk.kernel
def pair(x: Scalar, done: Terminated) -> Vector[2]:
    return hawk.vector(x, 2.0 * x)


@pytest.mark.parametrize("n", [1, 33, 4096, N])
@pytest.mark.parametrize("operation", FOLDS)
def test_a_fold_has_the_bits_of_the_host_and_of_its_order(tmp_path, operation, n):
    plan = eagle.plan(folded(affine, tmp_path / "artifact", operation, BOTH))
    x = np.random.default_rng(n).uniform(0.998, 1.002, n)
    wanted = in_blocks(1.001 * x + 1e-9, *FOLDS[operation])
    assert plan.run(x=x, a=1.001) == wanted
    for device in ("cuda:0", "cuda:1"):
        made = plan.run(x=up(x, device), a=1.001)
        assert made.device == device and made.to_host() == wanted
        given = up(np.zeros(()), device)
        assert plan.run(x=up(x, device), a=1.001, out=given) is given and given.to_host() == wanted


@pytest.mark.parametrize("npartitions", [1, 2, 5])
def test_partitions_change_nothing(tmp_path, npartitions):
    folder = folded(affine, tmp_path / "artifact", "times", BOTH)
    x = np.random.default_rng(5).uniform(0.999, 1.001, N)
    structure = eagle.exec.DeviceKernel("cuda", 0)
    made = eagle.plan(folder, structure=structure, npartitions=npartitions).run(x=up(x), a=1.0)
    assert made.to_host() == in_blocks(1.0 * x + 1e-9, *FOLDS["times"])


@pytest.mark.parametrize("operation", ["sum", "times"])
def test_finished_samples_count_as_the_identity(tmp_path, operation):
    plan = eagle.plan(folded(pair, tmp_path / "artifact", operation, BOTH))
    rng = np.random.default_rng(7)
    x, done = rng.uniform(0.4, 0.6, 9_000), rng.random(9_000) < 0.3
    fold, first = FOLDS[operation]
    wanted = [in_blocks(np.where(done, first, values), fold, first) for values in (x, 2.0 * x)]
    host = plan.run(x=x, done=done)
    there = plan.run(x=up(x), done=up(done)).to_host()
    assert host.ravel().tolist() == wanted and there.ravel().tolist() == wanted
