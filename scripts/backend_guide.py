"""docs/add_a_backend.md from examples/out_of_tree_backend: the commands are run, and what they print follows them.

    python scripts/backend_guide.py          writes the page anew, with the installed package

A block ```sh run``` is run by the shell in one empty folder, all in their order; a comment that names a file of the
example shows it, `groups` and `functions` are the tables of what a kind may have, `first plan` and `simulate` the lists
of what these need. Links of the text hold where it lies, and are turned to hold where the page does.
"""

import fnmatch
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


def listed(environment: dict[str, str]) -> list[tuple[str, str, str]]:
    """Every function: its group, its name and the minor that it came in."""
    text = (prefix(environment) / "include/eagle/seam/symbols.def").read_text(encoding="utf-8")
    return re.findall(r"^EAGLE_SYMBOL\((\w+), +(\w+), +(\d+)", text, re.MULTILINE)


def symbols(environment: dict[str, str]) -> dict[str, tuple[int, int]]:
    """Of each group: functions that its bit promises, and those whose presence is enough."""
    found: dict[str, tuple[int, int]] = {}
    for group, _, since in listed(environment):
        promised, more = found.get(group, (0, 0))
        found[group] = (promised + 1, more) if since == "0" else (promised, more + 1)
    return found


def rows(environment: dict[str, str]) -> dict[str, set[str]]:
    """Every row of the judge, and the functions that it covers."""
    command = [sys.executable, "-m", "eagle", "conformance", "--list"]
    said = subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout
    return {name: set(covered) for name, *covered in map(str.split, said.splitlines()) if name}


def groups(environment: dict[str, str]) -> str:
    """The table of groups."""
    counted, judged = symbols(environment), {row.partition("-")[0] for row in rows(environment)}
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


def functions(environment: dict[str, str]) -> str:
    """The table of functions that need no bit. ValueError for one that is not told of, or rows that are not theirs."""
    judged, untold = rows(environment), {name for group, name, _ in listed(environment) if group in ("none", "sdk")}
    lines = ["| functions | give eagle | rows | without them |", "|---|---|---|---|"]
    for names, gives, patterns, loss in told("functions.txt"):
        if not untold.issuperset(names.split()):
            raise ValueError(f"functions.txt names {names}, which are not functions without a bit, or twice")
        for pattern in patterns.split():
            if not any(
                covered & set(names.split()) for row, covered in judged.items() if fnmatch.fnmatch(row, pattern)
            ):
                raise ValueError(f"functions.txt names rows {pattern}, of which none covers {names}")
        untold -= set(names.split())
        lines.append(f"| {code(names)} | {gives} | {code(patterns)} | {loss} |")
    if untold:
        raise ValueError(f"functions.txt says nothing of {', '.join(sorted(untold))}")
    return "\n".join(lines) + "\n"


def code(words: str) -> str:
    """`a`, `b` of "a b"."""
    return ", ".join(f"`{word}`" for word in words.split())


def told(file: str) -> list[list[str]]:
    """The lines of a file of the example that are no comments, in their parts."""
    lines = (EXAMPLE / file).read_text(encoding="utf-8").splitlines()
    return [[part.strip() for part in line.split(" | ")] for line in lines if not line.startswith("#")]


def needed(file: str) -> list[tuple[str, list[str]]]:
    """What something needs: a group, or "-", and functions."""
    return [(group, names.split()) for group, names in told(file)]


def list_of_needed(file: str) -> str:
    """The same as a list of the page."""
    return "".join(
        f"- {'the group `' + group + '`' if group != '-' else 'functions without a bit'}: {code(' '.join(names))}\n"
        for group, names in needed(file)
    )


def relocated(text: str) -> str:
    """The text with its links, relative to the example, relative to the page. ValueError for one that leads nowhere."""

    def turned(found: re.Match[str]) -> str:
        target = EXAMPLE / found[1]
        if not target.exists():
            raise ValueError(f"guide.md links to {found[1]}, which is not there")
        if found[2] and found[2][1:] not in anchors(target):
            raise ValueError(f"guide.md links to {found[1]}{found[2]}, a heading that is not there")
        return f"]({os.path.relpath(target.resolve(), PAGE.parent)}{found[2] or ''})"

    return re.sub(r"\]\(([^)#:]+)(#[^)]*)?\)", turned, text)


def anchors(page: Path) -> set[str]:
    """What a link may name of the page: its headings, as GitHub spells them."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def make(folder: Path, environment: dict[str, str]) -> str:
    """The page; its commands are run in `folder`, which is empty."""
    for name in ("stream.c", "zzz_target.py", "scale.py"):
        (folder / name).write_text((EXAMPLE / name).read_text(encoding="utf-8"), encoding="utf-8")
    text = relocated((EXAMPLE / "guide.md").read_text(encoding="utf-8"))

    def made(found: re.Match[str]) -> str:
        if found["name"] in ("groups", "functions"):
            return (groups if found["name"] == "groups" else functions)(environment)
        if found["name"] in ("first plan", "simulate"):
            return list_of_needed(found["name"].replace(" ", "_") + ".txt")
        if found["name"]:
            language = "c" if found["name"].endswith(".c") else "python"
            return f"```{language}\n{(EXAMPLE / found['name']).read_text(encoding='utf-8').strip()}\n```\n"
        said = run(found["commands"], folder, environment)
        return f"```sh\n{found['commands']}```\n\n```console\n{said}```\n"

    page = re.sub(
        r"<!-- (?P<name>[a-z._]+|first plan) -->\n|```sh run\n(?P<commands>.*?)```\n", made, text, flags=re.DOTALL
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
