"""fork, spawn and pickle."""

import multiprocessing
import os
import pickle
import shutil
import signal
import tempfile

import numpy as np
import pytest
from eagle_kernels import countdown, scale
from programs import run

import eagle
from eagle import _scratch


def work(plan, begin):
    """What a worker process does: a launch and a simulation."""
    x = np.arange(begin, begin + 5000.0)
    scaled = plan.run(x=x, y=np.ones_like(x), a=2.0)
    left = np.arange(1.0, 5001.0)
    result = eagle.simulate(countdown, max_steps=10_000, left=left, ticks=np.zeros(5000))
    return float(scaled.sum()), result.steps


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_plans_work_in_other_processes(method):
    plan = eagle.deploy(scale)
    here = work(plan, 0)
    with multiprocessing.get_context(method).Pool(2) as pool:
        there = pool.starmap(work, [(plan, 0), (plan, 100)])
    assert here == there[0] == (5000 * 4999 + 5000.0, 5000 * 5001 // 2)
    assert there[1][0] == here[0] + 2 * 100 * 5000


def makes_a_folder(_):
    return os.fspath(_scratch.folder("work").parent)


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_a_worker_process_leaves_no_folder_behind(method):
    pool = multiprocessing.get_context(method).Pool(2)
    roots = set(pool.map(makes_a_folder, range(8)))
    pool.close()
    pool.join()
    assert roots and not any(os.path.exists(root) for root in roots)


def test_what_a_killed_process_left_is_removed_by_the_next(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", os.fspath(tmp_path))
    child = os.fork()
    if child == 0:
        _scratch.folder("work")
        os.kill(os.getpid(), signal.SIGKILL)
    os.waitpid(child, 0)
    (left,) = tmp_path.glob("eagle-*")
    alive = multiprocessing.get_context("fork").Pool(1)
    (used,) = alive.map(makes_a_folder, [0])
    assert not left.exists() and os.path.exists(used)
    stranger = tmp_path / "eagle-stranger"
    stranger.mkdir()
    monkeypatch.setattr(_scratch, "_root", None)
    _scratch.folder("work")
    assert os.path.exists(used) and stranger.exists()
    alive.terminate()
    alive.join()


def test_a_bound_plan_works_in_the_child_of_a_fork():
    x = np.arange(100_000.0)
    out = np.zeros_like(x)
    bound = eagle.deploy(scale).bind(x=x, y=x, a=1.0, out=out)
    bound.launch()
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            out[:] = 0
            bound.rebind(a=3.0).launch()
            status = 0 if np.array_equal(out, 4 * x) else 2
        finally:
            os.write(write, bytes([status]))
            os._exit(0)
    os.waitpid(child, 0)
    assert os.read(read, 1) == b"\0"
    os.close(read)
    os.close(write)
    assert np.array_equal(out, 2 * x)


def test_kernels_and_plans_pickle():
    plan = eagle.plan(scale, structure=eagle.exec.HostTeam(2), npartitions=3)
    copy = pickle.loads(pickle.dumps(plan))
    assert copy.structure == plan.structure
    assert copy.npartitions == 3
    assert copy.kernel.name == plan.kernel.name == "scale"
    np.testing.assert_array_equal(copy.run(x=np.ones(2), y=np.ones(2), a=4.0), [5.0, 5.0])
    assert pickle.loads(pickle.dumps(plan.kernel)).parameters[0].name == plan.kernel.parameters[0].name


def test_a_pickled_plan_does_not_need_the_folder_it_came_from(tmp_path):
    folder = tmp_path / "artifact"
    folder.mkdir()
    scale.build(folder)
    pickled = tmp_path / "plan.pickle"
    pickled.write_bytes(pickle.dumps(eagle.deploy(folder)))
    shutil.rmtree(folder)
    said = run(
        """
        import pickle, sys
        import numpy as np
        plan = pickle.load(open(sys.argv[1], "rb"))
        print(plan.run(x=np.ones(1), y=np.ones(1), a=6.0)[0])
        """,
        pickled,
    )
    assert said == "7.0"


def test_results_pickle():
    result = eagle.simulate(countdown, max_steps=10, left=np.array([3.0]), ticks=np.zeros(1))
    copy = pickle.loads(pickle.dumps(result))
    assert copy.status == "finished"
    assert copy["ticks"][0] == copy.ticks[0] == 3.0


def test_structures_compare_and_pickle():
    assert eagle.exec.HostTeam(2) == eagle.exec.HostTeam(2) != eagle.exec.HostTeam()
    part = eagle.Partition(2, 3, 10)
    assert pickle.loads(pickle.dumps(part)) == part
    assert repr(part) == "Partition(base=2, count=3, n_samples=10)"


def test_the_scratch_folder_is_gone_after_the_process():
    said = run(
        """
        import eagle
        from eagle_kernels import scale
        print(eagle.deploy(scale).kernel.folder)
        """
    )
    assert "eagle-" in said
    assert not os.path.exists(said)
