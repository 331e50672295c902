"""The tables, the JSON and the picture of a run, and the pages that show a run.

    python -m benchmarks.report out/bench/bench.json

makes the run of that file the one that is shown: docs/performance.json keeps it, docs/performance.md has its rows and
README.md some of them.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
from pathlib import Path
from typing import Any

from .timing import Row

ROOT = Path(__file__).resolve().parents[1]
README, PAGE, SHOWN = ROOT / "README.md", ROOT / "docs" / "performance.md", ROOT / "docs" / "performance.json"
SUFFIX = {"ratio": " x", "us": " us", "ms": " ms"}
KEPT = ("group", "name", "value", "unit", "goal", "reached", "against")
# README's rows: each kind of cost that a reader asks for first, with the goals that are missed.
FIRST = (
    "Euler oscillator, every sample 1000 steps",
    "RK4 damped oscillator, every sample 1000 steps",
    "RK4, stop steps log-uniform in 1..1000",
    "a * x + b over 1e7 samples",
    "bound.launch() on 1 sample",
    "kernel(x, a, b, out=y) on 1 sample",
    "plan.run(x=x, a=2.0, b=1.0) on 1 sample",
    "built(): ten launches on 1 sample",
    "a tiny node of 10,000, chain",
    "compaction, 1e6 samples, 50 % kept",
    "compaction, 2e7 samples, 50 % kept",
    "first call of a one-line kernel, not cached",
    "import eagle after numpy",
)

Line = dict[str, Any]  # a row as `Row.as_dict` and the JSON have it


def machine() -> dict[str, object]:
    """What the figures were measured on."""
    model = platform.processor() or platform.machine()
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                model = line.partition(":")[2].strip()
                break
    except OSError:
        model = platform.machine()
    return {"cpu": model, "cpus": len(os.sched_getaffinity(0)), "python": platform.python_version()}


def table(lines: list[Line]) -> str:
    """The rows as a Markdown table."""
    text = ["| work | cost (less is better) | goal: at most | reached | beside |", "|---|---|---|---|---|"]
    for line in lines:
        suffix = SUFFIX[line["unit"]]
        cost, goal = f"{line['value']:.3g}{suffix}", f"{line['goal']:.3g}{suffix}"
        text.append(f"| {line['name']} | {cost} | {goal} | {'yes' if line['reached'] else 'no'} | {line['against']} |")
    return "\n".join(text)


def count(lines: list[Line]) -> str:
    """How many there are, and how many reached their goal."""
    return f"{sum(line['reached'] for line in lines)} of {len(lines)} goals are reached."


def first(lines: list[Line]) -> str:
    """README's rows, in its order. ValueError naming the rows that the run has not."""
    named = {line["name"]: line for line in lines}
    missing = [name for name in FIRST if name not in named]
    if missing:
        raise ValueError(f"the run has no row {missing}; README shows {list(FIRST)}: make a run of all groups")
    rest = f"All {len(lines)} rows: [performance](docs/performance.md). {count(lines)}"
    return f"{table([named[name] for name in FIRST])}\n\n{rest}"


def between_marks(text: str, made: str) -> str:
    """The page with what stands between its marks made anew."""
    begin, end = "<!-- made by benchmarks/report.py -->\n", "<!-- end -->"
    page, times = re.subn(f"{begin}.*?{end}", lambda _: f"{begin}{made}\n{end}", text, flags=re.DOTALL)
    if times != 1:
        raise ValueError(f"the page has {times} places between {begin.strip()} and {end.strip()}; it needs one")
    return page


def pages(document: dict[str, Any]) -> dict[Path, str]:
    """README and the page of performance as they read with that run."""
    lines, about = document["rows"], document["machine"]
    whole = f"One run of `make bench` on {about['cpus']} CPUs of {about['cpu']}. {count(lines)}\n\n{table(lines)}"
    return {
        README: between_marks(README.read_text(encoding="utf-8"), first(lines)),
        PAGE: between_marks(PAGE.read_text(encoding="utf-8"), whole),
    }


def write(rows: list[Row], folder: Path) -> None:
    """`bench.json`, `bench.md` and `bench.png` in the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    document = {"machine": machine(), "rows": [row.as_dict() for row in rows]}
    (folder / "bench.json").write_text(json.dumps(document, indent=2) + "\n")
    (folder / "bench.md").write_text(table(document["rows"]) + "\n")
    picture(rows, folder / "bench.png")


def picture(rows: list[Row], path: Path) -> None:
    """Each row relative to its goal: left of the line is better."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(10, 1.2 + 0.45 * len(rows)), constrained_layout=True)
    parts = [row.value / row.goal for row in rows]
    colours = ["#2a7f62" if part <= 1 else "#c44536" for part in parts]
    axis.barh(range(len(rows)), parts, color=colours)
    axis.axvline(1.0, color="black", linewidth=1)
    axis.set_yticks(range(len(rows)), [row.name for row in rows])
    axis.invert_yaxis()
    for place, (row, part) in enumerate(zip(rows, parts, strict=True)):
        axis.text(part, place, f" {row.value:.3g}{SUFFIX[row.unit]}", va="center")
    axis.set_xlim(0, max([1.25, *parts]) * 1.15)
    axis.set_xlabel("cost relative to the goal (1 = the goal)")
    about = machine()
    axis.set_title(f"{about['cpu']}, {about['cpus']} CPUs")
    figure.savefig(path, dpi=120)
    plt.close(figure)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.report", description=__doc__.splitlines()[0])
    parser.add_argument("run", type=Path, help="bench.json of a run of all groups")
    document = json.loads(parser.parse_args().run.read_text(encoding="utf-8"))
    document["rows"] = [{name: line[name] for name in KEPT} for line in document["rows"]]
    made = pages(document)
    SHOWN.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
    for path, text in made.items():
        path.write_text(text, encoding="utf-8")
        print(f"wrote {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
