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


def test_a_call_that_finds_the_ranks_busy_is_told_to_the_others(tmp_path):
    """Nothing can be said in a call, so these ranks meet no more when it is over, and say why."""
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
    attempt(lambda: run(100.0))
    plan = eagle.plan(affine, structure=RANKS())
    attempt(lambda: run(7.0))
    tell(said)
    """
    first, second = told(BEGIN + dedent(program), tmp_path)
    busy, *second = second
    assert busy[0] == "Busy"
    assert first[0] == second[0] == [1.0] * 4
    next_step = "; make a new RankPartition on every rank"
    left = "rank 1 of 2 has left the calls of these ranks: " + busy[1]
    assert first[1] == ("RuntimeError", left + next_step)
    assert first[2] == ("RuntimeError", "these ranks no longer work together: " + left + next_step)
    assert second[1] == second[2] == ("RuntimeError", "these ranks no longer work together: " + busy[1] + next_step)
    assert first[3] == second[3] == [7.0] * 4


def test_threads_that_share_ranks(tmp_path):
    """A second thread of one rank comes while the first is in a call; the other rank makes both calls in order."""
    program = """
    import threading
    from rank_kernels import heavy
    long = eagle.plan(heavy, structure=ranks)
    x = np.linspace(0.0, 1.0, 2_000_000)
    if one:
        first = threading.Thread(target=lambda: attempt(lambda: long.run(x=x) is None))
        first.start()
        while not said and (not said or said[0][0] != "Busy"):
            try:
                run(1.0)
            except eagle.Busy as error:
                said.append(("Busy", str(error)))
            except Exception:
                pass
        first.join()
    else:
        attempt(lambda: long.run(x=x) is None)
        attempt(lambda: run(1.0))
    tell(said)
    """
    first, second = told(BEGIN + dedent(program), tmp_path)
    assert second[0][0] == "Busy"
    assert first[-1][0] == "RuntimeError" and second[0][1] in first[-1][1]


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


def test_numbers_that_differ_are_refused_before_anything_runs(tmp_path):
    program = """
    out = np.full(4, -1.0)
    attempt(lambda: run(1.0, b=0.5 if one else 0.25, out=out))
    attempt(lambda: plan.bind(x=np.ones(4), a=3 if one else 2, b=0.0, out=out))
    bound = plan.bind(x=np.ones(4), a=2.0, b=1.0, out=out)
    attempt(lambda: bound.rebind(b=5.0, a=float("nan") if one else -0.0))
    attempt(lambda: bound.rebind(x=np.full(4, 10.0), a=9.0 if one else 8.0))
    attempt(lambda: out.copy())
    bound.launch()
    attempt(lambda: out.copy())
    bound.rebind(a=float("nan")).launch()
    attempt(lambda: bool(np.isnan(out).all()) or 1 / 0)
    tell(said)
    """
    first, second = told(BEGIN + dedent(program), tmp_path)
    assert first == second
    texts = [
        "kernel 'affine': 'b' is 0.25 on rank 0, and 'b' is 0.5 on rank 1",
        "kernel 'affine': 'a' is 2 on rank 0, and 'a' is 3 on rank 1",
        "kernel 'affine': 'a' is -0 on rank 0, and 'a' is nan on rank 1",
        "kernel 'affine': 'a' is 8 on rank 0, and 'a' is 9 on rank 1",
    ]
    assert first[:4] == [("ValueError", text + "; every rank is given the same numbers") for text in texts]
    assert first[4:] == [[-1.0] * 4, [3.0] * 4, None]


def test_memory_that_runs_out_on_one_rank_ends_the_call_on_all(tmp_path):
    """Samples that lie apart are exchanged over a copy, for which rank 1 has no room; with room again all is well."""
    program = """
    import resource
    n = 20_000_000  # a copy is larger than any heap that malloc keeps for a thread
    plane = np.full((n, 2), float(ranks.rank), np.float32)[:, 0]
    unlimited = resource.getrlimit(resource.RLIMIT_AS)
    def gather(spare):
        if one:
            used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
            resource.setrlimit(resource.RLIMIT_AS, (used + spare, unlimited[1]))
        try:
            ranks.allgather(plane)
        finally:
            resource.setrlimit(resource.RLIMIT_AS, unlimited)
    attempt(lambda: gather(16_000_000))
    attempt(lambda: np.unique(plane))
    attempt(lambda: gather(1_000_000_000))
    attempt(lambda: [(plane[: n // 2] == 0.0).all(), (plane[n // 2 :] == 1.0).all()].count(True) == 2 or 1 / 0)
    tell(said)
    """
    first, second = told(BEGIN + dedent(program), tmp_path)
    assert second[0][0] == "MemoryError"
    assert first[0] == ("RuntimeError", FAILED + second[0][1])
    assert first[1] == [0.0] and second[1] == [1.0]
    assert first[2:] == second[2:] == [None, None]


def test_planes_of_different_layouts(tmp_path):
    """Where samples lie apart is a rank's own affair; what is exchanged at once has to be the same."""
    program = """
    apart = np.full((4, 2), float(one))[:, 0] if one else np.zeros(4)
    attempt(lambda: ranks.allgather(apart))
    attempt(lambda: apart.copy())
    wide = np.full((2, 4), float(one), order="F" if one else "C")
    attempt(lambda: ranks.allgather(wide))
    attempt(lambda: wide.copy())
    attempt(lambda: run(100.0))
    tell(said)
    """
    first, second = told(BEGIN + dedent(program), tmp_path)
    assert first[:2] == second[:2] == [None, [0.0, 0.0, 1.0, 1.0]]
    words = (
        "in allgather, float64, 4 samples of 2 rank 0 and rank 1 have a plane that is laid out in different ways, or "
        "lies on different devices; every rank gives planes of the same layout, on the same kind of device"
    )
    assert first[2] == second[2] == ("ValueError", words)
    assert first[3] == [[0.0] * 4] * 2 and second[3] == [[1.0] * 4] * 2
    assert first[4] == second[4] == [100.0] * 4
