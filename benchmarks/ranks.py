"""Strong scaling over MPI ranks: the work of examples/python/ranks.py on 1, 2 and 4 ranks, one thread each.

    python -m benchmarks.ranks --samples 250000 --out out/ranks.json

Runs itself under mpiexec, and prints a table and the constants of the cost model of docs/ranks.md.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from .report import machine

ROOT = Path(__file__).resolve().parents[1]
SIZES = (8, 1 << 24)  # bytes that are gathered: the latency, and the bandwidth


def timed(comm: object, call: Callable[[], object]) -> float:
    """Seconds until the slowest rank is done."""
    comm.Barrier()  # type: ignore[attr-defined]
    begin = time.perf_counter()
    call()
    comm.Barrier()  # type: ignore[attr-defined]
    return time.perf_counter() - begin


def work(samples: int, rounds: int) -> dict[str, float]:
    """What one rank measures: the least of the rounds, in seconds."""
    from mpi4py import MPI

    sys.path.insert(0, str(ROOT / "examples" / "python"))
    import eagle
    import ranks as example

    comm = MPI.COMM_WORLD
    ranks = eagle.exec.RankPartition(structure=eagle.exec.HostTeam(1), gather=False)
    planes = example.grid(samples)
    bound = eagle.plan(example.steps, structure=ranks).bind(**planes)
    bound.launch()

    def step() -> None:
        for _ in range(example.LAUNCHES):
            bound.launch()

    found = {"step": min(timed(comm, step) for _ in range(rounds))}
    found["gather"] = min(timed(comm, lambda: ranks.allgather(planes["growth"])) for _ in range(4 * rounds))
    for size in SIZES:
        plane = np.zeros(max(comm.Get_size(), size // 8))
        times = [timed(comm, lambda plane=plane: ranks.allgather(plane)) for _ in range(8 * rounds)]
        found[f"allgather {size}"] = min(times)
    found["barrier"] = min(timed(comm, lambda: None) for _ in range(100))
    return found | {"samples": float(len(planes["k"])), "launches": float(example.LAUNCHES)}


def on(ranks: int, samples: int, rounds: int) -> dict[str, float]:
    mpiexec = Path(sys.executable).with_name("mpiexec")
    command = [sys.executable, "-m", "mpi4py", "-m", "benchmarks.ranks", "--work", str(samples), str(rounds)]
    done = subprocess.run(
        [mpiexec, "-n", str(ranks), *command], cwd=ROOT, capture_output=True, text=True, timeout=3600, check=False
    )
    if done.returncode != 0:
        raise SystemExit(done.stdout + done.stderr)
    return json.loads(done.stdout)


def table(found: dict[int, dict[str, float]]) -> str:
    one = found[1]["step"] + found[1]["gather"]
    lines = ["| ranks | steps | gather at the end | whole | speed-up | efficiency |", "|---|---|---|---|---|---|"]
    for ranks, times in found.items():
        whole = times["step"] + times["gather"]
        lines.append(
            f"| {ranks} | {times['step']:.2f} s | {times['gather'] * 1e3:.2f} ms | {whole:.2f} s "
            f"| {one / whole:.2f} | {one / whole / ranks:.2f} |"
        )
    return "\n".join(lines)


def model(found: dict[int, dict[str, float]]) -> str:
    """The constants of T(R) = W / R + L * 2 * t_word(R) + t_gather(R), from what was measured on two ranks."""
    two = found[2]
    latency = max(0.0, two["allgather 8"] - two["barrier"])
    moved = SIZES[1] / 2
    bandwidth = moved / max(1e-9, two["allgather 16777216"] - latency)
    return (
        f"W = {found[1]['step']:.2f} s; an exchange of 8 bytes between 2 ranks {latency * 1e6:.0f} us; "
        f"{bandwidth / 1e9:.1f} GB/s of what a rank does not have"
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ranks", description=__doc__)
    parser.add_argument("--samples", type=int, default=250_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--out", type=Path, default=Path("out/ranks.json"))
    parser.add_argument("--work", type=int, nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        from mpi4py import MPI

        found = work(*options.work)
        if MPI.COMM_WORLD.Get_rank() == 0:
            print(json.dumps(found))
        return
    measured = {ranks: on(ranks, options.samples, options.rounds) for ranks in (1, 2, 4)}
    print(table(measured))
    print(model(measured))
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text(json.dumps({"machine": machine(), "ranks": measured}, indent=2) + "\n")


if __name__ == "__main__":
    main()
