"""Plans on two MPI processes and more: each does its part, all end with the same bits."""

import re

import numpy as np
import pytest
from folds import FOLDS, folded, in_blocks

import eagle
import hawk
from hawk import Param, Scalar
from mpi import told


@hawk.kernel
def affine(x: Scalar, a: Param, b: Param) -> Scalar:
    return a * x + b


def test_every_rank_ends_with_the_whole(tmp_path):
    program = """
    from matrix_kernels import affine
    for n in (1, 2, 5, 10_007):
        x = np.linspace(-1.0, 3.0, n)
        plan = eagle.plan(affine, structure=RANKS(structure=eagle.exec.HostTeam(1)), npartitions=2)
        y = plan.run(x=x, a=2.0, b=1.0)
        assert (y == 2.0 * x + 1.0).all()
        out = np.zeros(n)
        plan.bind(x=x, a=2.0, b=1.0, out=out).launch().rebind(b=5.0).launch()
        assert (out == 2.0 * x + 5.0).all()
    tell((plan.structure.rank, plan.structure.size, plan.structure.gather, repr(plan.structure)))
    """
    assert told(program, tmp_path, 3) == [(rank, 3, True, f"<RankPartition {rank} of 3>") for rank in range(3)]


def test_each_rank_does_its_own_part_alone(tmp_path):
    program = """
    from matrix_kernels import affine
    ranks = RANKS(gather=False)
    x = np.arange(11.0)
    out = np.full(11, -7.0)
    eagle.plan(affine, structure=ranks).run(x=x, a=2.0, b=1.0, out=out)
    before = out.copy()
    wide = np.full((3, 11), -1.0)
    mine = ranks.partition(11)
    wide[:, mine.base : mine.base + mine.count] = ranks.rank
    first = wide.T.copy()
    ranks.allgather(out, wide, eagle.samples_first(first))
    tell((before, out, wide, first))
    """
    whole = 2.0 * np.arange(11.0) + 1.0
    for rank, (before, out, wide, first) in enumerate(told(program, tmp_path)):
        mine = slice(0, 6) if rank == 0 else slice(6, 11)
        other = slice(6, 11) if rank == 0 else slice(0, 6)
        assert (before[mine] == whole[mine]).all() and (before[other] == -7.0).all()
        assert (out == whole).all()
        assert (wide == [0.0] * 6 + [1.0] * 5).all() and (first == wide.T).all()


@pytest.mark.parametrize("operation", FOLDS)
def test_a_fold_has_the_same_bits_on_any_structure(tmp_path, operation):
    folder = folded(affine, tmp_path / "artifact", operation)
    x = np.random.default_rng(5).uniform(0.5, 1.5, 20_011)
    wanted = in_blocks(1.001 * x + 1e-9, *FOLDS[operation])
    for threads, npartitions in ((1, 1), (3, 1), (2, 5)):
        plan = eagle.plan(folder, structure=eagle.exec.HostTeam(threads), npartitions=npartitions)
        made = plan.run(x=x, a=1.001, b=1e-9)
        assert np.shape(made) == () and made == wanted
    given = np.zeros(())
    assert eagle.plan(folder).run(x=x, a=1.001, b=1e-9, out=given) is given and given == wanted
    program = """
    x = np.random.default_rng(5).uniform(0.5, 1.5, 20_011)
    tell(eagle.plan(Path(sys.argv[1], "artifact"), structure=RANKS()).run(x=x, a=1.001, b=1e-9))
    """
    for ranks in (2, 3):
        assert told(program, tmp_path, ranks) == [wanted] * ranks


def test_a_fold_takes_one_value_and_is_not_stepped(tmp_path):
    folder = folded(affine, tmp_path / "artifact", "sum")
    with pytest.raises(eagle.LayoutError, match=r"folds its samples to one value, and 'out' was given for 4 of them"):
        eagle.plan(folder).run(x=np.zeros(4), a=1.0, b=0.0, out=np.zeros(4))
    with pytest.raises(
        hawk.HawkError, match=r"'affine' is mapreduce, and hawk's own path folds nothing.*eagle\.deploy"
    ):
        hawk.load(folder)


def test_what_fails_on_one_rank_fails_on_all(tmp_path):
    program = """
    from matrix_kernels import affine, counted
    said = []
    def attempt(call):
        try:
            call()
        except Exception as error:
            said.append((type(error).__name__, str(error)))
        else:
            said.append(None)
    ranks = RANKS()
    plan = eagle.plan(affine, structure=ranks)
    numbers = {"a": 2.0} if ranks.rank == 1 else {"a": 2.0, "b": 1.0}
    attempt(lambda: plan.run(x=np.zeros(4), **numbers))
    attempt(lambda: plan.run(x=np.zeros(4 + ranks.rank), a=1.0, b=1.0))
    def divide():
        k = 0
        eagle.plan(counted, structure=ranks).run(n=np.arange(8), k=k, hits=np.zeros(8, np.int64))
    attempt(divide)
    attempt(lambda: plan.run(x=np.zeros(4), a=1.0, b=1.0))
    tell(said)
    """
    first, second = told(program, tmp_path)
    assert second[0][0] == "TypeError" and "'b'" in second[0][1]
    assert first[0] == ("RuntimeError", "rank 1 of 2 failed, and with it this call on every rank: " + second[0][1])
    both = "kernel 'affine' has 4 samples on rank 0 and 5 on rank 1; every rank is given the whole planes"
    assert first[1] == second[1] == ("ValueError", both)
    assert first[2] == second[2] and first[2][0] == "ZeroDivisionError" and "sample 0" in first[2][1]
    assert first[3] is second[3] is None


