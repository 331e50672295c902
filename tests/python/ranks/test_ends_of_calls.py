"""A fault or a Ctrl-C on one rank ends the call on all of them, within a second, with planes in a stated state."""

import os
import pickle
import signal
import time
from textwrap import dedent

import numpy as np
import pytest

from mpi import end, start, told

FAULT = """
from rank_kernels import divided
by = np.full(100, 7)
by[20] = by[70] = 0
ranks = RANKS(gather=GATHER, structure=eagle.exec.HostTeam(1))
left = np.arange(100)
said = None
try:
    eagle.plan(divided, structure=ranks).bind(by=by, left=left).launch()
except Exception as error:
    said = type(error).__name__, str(error)
tell((said, left))
"""


def wanted():
    """Of the samples that divide by zero, what they were."""
    made = np.arange(100) // 7
    made[20], made[70] = 20, 70
    return made


@pytest.mark.parametrize("ranks", [2, 3])
def test_a_fault_leaves_planes_alike(tmp_path, ranks):
    found = told(FAULT.replace("GATHER", "True"), tmp_path, ranks)
    words = f"by zero in kernel 'divided', sample 20 (the lowest, of rank 0 of {ranks}); the other samples are done"
    for said, left in found:
        assert said[0] == "ZeroDivisionError" and words in said[1]
        assert (left == wanted()).all()


def test_a_fault_of_the_last_rank_is_raised_on_all(tmp_path):
    program = FAULT.replace("GATHER", "True").replace("by[20] = ", "")
    for said, left in told(program, tmp_path):
        assert said[0] == "ZeroDivisionError" and "sample 70 (the lowest, of rank 1 of 2)" in said[1]
        assert left[20] == 2 and left[70] == 70


def test_without_gather_each_rank_has_its_own(tmp_path):
    for rank, (said, left) in enumerate(told(FAULT.replace("GATHER", "False"), tmp_path)):
        assert said[0] == "ZeroDivisionError" and "sample 20 (the lowest, of rank 0 of 2)" in said[1]
        mine, other = (slice(0, 50), slice(50, 100)) if rank == 0 else (slice(50, 100), slice(0, 50))
        assert (left[mine] == wanted()[mine]).all() and (left[other] == np.arange(100)[other]).all()


READY = """
import os, time
def ready():
    Path(sys.argv[1], f"pid{ranks.rank}").write_text(str(os.getpid()))
def ended(call):
    begin = None
    try:
        while True:
            call()
    except BaseException as error:
        tell((type(error).__name__, str(error), getattr(error, "__notes__", []), time.time()))
        if not isinstance(error, (KeyboardInterrupt, RuntimeError)):
            raise
"""


def interrupted(program, folder, ranks, victim, after):
    """What each rank told, and how long after the signal; the signal comes `after` seconds in the loop."""
    job = start(READY + dedent(program), folder, ranks)
    try:
        files = [folder / f"pid{rank}" for rank in range(ranks)]
        limit = time.monotonic() + 60
        while not all(file.exists() and file.read_text() for file in files):
            assert time.monotonic() < limit and job.poll() is None, job.communicate()[0]
            time.sleep(0.01)
        time.sleep(after)
        sent = time.time()
        os.kill(int(files[victim].read_text()), signal.SIGINT)
        said, _ = job.communicate(timeout=30)
    finally:
        end(job)
    assert job.returncode == 0, said
    found = [pickle.loads((folder / f"rank{rank}").read_bytes()) for rank in range(ranks)]
    return [(*one[:3], one[3] - sent) for one in found]


def check(found, victim, words):
    """Ten seconds on a machine with other work; the page says a second."""
    for rank, (kind, text, notes, seconds) in enumerate(found):
        assert seconds < 10.0
        if rank == victim:
            assert kind == "KeyboardInterrupt"
            assert any(words in note for note in notes), notes
        else:
            assert kind == "RuntimeError" and words in text and f"rank {victim} of {len(found)}" in text


