"""The table, the JSON and the picture of a run."""

from __future__ import annotations

import json
import os
import platform
from pathlib import Path

from .timing import Row

SUFFIX = {"ratio": " x", "share": " x", "us": " us", "ms": " ms"}


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


def table(rows: list[Row]) -> str:
    """The rows as a Markdown table."""
    lines = ["| work | measured | against | goal |", "|---|---|---|---|"]
    for row in rows:
        sign = ">=" if row.unit == "share" else "<="
        mark = "" if row.reached else " (missed)"
        lines.append(
            f"| {row.name} | {row.value:.3g}{SUFFIX[row.unit]} | {row.against} "
            f"| {sign} {row.goal:g}{SUFFIX[row.unit]}{mark} |"
        )
    return "\n".join(lines)


def write(rows: list[Row], folder: Path) -> None:
    """`bench.json`, `bench.md` and `bench.png` in the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    document = {"machine": machine(), "rows": [row.as_dict() for row in rows]}
    (folder / "bench.json").write_text(json.dumps(document, indent=2) + "\n")
    (folder / "bench.md").write_text(table(rows) + "\n")
    picture(rows, folder / "bench.png")


def picture(rows: list[Row], path: Path) -> None:
    """Each row relative to its goal: left of the line is better."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(10, 1.2 + 0.45 * len(rows)), constrained_layout=True)
    parts = [row.goal / row.value if row.unit == "share" else row.value / row.goal for row in rows]
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