def test_an_interruption_of_one_rank_ends_the_call_on_all(tmp_path):
    program = """
    import signal
    from rank_kernels import heavy
    ranks = RANKS(structure=eagle.exec.HostTeam(1))
    plan = eagle.plan(heavy, structure=ranks)
    x = np.linspace(0.0, 1.0, 20_000_000)
    out = np.zeros(20_000_000)
    if ranks.rank == 0:
        signal.signal(signal.SIGALRM, signal.default_int_handler)
        signal.setitimer(signal.ITIMER_REAL, 0.1)
    said = None
    try:
        plan.run(x=x, out=out)
    except BaseException as error:
        said = type(error).__name__, str(error)
    tell(said)
    """
    first, second = told(program, tmp_path)
    assert first[0] == "KeyboardInterrupt"
    assert second[0] == "RuntimeError" and second[1].startswith("rank 0 of 2 failed, and with it this call")


def test_a_plan_with_ranks_pickles(tmp_path):
    program = """
    from matrix_kernels import affine
    plan = pickle.loads(pickle.dumps(eagle.plan(affine, structure=RANKS(gather=False))))
    tell((plan.structure.size, plan.structure.gather))
    """
    assert told(program, tmp_path) == [(2, False)] * 2


def test_one_process_is_one_rank():
    """What mpi4py makes of a process that no mpiexec started."""
    ranks = eagle.exec.RankPartition()
    assert (ranks.rank, ranks.size, ranks.structure) == (0, 1, None)
    assert ranks.partition(7) == eagle.Partition(0, 7, 7)
    x = np.arange(4.0)
    assert (eagle.plan(affine, structure=ranks).run(x=x, a=2.0, b=1.0) == 2.0 * x + 1.0).all()


NULL = "comm is a null communicator: MPI.COMM_NULL, or one after its Free(); RankPartition needs one that its "


def test_a_communicator_that_is_none_is_refused():
    from mpi4py import MPI

    with pytest.raises(eagle.BadHandle, match=re.escape(NULL)):
        eagle.exec.RankPartition(MPI.COMM_NULL)
    freed = MPI.COMM_SELF.Dup()
    freed.Free()
    with pytest.raises(eagle.BadHandle, match=re.escape(NULL)):
        eagle.exec.RankPartition(freed)
    assert eagle.exec.RankPartition(MPI.COMM_SELF).size == 1


def test_a_communicator_that_is_freed_or_has_two_groups_is_refused_on_every_rank(tmp_path):
    program = """
    from mpi4py import MPI
    said = []
    def attempt(call):
        try:
            call()
        except Exception as error:
            said.append((type(error).__name__, str(error)))
    comm = MPI.COMM_WORLD.Dup()
    ranks = RANKS(comm)
    plane = np.arange(4.0)
    ranks.allgather(plane)
    comm.Free()
    attempt(lambda: ranks.allgather(plane))
    attempt(lambda: RANKS(comm))
    alone = MPI.COMM_WORLD.Split(MPI.COMM_WORLD.rank)
    attempt(lambda: RANKS(alone.Create_intercomm(0, MPI.COMM_WORLD, 1 - MPI.COMM_WORLD.rank)))
    tell(said)
    """
    for said in told(program, tmp_path):
        (_, later), (kind, again), (two, inter) = said
        assert NULL in later
        assert (kind, two) == ("BadHandle", "ValueError")
        assert again.startswith(NULL)
        assert inter.startswith("comm is an intercommunicator, of two groups of processes; RankPartition needs one")


def test_refusals(monkeypatch):
    with pytest.raises(TypeError, match=r"comm is 3; RankPartition needs a communicator of mpi4py"):
        eagle.exec.RankPartition(3)
    with pytest.raises(TypeError, match=r"structure is 4 \(int\)"):
        eagle.exec.RankPartition(structure=4)
    with pytest.raises(ValueError, match="n_samples is -1"):
        eagle.exec.RankPartition().partition(-1)
    fixed = np.zeros(3)
    fixed.flags.writeable = False
    with pytest.raises(eagle.BufferRefused, match="read-only"):
        eagle.exec.RankPartition().allgather(fixed)
    import sys

    monkeypatch.setitem(sys.modules, "mpi4py", None)
    with pytest.raises(
        ImportError, match=r"needs mpi4py and an MPI, which are not installed: pip install mpi4py mpich"
    ):
        eagle.exec.RankPartition()


def test_a_rank_that_dies_ends_the_job(tmp_path):
    """mpi4py's own runner, which the page tells of."""
    from mpi import start

    program = """
    from matrix_kernels import affine
    plan = eagle.plan(affine, structure=RANKS())
    if RANKS().rank == 1:
        raise RuntimeError("of this script's own")
    plan.run(x=np.zeros(4), a=1.0, b=1.0)
    """
    tmp_path.mkdir(exist_ok=True)
    job = start(program, tmp_path)
    said, _ = job.communicate(timeout=120)
    assert job.returncode != 0 and "of this script's own" in said
