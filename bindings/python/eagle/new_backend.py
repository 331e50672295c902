"""python -m eagle new-backend <kind> <folder>: the backend of kind `null`, copied and renamed."""

import re
import shlex
import sys
from pathlib import Path

from . import _core

TEMPLATE = "null"
# Words with a meaning of their own where a kind is expected.
RESERVED = {TEMPLATE: "is the one that is copied", "gpu": "means the one GPU kind that is installed"}
_NAME = re.compile(rf"(?<![A-Za-z0-9]){TEMPLATE}(?![A-Za-z0-9])")
_VARIABLE = re.compile(rf"\bEAGLE_BACKEND_{TEMPLATE.upper()}\b")


def template() -> Path:
    """The folder of the sources that are copied."""
    return Path(_core.library_path()) / "share" / "eagle" / "backends" / TEMPLATE


def _require_kind(kind: str) -> None:
    _core.backend_variable(kind)
    if kind in RESERVED:
        raise ValueError(f"eagle: the kind '{kind}' {RESERVED[kind]}; name a kind of your own, such as 'level_zero'")
    if kind in _core.installed_kinds():
        raise ValueError(
            f"eagle: the kind '{kind}' exists, `python -m eagle doctor` shows its file; name another kind, or remove "
            f"that file (unset ${_core.backend_variable(kind)} where that names it)"
        )


def _require_folder(folder: Path) -> None:
    if not folder.parent.is_dir():
        raise ValueError(f"eagle: '{folder.parent}' is no folder; make it first, then ask for '{folder}' again")
    if folder.is_symlink() or folder.exists():
        if not folder.is_dir():
            raise ValueError(f"eagle: '{folder}' is there and no folder; name an empty folder or one that is not there")
        held = sorted(path.name for path in folder.iterdir())
        if held:
            raise ValueError(
                f"eagle: the folder '{folder}' is not empty, it holds '{held[0]}'; "
                "name an empty folder or one that is not there"
            )


def create(kind: str, folder: Path) -> list[Path]:
    """Writes the sources of a backend of `kind` into `folder`, which is empty or not there; the files written.

    ValueError, before anything is written, for a kind that is none or exists and for a folder that cannot be used;
    FileNotFoundError where the installed package has lost the sources to copy.
    """
    _require_kind(kind)
    _require_folder(folder)

    def renamed(text: str) -> str:
        return _VARIABLE.sub(_core.backend_variable(kind), _NAME.sub(kind, text))

    sources = sorted(path for path in template().glob("*") if path.is_file())
    if not sources:
        raise FileNotFoundError(f"eagle: {template()} holds no sources to copy; install eagle again")
    texts = {renamed(path.name): renamed(path.read_text(encoding="utf-8")) for path in sources}
    folder.mkdir(exist_ok=True)
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return [folder / name for name in texts]


def next_commands(kind: str, folder: Path) -> list[str]:
    """Shell commands that build the backend in `folder` and show what eagle says of it."""
    python = shlex.quote(sys.executable)
    build = folder / "build"
    library = build / f"libeagle_{kind}.so"
    return [
        f"cmake -S {shlex.quote(str(folder))} -B {shlex.quote(str(build))} "
        f"{shlex.quote(f'-Deagle_ROOT={_core.library_path()}')}",
        f"cmake --build {shlex.quote(str(build))}",
        f"{_core.backend_variable(kind)}={shlex.quote(str(library))} {python} -m eagle doctor",
    ]


def _unwritten(folder: Path, error: Exception) -> str:
    return f"eagle: the sources cannot be written to '{folder}' ({error}); name a folder that can be written"


def main(kind: str, folder: Path) -> int:
    """Writes the sources and prints the commands that come next; 2, with a reason, when that is refused."""
    folder = folder.absolute()
    try:
        files = create(kind, folder)
    except (ValueError, OSError) as error:
        # One of this module's own has no number of the system's.
        of_system = isinstance(error, OSError) and error.errno is not None
        print(_unwritten(folder, error) if of_system else error, file=sys.stderr)
        return 2
    print(f"a backend of kind {kind} is in {folder}: {', '.join(file.name for file in files)}")
    print("next, what it takes to build it and to see it loaded; README.md is the checklist from there:")
    for command in next_commands(kind, folder):
        print(f"  {command}")
    return 0
