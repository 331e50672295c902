"""What the examples share: their command line, their report and their picture."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

Check = tuple[str, float, float]
"""What was checked, the value found, and the largest value that is right."""


def arguments(text: str, name: str, argv: list[str] | None) -> argparse.Namespace:
    """`--samples` and `--out`; `text` is the example's docstring."""
    parser = argparse.ArgumentParser(description=text.splitlines()[0])
    parser.add_argument("--samples", type=int, default=1_000_000)
    parser.add_argument("--out", type=Path, default=Path("out") / f"{name}.png")
    return parser.parse_args(argv)


def report(result: Any, checks: list[Check]) -> None:
    """Prints the rate of a run and each check; exits with an error when one is out of bounds."""
    count = result.steps_per_sample
    print(
        f"{len(count):,} samples of {count.min():,} to {count.max():,} steps, {result.steps:,} in all, "
        f"{result.steps / result.wall_s:.3g} sample-steps/s, {result.status}"
    )
    for what, found, bound in checks:
        print(f"  {what}: {found:.3g} (bound {bound:g})")
        if not found <= bound:
            raise SystemExit(f"{what}: {found:g} is above {bound:g}")


def plots(rows: int, columns: int, title: str) -> tuple[Any, Any]:
    """A figure and its axes, drawn without a display."""
    try:
        import matplotlib
    except ImportError as error:
        raise SystemExit(f"no picture: {error}; the examples draw with matplotlib: pip install matplotlib") from error

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(rows, columns, figsize=(6 * columns, 4.6 * rows), constrained_layout=True)
    figure.suptitle(title)
    return figure, axes


def save(figure: Any, path: Path) -> None:
    """Writes the picture and says where."""
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=120)
    print(f"picture: {path}")
