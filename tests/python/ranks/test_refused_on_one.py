"""What one rank refuses before it meets the others ends the call on all, and later calls are as they should be."""

from textwrap import dedent

import pytest

from mpi import told

BEGIN = """
from matrix_kernels import affine
said = []
def attempt(call):
    try:
        made = call()
    except Exception as error:
        said.append((type(error).__name__, str(error)))
    else:
        said.append(made.tolist() if isinstance(made, np.ndarray) else None)
ranks = RANKS()
one = ranks.rank == 1
plan = eagle.plan(affine, structure=ranks)
def run(value, **changes):
    return plan.run(**({"x": np.full(4, value), "a": 1.0, "b": 0.0} | changes))
"""
FAILED = "rank 1 of 2 failed, and with it this call on every rank: "


def of_all(first, second):
    """The words of rank 1, which both ranks raised the same call with."""
    assert first[0] == "RuntimeError" and first[1].startswith(FAILED)
    words = first[1].removeprefix(FAILED)
    assert words and second[1].startswith(words)
    return second


REFUSED = {
    "a=None": "TypeError",
    "a='x'": "TypeError",
    "a=1j": "ValueError",
    "a=10**400": None,
    "x=object()": "TypeError",
    "layout='sideways'": None,
    "q=1": "TypeError",
}


@pytest.mark.parametrize("bad", REFUSED)
def test_a_run(tmp_path, bad):
    program = f"""
    attempt(lambda: run(1.0, **(dict({bad}) if one else {{}})))
    attempt(lambda: run(100.0))
    tell(said)
    """
    first, second = told(BEGIN + dedent(program), tmp_path)
    kind, _ = of_all(first[0], second[0])
    assert REFUSED[bad] in (None, kind)
    assert first[1] == second[1] == [100.0] * 4


def test_bind_launch_and_rebind(tmp_path):
    program = """
    out = np.zeros(4)
    given = {"x": np.ones(4), "b": 0.0, "out": out}
    attempt(lambda: plan.bind(a="x" if one else 1.0, **given))
    bound = plan.bind(a=1.0, **given)
    attempt(lambda: bound.launch(**({"flow": 1} if one else {})))
    attempt(lambda: bound.rebind(a="q" if one else 9.0))
    attempt(lambda: bound.rebind(x=np.ones(5 if one else 4)))
    bound.launch()
    attempt(lambda: out)
    attempt(lambda: bound.rebind(a=5.0) and None)
    bound.launch()
    attempt(lambda: out)
    tell(said)
    """
    first, second = told(BEGIN + dedent(program), tmp_path)
    of_all(first[0], second[0])
    assert "takes stream=" in of_all(first[1], second[1])[1]
    of_all(first[2], second[2])
    of_all(first[3], second[3])
    assert first[4:] == second[4:] == [[1.0] * 4, None, [5.0] * 4]


def test_a_call_that_finds_the_ranks_busy_is_missed_by_name(tmp_path):
    """Nothing can be said to the others then, so the next call says it."""
    program = """
    inside = []
    class Watched:
        def __getattr__(self, name):
            return getattr(world, name)
        def Allgatherv(self, *arguments):
            if one and not inside:
                inside.append(True)
                attempt(lambda: run(1.0))
            return world.Allgatherv(*arguments)
    from mpi4py import MPI
    world = MPI.COMM_WORLD
    plan = eagle.plan(affine, structure=RANKS(Watched()))
    attempt(lambda: run(1.0))
    attempt(lambda: run(100.0))
    tell(said)
    """
    first, second = told(BEGIN + dedent(program), tmp_path)
    busy, *second = second
    assert busy[0] == "Busy"
    assert first == second
    assert "a call was left out on one of them; make a new RankPartition on every rank" in first[-1][1]


def test_different_calls_are_refused_by_name(tmp_path):
    program = """
    bound = plan.bind(x=np.ones(4), a=1.0, b=0.0, out=np.zeros(4))
    attempt(lambda: bound.rebind(a=2.0) if one else bound.launch())
    attempt(lambda: run(100.0))
    attempt(lambda: eagle.plan(affine, structure=RANKS(gather=one)).run(x=np.ones(4), a=1.0, b=0.0))
    tell(said)
    """
    first, second = told(BEGIN + dedent(program), tmp_path)
    words = "rank 0 does: launch, rank 1 does: rebind; every rank makes the same calls in the same order"
    assert first[0] == second[0] == ("ValueError", words)
    assert first[1] == second[1] == [100.0] * 4
    assert first[2] == second[2] and "rank 0 does: run without gather, rank 1 does: run;" in first[2][1]


def test_planes_that_differ_are_not_exchanged(tmp_path):
    program = """
    attempt(lambda: ranks.allgather(np.zeros(4 + one)))
    attempt(lambda: ranks.allgather(np.zeros(4, np.int64 if one else np.float64)))
    attempt(lambda: ranks.allgather(np.zeros((3 if one else 2, 4))))
    attempt(lambda: ranks.allgather(*[np.zeros(4)] * (1 + one)))
    attempt(lambda: ranks.allgather("no plane" if one else np.zeros(4)))
    fixed = np.zeros(4)
    fixed.flags.writeable = not one
    attempt(lambda: ranks.allgather(fixed))
    whole = np.full(4, float(ranks.rank))
    ranks.allgather(whole)
    attempt(lambda: whole)
    tell(said)
    """
    first, second = told(BEGIN + dedent(program), tmp_path)
    assert first[:4] == second[:4]
    pairs = [
        ("allgather, float64, 4 samples of 1", "allgather, float64, 5 samples of 1"),
        ("allgather, float64, 4 samples of 1", "allgather, int64, 4 samples of 1"),
        ("allgather, float64, 4 samples of 2", "allgather, float64, 4 samples of 3"),
        ("allgather of 1 planes", "allgather of 2 planes"),
    ]
    for (kind, words), (zero, other) in zip(first, pairs, strict=False):
        assert kind == "ValueError"
        assert words == f"rank 0 does: {zero}, rank 1 does: {other}; every rank makes the same calls in the same order"
    of_all(first[4], second[4])
    assert first[5][1].startswith(FAILED) and "read-only" in first[5][1] and "read-only" in second[5][1]
    assert first[6] == second[6] == [0.0, 0.0, 1.0, 1.0]
