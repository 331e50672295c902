"""Who may know whom: breaches of the arrows between the parts of the tree, found in includes and imports.

A breach is (file, line, text); `file` is relative to the root that was looked at.
"""

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
CPP_SUFFIXES = {".h", ".c", ".cpp", ".def"}
# Folders that a C++ name is looked for in, after the folder of the including file.
INCLUDE_FOLDERS = (
    "seam/include",
    "core/include",
    "core/marshal/include",
    "conformance/include",
    "core/src",
    "core/marshal/src",
    "bindings/python/src",
    "bindings/python/hawk/include",
)
# Part of the tree, by the first prefix that fits. A kind's folder is a part of its own.
PARTS = (
    ("seam/", "seam"),
    ("core/marshal/include/", "marshal"),
    ("core/marshal/", "marshal's own"),
    ("core/include/", "core"),
    ("core/programs/", "programs"),
    ("core/", "core's own"),
    ("conformance/", "conformance"),
    ("backends/common/", "backends/common"),
    ("bindings/python/src/common/", "binding/common"),
    ("bindings/python/src/native/", "hawk._native"),
    ("bindings/python/src/core/", "eagle._core"),
    ("bindings/python/hawk/include/", "hawk's headers"),
)
MAY_INCLUDE = {
    "seam": {"seam"},
    "marshal": {"marshal"},
    "marshal's own": {"marshal", "marshal's own"},
    "core": {"core", "marshal"},
    "core's own": {"seam", "core", "marshal", "core's own"},
    "programs": {"core", "marshal", "programs"},
    "conformance": {"seam", "conformance"},
    "backends/common": {"seam", "backends/common"},
    "binding/common": {"marshal", "binding/common"},
    "hawk._native": {"marshal", "binding/common", "hawk._native"},
    "eagle._core": {"core", "marshal", "binding/common", "eagle._core"},
    "hawk's headers": {"hawk's headers"},
}
# A C++ user has all of libeagle without Python.
WITHOUT_PYTHON = {
    "seam",
    "marshal",
    "marshal's own",
    "core",
    "core's own",
    "programs",
    "conformance",
    "hawk's headers",
}
PYTHON_HEADER = re.compile(r"^(Python\.h|nanobind/|pybind11/|numpy/)")
# The contract is plain C: these and nothing else of the system.
SEAM_MAY_INCLUDE_OF_THE_SYSTEM = {"stdint.h"}
MADE_BY_CMAKE = {"eagle/config.h": "core"}


@dataclass(frozen=True)
class Breach:
    """One arrow that goes the wrong way."""

    file: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.text}"


def part_of(path: str) -> str | None:
    """The part that a file belongs to, by its path from the root; None outside all of them."""
    for prefix, part in PARTS:
        if path.startswith(prefix):
            return part
    if path.startswith("backends/") and path.count("/") >= 2:
        return "backends/" + path.split("/")[1]
    return None


def may_include(part: str) -> set[str]:
    """Parts that a part's files may include."""
    if part in MAY_INCLUDE:
        return MAY_INCLUDE[part]
    return {"seam", "backends/common", part}


def resolve(root: Path, file: Path, name: str) -> str | None:
    """The part that an included name belongs to; None for one of the system or of another project."""
    if name in MADE_BY_CMAKE:
        return MADE_BY_CMAKE[name]
    for folder in (file.parent, *(root / f for f in INCLUDE_FOLDERS)):
        found = (folder / name).resolve()
        if found.is_file() and found.is_relative_to(root):
            return part_of(found.relative_to(root).as_posix())
    return None


