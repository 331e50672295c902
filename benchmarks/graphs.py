"""Replays, lowered graphs and compaction on kind cpu: what the C++ programs of `benchmarks/cpp` measure, as rows.

The peers stand in the same program and so in the same run: oneTBB's flow graph beside the replays (where it is there),
a chain that was captured by hand beside the lowered one, a plain copy of as many bytes over the same threads beside
compaction.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from .timing import Row

PROGRAMS = Path(__file__).resolve().parents[1] / "build" / "dev" / "benchmarks" / "cpp"
REPEATS = 5
UNITS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3}

# Bytes a second: of these counters the most of all repetitions counts.
COUNTERS = ("median", "best")

Figures = dict[str, dict[str, float]]


def measured(program: str, rows: str) -> Figures:
    """The fastest repetition of each row that matches: seconds, and the most of what it counts a second."""
    path = PROGRAMS / program
    if not path.exists():
        raise SystemExit(f"the benchmark is not built: {path} is not there; run `make bench`")
    command: list[str | Path] = [
        path,
        f"--benchmark_filter={rows}",
        f"--benchmark_repetitions={REPEATS}",
        "--benchmark_enable_random_interleaving=true",
        "--benchmark_min_time=0.05",
    ]
    out = subprocess.run([*command, "--benchmark_format=json"], check=True, capture_output=True, text=True).stdout
    best: Figures = {}
    for row in json.loads(out)["benchmarks"]:
        if row.get("run_type") == "aggregate":
            continue
        if "error_message" in row:
            raise SystemExit(f"{program}: {row['run_name']}: {row['error_message']}")
        name = row["run_name"].removesuffix("/real_time")
        before = best.get(name, row)
        best[name] = row if row["real_time"] < before["real_time"] else before
        for counter in (c for c in COUNTERS if c in row):
            best[name][counter] = max(before[counter], row[counter])
    return best


def replay_rows() -> list[Row]:
    """Seconds a replay, or a node of one."""
    found = measured("bench_graphs", "empty|/10000|fork|while_loop/1000")

    def seconds(name: str, nodes: int = 1) -> float:
        return found[name]["real_time"] * 1e-9 / nodes

    def beside(name: str, nodes: int = 1) -> str:
        peer = f"oneTBB_{name}" in found
        return f"oneTBB's flow graph: {seconds(f'oneTBB_{name}', nodes) * 1e6:.3g} us" if peer else ""

    rows = [("replay of an empty graph", seconds("launch_and_synchronize_an_empty_graph"), "", 0.2)]
    for shape, goal in (("chain", 0.015), ("wide", 0.03), ("diamonds", 0.03)):
        name = f"{shape}/10000"
        rows.append((f"a tiny node of 10,000, {shape}", seconds(name, 10_000), beside(name, 10_000), goal))
    rows.append(("a fork of two and its join", seconds("fork_and_join"), beside("fork_and_join"), 0.3))
    rows.append(("an iteration of a while node", seconds("while_loop/1000", 1000), "", 0.1))
    return [Row("graphs", name, value, None, against, goal, "us") for name, value, against, goal in rows]


def lowered_rows() -> list[Row]:
    """Graphs that libeagle lowers beside chains captured by hand, and what a trace adds."""
    found = measured("bench_lowered", "chain")

    def seconds(name: str) -> float:
        return found[name]["real_time"] * UNITS[found[name]["time_unit"]]

    build, by_hand = seconds("describe_and_lower_chain/10000"), seconds("capture_chain_by_hand/10000")
    scratch = seconds("describe_and_lower_scratch_chain/10000")
    lowered, captured = seconds("replay_chain/10000"), seconds("replay_chain_by_hand/10000")
    working, traced = seconds("replay_working_chain/100"), seconds("replay_working_chain_traced/100/iterations:20")
    tiny = seconds("replay_chain_traced/1000/iterations:50") / 1000
    per_node = f"captured by hand: {captured / 1e4 * 1e9:.3g} ns a node; lowered: {lowered / 1e4 * 1e9:.3g} ns"
    return [
        Row(
            "graphs",
            "describing and lowering 10,000 nodes",
            build,
            by_hand,
            _of("captured by hand", by_hand),
            1000,
            "ms",
        ),
        Row(
            "graphs",
            "describing and lowering 10,000 nodes with 10,000 scratch planes",
            scratch,
            build,
            _of("without scratch", build),
            1000,
            "ms",
        ),
        Row("graphs", "a replay of 10,000 lowered nodes, chain", lowered, captured, per_node, 1.1, "ratio"),
        Row("graphs", "nodes of 10 us, traced", traced, working, "the same, not traced", 1.05, "ratio"),
        Row("graphs", "a tiny node of 1,000, traced", tiny, lowered / 1e4, _of("not traced", lowered / 1e4), 0.3, "us"),
    ]


def _of(what: str, seconds: float) -> str:
    return f"{what}: {seconds * 1e3:.3g} ms" if seconds > 1e-3 else f"{what}: {seconds * 1e6:.3g} us"


def compaction_rows() -> list[Row]:
    """What a byte takes in compaction, beside one of a plain copy."""
    found = measured("bench_compaction", "^(compact|copy|read_alone)/n:(1|20)0*/kept%:(1|50|90)/")
    rows = []
    for n, text in ((1_000_000, "1e6"), (20_000_000, "2e7")):
        for kept in (1, 50, 90):
            name = f"n:{n}/kept%:{kept}"
            ours, theirs = (found[f"{what}/{name}"] for what in ("compact", "copy"))
            against = "a copy over the same threads, a byte"
            against += f"; of the fastest calls: {theirs['best'] / ours['best']:.2f} x"
            if bound := found.get(f"read_alone/{name}"):
                against += f"; reading the mask alone: {theirs['median'] / bound['median']:.2f} x"
            work = f"compaction, {text} samples, {kept} % kept"
            rows.append(Row("graphs", work, 1 / ours["median"], 1 / theirs["median"], against, 1 / 0.6, "ratio"))
    return rows


def rows() -> list[Row]:
    return replay_rows() + lowered_rows() + compaction_rows()
