"""The wall around each shipped library: what it gives out, and what it takes from the system.

A list stands in `lists/` for every library of the installed packages, one entry a line:

    exports <name>    of C its symbol; of namespace eagle its class or function, without its members
    needs <library>   one that the dynamic loader opens with it
    uses <name>       a function of the system, or what it takes of namespace eagle

Exports are all there and no others; needs and uses are the most that there may be: a compiler may do without one. What
a compiler or the C++ library puts in by itself is not listed. `python tests/python/abi/wall.py --remake` writes the
lists anew from the installed packages; with `--library FILE` that of one backend that they do not bring, in
`lists/kinds/`.
"""

import argparse
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

LISTS = Path(__file__).resolve().parent / "lists"
REMAKE = "python tests/python/abi/wall.py --remake"
# C++ runtime and library, start-up code, checked variants of a system's functions, thread-local storage.
MADE_BY_COMPILER = re.compile(
    r"_Z|_ITM_|_Unwind_|__cxa_|__gxx_|__gmon_start__$|__dso_handle$|__stack_chk|__tls_get_addr$|__popcount|__u?(?:div|mod)ti3$|__\w+_chk$|__isoc23_"
)
EAGLE = re.compile(r"\beagle::(?:(?:detail|marshal|seam)::)?\w+")


@dataclass(frozen=True)
class Faces:
    """What one library shows: entries as they stand in its list."""

    exports: frozenset[str]
    needs: frozenset[str]
    uses: frozenset[str]

    def lines(self) -> list[str]:
        """The list of exactly this."""
        parts = (("exports", self.exports), ("needs", self.needs), ("uses", self.uses))
        return [f"{word} {name}" for word, names in parts for name in sorted(names)]


def output_of(*command: str) -> str:
    """What a command of the binary utilities prints."""
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def symbols(file: Path, which: str) -> list[tuple[str, str]]:
    """Dynamic symbols as (name, demangled name), without their versions; the nodes of versions are none."""
    found = []
    for raw in output_of("nm", "-D", "-P", which, str(file)).splitlines():
        name, kind = raw.split()[:2]
        if kind != "A":
            found.append(re.sub("@.*", "", name))
    shown = output_of("c++filt", *found).splitlines() if found else []
    return list(zip(found, shown, strict=True))


def is_of_eagle(name: str, shown: str) -> bool:
    """Whether a C++ symbol belongs to namespace eagle itself, not to a template of the library over its types."""
    subject = re.sub(r"^(typeinfo name|typeinfo|vtable|VTT|guard variable|non-virtual thunk) (for|to) ", "", shown)
    return name.startswith("_Z") and subject.startswith("eagle::")


def entry_of(name: str, shown: str) -> str | None:
    """How a symbol stands in a list; None where it does not."""
    match = EAGLE.search(shown)
    if match and is_of_eagle(name, shown):
        return match[0]
    return None if MADE_BY_COMPILER.match(name) else name


def faces_of(file: Path) -> Faces:
    """What a library file shows."""
    # A C++ name that is exported stands in the list whatever it is.
    exports = {entry_of(n, s) or s for n, s in symbols(file, "--defined-only")}
    uses = {entry for n, s in symbols(file, "--undefined-only") if (entry := entry_of(n, s))}
    uses = {"Py*" if re.match("_?Py", name) else name for name in uses}
    needs = re.findall(r"\(NEEDED\)[^\n]*\[(.+)\]", output_of("readelf", "-dW", str(file)))
    return Faces(frozenset(exports), frozenset(needs), frozenset(uses))


def faces_listed(text: str) -> Faces:
    """What a list says."""
    found: dict[str, set[str]] = {"exports": set(), "needs": set(), "uses": set()}
    for line in text.splitlines():
        if line and not line.startswith("#"):
            word, name = line.split(" ", 1)
            found[word].add(name)
    return Faces(*(frozenset(found[word]) for word in ("exports", "needs", "uses")))


def problems(file: Path, listed: Path) -> list[str]:
    """Every difference between a library and its list, in words that name the file, the symbol and the way out."""
    end = f"; take it away, or where it is meant re-make the list with `{REMAKE}`"
    if not listed.is_file():
        return [f"{file} is shipped and has no list {listed}{end}"]
    found, may = faces_of(file), faces_listed(listed.read_text(encoding="utf-8"))
    texts = [
        f"{file} exports {name}, which {listed.name} does not list" for name in sorted(found.exports - may.exports)
    ]
    texts += [
        f"{file} does not export {name}, which {listed.name} lists" for name in sorted(may.exports - found.exports)
    ]
    texts += [
        f"{file} needs the library {name}, which {listed.name} does not list"
        for name in sorted(found.needs - may.needs)
    ]
    texts += [f"{file} uses {name}, which {listed.name} does not list" for name in sorted(found.uses - may.uses)]
    return [text + end for text in texts]


def shipped(packages: Path) -> dict[str, Path]:
    """Every library and program of the installed packages, by the name of its list."""
    found = {}
    for package in ("eagle", "hawk", "raptor"):
        for file in sorted((packages / package).rglob("*")):
            if file.is_file() and not file.is_symlink():
                with file.open("rb") as opened:
                    if opened.read(4) == b"\x7fELF":
                        name = re.sub(r"\.(cpython-[^.]*|abi3)?\.?so$", "", file.name)
                        found[f"{package}.{name}.txt"] = file
    return found


def backend(file: Path) -> dict[str, Path]:
    """One backend that the packages do not bring, by the name of its list."""
    return {f"kinds/{file.stem}.txt": file}


def remake(files: dict[str, Path]) -> None:
    """Writes the list of every library. Refused where CI is set: a list is read before it is committed."""
    if os.environ.get("CI"):
        sys.exit(
            f"wall: the lists are not re-made where CI is set; run `{REMAKE}` on your machine and read the difference"
        )
    for name, file in files.items():
        (LISTS / name).write_text("\n".join(faces_of(file).lines()) + "\n", encoding="utf-8")
        print(f"wrote {LISTS / name}")


def installed_packages() -> Path:
    """The folder that holds the installed package eagle."""
    import eagle

    return Path(eagle.__file__).resolve().parent.parent


def main() -> None:
    """The command that re-makes the lists, or says what differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--remake", action="store_true", help="write the lists from the installed packages")
    parser.add_argument("--library", type=Path, help="this backend alone, in place of the installed packages")
    chosen = parser.parse_args()
    files = backend(chosen.library) if chosen.library else shipped(installed_packages())
    if chosen.remake:
        return remake(files)
    sys.exit("\n".join(text for name, file in files.items() for text in problems(file, LISTS / name)) or 0)


if __name__ == "__main__":
    main()