def cpp_files(root: Path) -> Iterator[Path]:
    """Sources and headers of the parts."""
    for folder in ("seam", "core", "conformance", "backends", "bindings"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in CPP_SUFFIXES and part_of(path.relative_to(root).as_posix()) is not None:
                yield path


def include_fault(root: Path, file: Path, part: str, name: str) -> str | None:
    """What is wrong with one include, in words; None when nothing is."""
    target = resolve(root, file, name)
    if target is None:
        if (part in WITHOUT_PYTHON or part.startswith("backends/")) and PYTHON_HEADER.match(name):
            return f"{part} includes {name}; it may know nothing of Python"
        if part == "seam" and name.endswith(".h") and name not in SEAM_MAY_INCLUDE_OF_THE_SYSTEM:
            return f"seam includes {name}; it may include stdint.h alone"
        return None
    if target not in may_include(part):
        return f"{part} includes {name} of {target}; it may know {', '.join(sorted(may_include(part)))}"
    return None


def include_breaches(root: Path) -> list[Breach]:
    """Every include that a part may not make."""
    root = root.resolve()
    breaches = []
    for path in cpp_files(root):
        file = path.relative_to(root).as_posix()
        part = part_of(file)
        assert part is not None
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            match = INCLUDE.match(line)
            fault = include_fault(root, path, part, match[2]) if match else None
            if fault:
                breaches.append(Breach(file, number, fault))
    return breaches


def kinds(root: Path) -> set[str]:
    """Kinds that have a folder of their own or a line in device_kinds.def; not the one to copy, whose name is JSON's
    word too."""
    table = (root / "seam/include/eagle/seam/device_kinds.def").read_text(encoding="utf-8")
    named = set(re.findall(r"^EAGLE_DEVICE_KIND\(\s*\d+\s*,\s*(\w+)\s*\)", table, re.MULTILINE))
    folders = {p.name for p in (root / "backends").iterdir() if p.is_dir() and p.name not in ("common", "null")}
    return named | folders


def without_comments(text: str) -> str:
    """C++ text with its comments blanked, lines kept."""
    pattern = re.compile(r'"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?\*/', re.DOTALL)
    return pattern.sub(lambda m: m[0] if m[0].startswith('"') else re.sub(r"[^\n]", " ", m[0]), text)


def kind_breaches(root: Path) -> list[Breach]:
    """Every place where the core's logic names a kind: a string that is one, or a file of one.

    The header that fixes the kind of a graph executor, eagle/<kind>/Graph.h, names its own.
    """
    root = root.resolve()
    names = "|".join(sorted(kinds(root)))
    literal = re.compile(rf'"(?:{names})"|"(?:lib)?eagle_(?:{names})\b')
    breaches = []
    for path in cpp_files(root):
        file = path.relative_to(root).as_posix()
        if not file.startswith("core/"):
            continue
        for number, line in enumerate(without_comments(path.read_text(encoding="utf-8")).splitlines(), 1):
            for match in literal.finditer(line):
                if file == f"core/include/eagle/{match[0][1:-1]}/Graph.h":
                    continue
                breaches.append(Breach(file, number, f"core names the kind {match[0]}; it may name none in its logic"))
    return breaches


@dataclass(frozen=True)
class Import:
    """One import of a Python file: the module's full name, the functions it stands in, the names taken from it."""

    module: str
    line: int
    functions: tuple[str, ...]
    names: tuple[str, ...] = ()


def imports_of(text: str, package: str) -> list[Import]:
    """Imports of a Python text, wherever they stand, `import_module` and `__import__` of a constant included.

    `package` is the dotted package that the file belongs to, for relative imports.
    """
    found: list[Import] = []

    def visit(node: ast.AST, functions: tuple[str, ...]) -> None:
        if isinstance(node, ast.Import):
            found.extend(Import(alias.name, node.lineno, functions) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            names = tuple(alias.name for alias in node.names)
            found.append(Import(absolute(node, package), node.lineno, functions, names))
        elif isinstance(node, ast.Call) and (name := dynamic_import(node)):
            found.append(Import(name, node.lineno, functions))
        inner = functions
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            inner = (*functions, getattr(node, "name", "<lambda>"))
        for child in ast.iter_child_nodes(node):
            visit(child, inner)

    visit(ast.parse(text), ())
    return found


def absolute(node: ast.ImportFrom, package: str) -> str:
    """The full name of the module that a `from` import reads."""
    if node.level == 0:
        return node.module or ""
    base = package.split(".")[: len(package.split(".")) - node.level + 1]
    return ".".join([*base, *([node.module] if node.module else [])])


def dynamic_import(node: ast.Call) -> str | None:
    """The constant module name that a call imports; None when the call imports nothing that can be read here."""
    callee = node.func
    name = callee.id if isinstance(callee, ast.Name) else callee.attr if isinstance(callee, ast.Attribute) else ""
    first = node.args[0] if node.args else None
    if name in ("import_module", "__import__") and isinstance(first, ast.Constant) and isinstance(first.value, str):
        return first.value
    return None


def is_command(file: str) -> bool:
    """Whether a file of eagle is a command of `python -m eagle`: a user of the package, not a part of it."""
    return re.fullmatch(r"eagle/(__main__|doctor|_?demo\w*)\.py", file) is not None


def takes_a_command(found: Import) -> bool:
    """Whether an import reads a module that is a command."""
    modules = [found.module, *(f"{found.module}.{name}" for name in found.names)]
    return any(is_command(module.replace(".", "/") + ".py") for module in modules)


def import_fault(package: str, file: str, found: Import) -> str | None:
    """What is wrong with one import, in words; None when nothing is."""
    top = found.module.split(".")[0]
    lazy = bool(found.functions)
    if package == "eagle" and is_command(file):
        return None
    if takes_a_command(found):
        return f"{package} imports {found.module}, which holds a command; only commands import those"
    if top == package or top in sys.stdlib_module_names:
        return None
    if package == "raptor":
        return f"raptor imports {found.module}; it may import the standard library alone"
    if top == "raptor":
        return None
    if package == "hawk" and top == "eagle":
        return f"hawk imports {found.module}; it never imports eagle"
    if package == "eagle" and top == "hawk":
        inside = re.match(r"eagle/_?deploy(\.py|/)", file) and lazy
        return None if inside else f"eagle imports {found.module}; it may import hawk only inside deploy"
    if top == "numpy" or lazy:
        return None
    return f"{package} imports {found.module} when it is imported; what is optional is imported inside a function"


def import_breaches(packages: Path) -> list[Breach]:
    """Every import that a package may not make. `packages` is the folder that holds raptor, hawk and eagle."""
    breaches: list[Breach] = []
    for package in ("raptor", "hawk", "eagle"):
        for path in sorted((packages / package).rglob("*.py")):
            file = path.relative_to(packages)
            dotted = ".".join(file.parts[:-1])
            for found in imports_of(path.read_text(encoding="utf-8"), dotted):
                fault = import_fault(package, file.as_posix(), found)
                if fault:
                    breaches.append(Breach(file.as_posix(), found.line, fault))
    return breaches
