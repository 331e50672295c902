"""Kernels whose samples are folded to one value, on kind cuda: host logic on the fake driver, and the code of eagle's
own reductions as fibers. The order of a fold is that of docs/artifacts.md, written here a second time."""

import json

import numpy as np
import pytest

import eagle
import hawk
from hawk import Param, Scalar, Terminated, Vector
from stand_ins import up

N = 3 * 4096 + 77


@hawk.kernel
def affine(x: Scalar, a: Param) -> Scalar:
    return a * x + 1e-9


@hawk.kernel
def pair(x: Scalar, done: Terminated) -> Vector[2]:
    return hawk.vector(x, 2.0 * x)


def folded(kernel, folder, operation):
    """The artifact of a kernel for host and card, declaring that its samples are folded."""
    hawk.build(kernel, folder, ("host", "cuda"))
    for name in ("manifest.json", f"{kernel.name}.json"):
        document = json.loads((folder / name).read_text())
        keys = list(document)
        keys.insert(keys.index("exec_access") + 1, "exec_op")
        document |= {"exec_access": "mapreduce", "exec_op": operation}
        (folder / name).write_text(json.dumps({key: document[key] for key in keys}))
    return folder


def in_blocks(values, operation, first):
    """Blocks of 4,096, one value after the other from the identity, and so the results of the blocks."""
    whole = first
    for begin in range(0, len(values), 4096):
        block = first
        for value in values[begin : begin + 4096]:
            block = operation(block, value)
        whole = operation(whole, block)
    return whole


FOLDS = {
    "sum": (lambda a, b: a + b, np.float64(0.0)),
    "times": (lambda a, b: a * b, np.float64(1.0)),
    "max": (lambda a, b: max(a, b), np.float64(-np.inf)),
    "land": (lambda a, b: np.float64(a != 0.0 and b != 0.0), np.float64(1.0)),
}


@pytest.mark.parametrize("n", [1, 33, 4096, N])
@pytest.mark.parametrize("operation", FOLDS)
def test_a_fold_has_the_bits_of_the_host_and_of_its_order(tmp_path, operation, n):
    plan = eagle.plan(folded(affine, tmp_path / "artifact", operation))
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
    folder = folded(affine, tmp_path / "artifact", "times")
    x = np.random.default_rng(5).uniform(0.999, 1.001, N)
    structure = eagle.exec.DeviceKernel("cuda", 0)
    made = eagle.plan(folder, structure=structure, npartitions=npartitions).run(x=up(x), a=1.0)
    assert made.to_host() == in_blocks(1.0 * x + 1e-9, *FOLDS["times"])


@pytest.mark.parametrize("operation", ["sum", "times"])
def test_finished_samples_count_as_the_identity(tmp_path, operation):
    plan = eagle.plan(folded(pair, tmp_path / "artifact", operation))
    rng = np.random.default_rng(7)
    x, done = rng.uniform(0.4, 0.6, 9_000), rng.random(9_000) < 0.3
    fold, first = FOLDS[operation]
    wanted = [in_blocks(np.where(done, first, values), fold, first) for values in (x, 2.0 * x)]
    host = plan.run(x=x, done=done)
    there = plan.run(x=up(x), done=up(done)).to_host()
    assert host.ravel().tolist() == wanted and there.ravel().tolist() == wanted