@pytest.mark.parametrize("victim", [0, 1])
def test_ctrl_c_while_both_work(tmp_path, victim):
    """Both are in their parts, of which much is left."""
    program = """
    from rank_kernels import heavy
    ranks = RANKS(structure=eagle.exec.HostTeam(1))
    n = 60_000_000
    bound = eagle.plan(heavy, structure=ranks).bind(x=np.linspace(0.0, 1.0, n), out=np.zeros(n))
    ready()
    ended(bound.launch)
    """
    check(interrupted(program, tmp_path, 2, victim, 0.5), victim, "interrupted")


@pytest.mark.parametrize("ranks", [2, 3])
def test_ctrl_c_while_the_others_come_late(tmp_path, ranks):
    """Rank 0 waits in the call; the others are in Python for a while, and end when they come to it."""
    program = """
    from matrix_kernels import affine
    ranks = RANKS(structure=eagle.exec.HostTeam(1))
    bound = eagle.plan(affine, structure=ranks).bind(x=np.ones(8), a=1.0, b=0.0, out=np.zeros(8))
    ready()
    def call():
        if ranks.rank != 0:
            time.sleep(1.5)
        bound.launch()
    ended(call)
    """
    found = interrupted(program, tmp_path, ranks, 0, 0.2)
    check(found, 0, "interrupted while waiting for the other ranks in: ")


def test_ctrl_c_while_planes_are_exchanged(tmp_path):
    """Nearly all of a call is the exchange of its plane."""
    program = """
    from matrix_kernels import affine
    ranks = RANKS(structure=eagle.exec.HostTeam(1))
    n = 4_000_000
    bound = eagle.plan(affine, structure=ranks).bind(x=np.ones(n), a=1.0, b=0.0, out=np.zeros(n))
    ready()
    ended(bound.launch)
    """
    for k, after in enumerate((0.3, 0.41, 0.52)):
        folder = tmp_path / str(k)
        folder.mkdir()
        check(interrupted(program, folder, 2, k % 2, after), k % 2, "interrupted")


def test_what_until_raises_on_one_rank_is_that_ranks_own(tmp_path):
    """simulate steps a rank's own samples; the ranks meet afterwards as if nothing had been."""
    program = """
    from rank_kernels import countdown
    ranks = RANKS()
    mine = ranks.partition(10)
    left = np.arange(1.0, 11.0)
    def until(state):
        if ranks.rank == 1:
            raise LookupError("mine")
    part = left[mine.base : mine.base + mine.count]
    try:
        ended = "nothing", eagle.simulate(countdown, max_steps=100, left=part, until=until, every=2).status
    except LookupError as error:
        ended = str(error), error.result.status
    refused = None
    try:
        eagle.simulate(countdown, max_steps=1, left=np.ones(3), structure=ranks)
    except TypeError as error:
        refused = str(error)
    ranks.allgather(left)
    tell((ended, refused, left.tolist()))
    """
    found = told(program, tmp_path)
    assert [ended for ended, _, _ in found] == [("nothing", "finished"), ("mine", "interrupted")]
    for rank, (_, refused, left) in enumerate(found):
        assert refused.startswith(f"structure is <RankPartition {rank} of 2>")
        assert left == [0.0] * 5 + [4.0, 5.0, 6.0, 7.0, 8.0]


# The exit statuses that the page promises.
GONE = {"os.kill(os.getpid(), signal.SIGKILL)": {9}, "os._exit(5)": set(range(256)), "sys.exit(4)": {4}}


@pytest.mark.parametrize("how", GONE)
def test_a_rank_that_is_gone_ends_the_job(tmp_path, how):
    """What MPICH's mpiexec and mpi4py's runner do, which the page tells of; the other rank waits in a call."""
    program = f"""
    import os, signal, time
    from matrix_kernels import affine
    ranks = RANKS()
    bound = eagle.plan(affine, structure=ranks).bind(x=np.ones(8), a=1.0, b=0.0, out=np.zeros(8))
    bound.launch()
    if ranks.rank == 1:
        time.sleep(0.3)
        {how}
    bound.launch()
    tell("it went on")
    """
    job = start(program, tmp_path)
    try:
        said, _ = job.communicate(timeout=60)
    finally:
        end(job)
    assert job.returncode in GONE[how], said
    assert not list(tmp_path.glob("rank*"))
