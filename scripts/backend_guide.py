"""docs/add_a_backend.md from examples/out_of_tree_backend: the commands are run, and what they print follows them.

    python scripts/backend_guide.py          writes the page anew, with the installed package

A block ```sh run``` is run by the shell in one empty folder, all in their order; a comment that names a file of the
example shows it, `groups` is the table of groups, and `first plan` the list of what a plan needs. Links of the text
hold where it lies, and are turned to hold where the page does.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
EXAMPLE = ROOT / "examples/out_of_tree_backend"
PAGE = ROOT / "docs/add_a_backend.md"
MADE = "<!-- Made by scripts/backend_guide.py from examples/out_of_tree_backend, and compared by a test. -->\n"


def run(commands: str, folder: Path, environment: dict[str, str]) -> str:
    """What the commands print, with the places of this machine taken out. They stop at the first that fails."""
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", commands],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=300,
    )
    if done.returncode != 0:
        raise RuntimeError(f"status {done.returncode} of\n{commands}\n{done.stdout}")
    said = done.stdout.replace(f"'{folder}", "'/home/you").replace(str(folder), "/home/you")
    said = said.replace(sys.executable, "python").replace(str(prefix(environment)), "<prefix>")
    return re.sub(r"eagle \d+\.\d+\.\d+\S*?(?=[,\s])", "eagle <release>", said)


def prefix(environment: dict[str, str]) -> Path:
    """The folder of the installed package."""
    command = [sys.executable, "-m", "eagle", "--prefix"]
    return Path(subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout.strip())


def symbols(environment: dict[str, str]) -> dict[str, tuple[int, int]]:
    """Of each group: functions that its bit promises, and those whose presence is enough."""
    text = (prefix(environment) / "include/eagle/seam/symbols.def").read_text(encoding="utf-8")
    found: dict[str, tuple[int, int]] = {}
    for group, since in re.findall(r"^EAGLE_SYMBOL\((\w+), +\w+, +(\d+)", text, re.MULTILINE):
        promised, more = found.get(group, (0, 0))
        found[group] = (promised + 1, more) if since == "0" else (promised, more + 1)
    return found


def rows(environment: dict[str, str]) -> set[str]:
    """Groups that have rows of their name."""
    command = [sys.executable, "-m", "eagle", "conformance", "--list"]
    said = subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout
    return set(re.findall(r"^([a-z]+)-", said, re.MULTILINE))


def groups(environment: dict[str, str]) -> str:
    """The table of groups."""
    counted, judged = symbols(environment), rows(environment)
    lines = ["| group | gives eagle | functions: promised, optional | rows | without it |", "|---|---|---|---|---|"]
    named = []
    for group, gives, loss in told("groups.txt"):
        if group not in judged:
            raise ValueError(f"groups.txt names {group}, which has no rows {group}-*")
        promised, more = counted[group]
        lines.append(f"| `{group}` | {gives} | {promised}, {more} | `{group}-*` | {loss} |")
        named.append(group)
    untold = set(counted) - set(named) - {"core", "none", "sdk"}
    if untold:
        raise ValueError(f"groups.txt says nothing of {', '.join(sorted(untold))}")
    return "\n".join(lines) + "\n"


def told(file: str) -> list[list[str]]:
    """The lines of a file of the example that are no comments, in their parts."""
    lines = (EXAMPLE / file).read_text(encoding="utf-8").splitlines()
    return [[part.strip() for part in line.split(" | ")] for line in lines if not line.startswith("#")]


def first_plan() -> list[tuple[str, list[str]]]:
    """What the first plan of a kind needs: a group, or "-", and functions."""
    return [(group, names.split()) for group, names in told("first_plan.txt")]


def list_of_first_plan() -> str:
    """The same as a list of the page."""
    return "".join(
        f"- {'the group `' + group + '`' if group != '-' else 'functions without a bit'}: "
        f"{', '.join(f'`{name}`' for name in names)}\n"
        for group, names in first_plan()
    )


def relocated(text: str) -> str:
    """The text with its links, relative to the example, relative to the page. ValueError for one that leads nowhere."""

    def turned(found: re.Match[str]) -> str:
        target = EXAMPLE / found[1]
        if not target.exists():
            raise ValueError(f"guide.md links to {found[1]}, which is not there")
        return f"]({os.path.relpath(target.resolve(), PAGE.parent)})"

    return re.sub(r"\]\(([^)#:]+)\)", turned, text)


def make(folder: Path, environment: dict[str, str]) -> str:
    """The page; its commands are run in `folder`, which is empty."""
    (folder / "stream.c").write_text((EXAMPLE / "stream.c").read_text(encoding="utf-8"), encoding="utf-8")
    text = relocated((EXAMPLE / "guide.md").read_text(encoding="utf-8"))

    def made(found: re.Match[str]) -> str:
        if found["name"] == "groups":
            return groups(environment)
        if found["name"] == "first plan":
            return list_of_first_plan()
        if found["name"]:
            return f"```c\n{(EXAMPLE / found['name']).read_text(encoding='utf-8').strip()}\n```\n"
        said = run(found["commands"], folder, environment)
        return f"```sh\n{found['commands']}```\n\n```console\n{said}```\n"

    page = re.sub(
        r"<!-- (?P<name>[a-z.]+|first plan) -->\n|```sh run\n(?P<commands>.*?)```\n", made, text, flags=re.DOTALL
    )
    title, rest = page.split("\n", 1)
    return f"{title}\n\n{MADE}{rest}"


def main() -> None:
    """Writes the page."""
    environment = dict(os.environ)
    environment["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), environment["PATH"]])
    with tempfile.TemporaryDirectory() as folder:
        PAGE.write_text(make(Path(folder).resolve(), environment), encoding="utf-8")
    print(f"wrote {PAGE}")


if __name__ == "__main__":
    main()
