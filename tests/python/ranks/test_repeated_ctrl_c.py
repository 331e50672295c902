"""Ctrl-C once, twice and three times, at any moment of a call: every rank ends it, and says whose Ctrl-C it was."""

import os
import pickle
import random
import signal
import time
from textwrap import dedent

import pytest

from mpi import end, start

# A press between two calls is this script's own affair, and it goes on; what ended a call carries a note.
ROUNDS = """
import os, signal, time
over = True
def pressed(number, frame):
    if not over:
        raise KeyboardInterrupt
signal.signal(signal.SIGINT, pressed)

def what_ends(call):
    global over
    while True:
        try:
            try:
                over = False
                while True:
                    call()
            finally:
                over = True
        except BaseException as error:
            over = True
            last = error
        while last is not None:
            if not isinstance(last, KeyboardInterrupt) or hasattr(last, "__notes__"):
                return last
            last = last.__context__

def write(name, value):
    whole = Path(sys.argv[1], name)
    part = whole.with_suffix(".part")
    part.write_bytes(pickle.dumps(value))
    part.rename(whole)

def rounds(make):
    for k in range(int(sys.argv[2])):
        ranks = RANKS(structure=eagle.exec.HostTeam(1), gather=GATHER)
        call = make(ranks)
        write(f"ready{k}-{ranks.rank}", os.getpid())
        error = what_ends(call)
        write(f"told{k}-{ranks.rank}", (type(error).__name__, str(error), getattr(error, "__notes__", [])))
        while not Path(sys.argv[1], f"go{k}").exists():  # no press of this round comes in the next
            time.sleep(0.002)
"""

PROGRAMS = {
    "work": """
    GATHER = True
    from rank_kernels import heavy
    def make(ranks):
        n = 1_500_000
        return eagle.plan(heavy, structure=ranks).bind(x=np.linspace(0.0, 1.0, n), out=np.zeros(n)).launch
    rounds(make)
    """,
    "exchange": """
    GATHER = True
    from matrix_kernels import affine
    def make(ranks):
        n = 2_000_000
        return eagle.plan(affine, structure=ranks).bind(x=np.ones(n), a=1.0, b=0.0, out=np.zeros(n)).launch
    rounds(make)
    """,
    "late": """
    GATHER = True
    from matrix_kernels import affine
    def make(ranks):
        bound = eagle.plan(affine, structure=ranks).bind(x=np.ones(8), a=1.0, b=0.0, out=np.zeros(8))
        def call():
            if ranks.rank != 0:
                time.sleep(0.1)
            bound.launch()
        return call
    rounds(make)
    """,
    "short": """
    GATHER = False
    from matrix_kernels import affine
    def make(ranks):
        return eagle.plan(affine, structure=ranks).bind(x=np.ones(8), a=1.0, b=0.0, out=np.zeros(8)).launch
    rounds(make)
    """,
    "rebind": """
    GATHER = True
    from matrix_kernels import affine
    def make(ranks):
        bound = eagle.plan(affine, structure=ranks).bind(x=np.ones(8), a=1.0, b=0.0, out=np.zeros(8))
        return lambda: bound.rebind(a=2.0)
    rounds(make)
    """,
    "allgather": """
    GATHER = True
    def make(ranks):
        plane = np.zeros((2, 9001))
        return lambda: ranks.allgather(plane, plane[:, ::2])
    rounds(make)
    """,
    "fold": """
    GATHER = True
    from folds import folded
    from test_ranks import affine
    def make(ranks):
        folder = Path(sys.argv[1], f"fold{ranks.rank}")
        if not folder.exists():
            folded(affine, folder, "sum")
        plan = eagle.plan(folder, structure=ranks)
        x = np.ones(100_000)
        return lambda: plan.run(x=x, a=1.0, b=0.0)
    rounds(make)
    """,
}

# How often, and how many seconds from one to the next.
PRESSES = [(1, 0.0), (2, 0.0), (3, 0.0), (2, 0.001), (3, 0.001), (3, 0.02), (2, 0.1), (3, 0.3)]


def press(pids, times, gap):
    for _ in range(times):
        for pid in pids:
            os.kill(pid, signal.SIGINT)
        time.sleep(gap)


def read_all(files, job, seconds):
    limit = time.monotonic() + seconds
    while not all(file.exists() for file in files):
        assert job.poll() is None, job.communicate()[0]
        assert time.monotonic() < limit, f"not there: {[file.name for file in files if not file.exists()]}"
        time.sleep(0.002)
    return [pickle.loads(file.read_bytes()) for file in files]


def press_in_rounds(program, folder, ranks, victims_of):
    """What each rank told in each round, and whom the signals went to."""
    job = start(ROUNDS + dedent(program), folder, ranks, str(len(PRESSES)))
    moments = random.Random(f"{program}{ranks}")
    found = []
    try:
        for k, (times, gap) in enumerate(PRESSES):
            pids = read_all([folder / f"ready{k}-{rank}" for rank in range(ranks)], job, 60)
            victims = victims_of(k)
            told = [folder / f"told{k}-{rank}" for rank in range(ranks)]
            # Presses that all came between two calls ended none; whoever has told was in one.
            limit = time.monotonic() + 20
            while not any(file.exists() for file in told):
                assert time.monotonic() < limit, "no press came in a call"
                time.sleep(moments.uniform(0.0, 0.25))
                press([pids[victim] for victim in victims], times, gap)
                time.sleep(0.3)
            found.append((victims, read_all(told, job, 10)))
            (folder / f"go{k}").touch()
        said, _ = job.communicate(timeout=30)
    finally:
        end(job)
    assert job.returncode == 0, said
    return found


def check_round(victims, told):
    """Who was pressed has its KeyboardInterrupt, unless another's ended the call first."""
    kinds = [kind for kind, _, _ in told]
    assert "KeyboardInterrupt" in kinds
    for rank, (kind, text, notes) in enumerate(told):
        if kind == "KeyboardInterrupt":
            assert rank in victims
            assert any("interrupted" in note for note in notes)
        else:
            assert kind == "RuntimeError" and "interrupted" in text
            assert any(f"rank {victim} of {len(told)}" in text for victim in victims), text
    if len(victims) == 1:
        assert kinds.count("KeyboardInterrupt") == 1


@pytest.mark.parametrize("ranks", [2, 3])
@pytest.mark.parametrize("name", PROGRAMS)
def test_on_one_rank(tmp_path, name, ranks):
    """In "late" rank 0 is the one that waits."""
    found = press_in_rounds(PROGRAMS[name], tmp_path, ranks, lambda k: [0 if name == "late" else k % ranks])
    for victims, told in found:
        check_round(victims, told)


@pytest.mark.parametrize("name", ["work", "exchange"])
def test_on_all_ranks(tmp_path, name):
    """As a terminal does it."""
    for victims, told in press_in_rounds(PROGRAMS[name], tmp_path, 3, lambda k: [0, 1, 2]):
        check_round(victims, told)
