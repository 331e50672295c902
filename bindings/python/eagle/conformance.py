"""python -m eagle conformance <file> [options]: the installed program eagle-conformance, with these arguments."""

import subprocess
import sys
from pathlib import Path

from . import _core


def program() -> Path:
    """The program that a package or a CMake install has beside libeagle."""
    library = Path(_core.library_path())
    places = [library / "bin" / "eagle-conformance", *(p / "bin" / "eagle-conformance" for p in library.parents[:2])]
    for place in places:
        if place.is_file():
            return place
    tried = ", ".join(f"'{place}'" for place in places)
    raise FileNotFoundError(
        f"eagle: no eagle-conformance is installed; tried {tried}. Install the component sdk of eagle"
    )


def main(arguments: list[str]) -> int:
    """The program's exit status: 0 all passed, 1 a row failed, 2 cannot judge, 3 a demanded row did not run."""
    try:
        command = [str(program()), *arguments]
    except FileNotFoundError as error:
        print(error, file=sys.stderr)
        return 2
    return subprocess.call(command)
