"""The arrows of the tree hold, and a planted wrong one is found with its file and line."""

from pathlib import Path

import pytest
from arrows import Breach, cpp_files, import_breaches, imports_of, include_breaches, kind_breaches, part_of

ROOT = Path(__file__).resolve().parents[3]


def shown(breaches: list[Breach]) -> str:
    return "\n".join(str(breach) for breach in breaches)


def test_includes_go_the_right_way() -> None:
    breaches = include_breaches(ROOT)
    assert not breaches, shown(breaches)


def test_core_names_no_kind() -> None:
    breaches = kind_breaches(ROOT)
    assert not breaches, shown(breaches)


def test_imports_go_the_right_way() -> None:
    breaches = import_breaches(ROOT / "bindings/python")
    assert not breaches, shown(breaches)


def test_every_part_was_looked_at() -> None:
    parts = {part_of(path.relative_to(ROOT).as_posix()) for path in cpp_files(ROOT)}
    assert {
        "seam",
        "marshal",
        "marshal's own",
        "core",
        "core's own",
        "programs",
        "conformance",
        "backends/common",
        "backends/cpu",
        "backends/cuda",
        "backends/hip",
        "binding/common",
        "hawk._native",
        "eagle._core",
        "hawk's headers",
    } <= parts


def write(root: Path, name: str, text: str) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A small tree without a breach."""
    write(tmp_path, "seam/include/eagle/seam/eagle_backend.h", "#include <stdint.h>\n")
    write(tmp_path, "seam/include/eagle/seam/device_kinds.def", "EAGLE_DEVICE_KIND(2,  cuda)\n")
    write(tmp_path, "core/marshal/include/eagle/Error.h", "#include <string>\n")
    write(tmp_path, "core/marshal/src/Text.h", "#include <eagle/Error.h>\n")
    write(tmp_path, "core/include/eagle/Plan.h", "#include <eagle/Error.h>\n#include <eagle/config.h>\n")
    write(tmp_path, "core/src/backend/Table.h", "#include <eagle/seam/eagle_backend.h>\n#include <eagle/Plan.h>\n")
    write(tmp_path, "conformance/include/eagle/conformance/Seam.h", "#include <eagle/seam/eagle_backend.h>\n")
    write(tmp_path, "conformance/src/rows/core.cpp", "#include <eagle/conformance/Seam.h>\n")
    write(tmp_path, "backends/common/host/Team.h", "#include <thread>\n")
    write(tmp_path, "backends/cpu/Exec.cpp", '#include "../common/host/Team.h"\n')
    write(tmp_path, "backends/cuda/Exec.h", "#include <eagle/seam/eagle_backend.h>\n")
    write(tmp_path, "bindings/python/src/common/Import.h", "#include <Python.h>\n#include <eagle/Error.h>\n")
    write(tmp_path, "bindings/python/src/native/Kernel.cpp", '#include "../common/Import.h"\n')
    write(tmp_path, "bindings/python/src/core/Plan.cpp", '#include <eagle/Plan.h>\n#include "../common/Import.h"\n')
    write(tmp_path, "bindings/python/hawk/include/hawk/pack.h", "#include <cstdint>\n")
    write(tmp_path, "bindings/python/raptor/__init__.py", "import json\n")
    write(tmp_path, "bindings/python/hawk/__init__.py", "import numpy\nimport raptor\nfrom . import kernel\n")
    write(tmp_path, "bindings/python/hawk/kernel.py", "from hawk import _native\n")
    write(tmp_path, "bindings/python/eagle/__init__.py", "import numpy\nfrom . import _core\n")
    write(tmp_path, "bindings/python/eagle/demo.py", "import hawk\nimport matplotlib\nfrom . import _demo_kernel\n")
    write(tmp_path, "bindings/python/eagle/deploy.py", "def deploy(kernel):\n    import hawk\n    return hawk\n")
    return tmp_path


def test_a_right_tree_has_no_breach(tree: Path) -> None:
    assert include_breaches(tree) == []
    assert kind_breaches(tree) == []
    assert import_breaches(tree / "bindings/python") == []


@pytest.mark.parametrize(
    ("file", "include", "words"),
    [
        ("seam/include/eagle/seam/more.h", "<eagle/Error.h>", "seam includes eagle/Error.h of marshal"),
        ("seam/include/eagle/seam/more.h", "<stdlib.h>", "it may include stdint.h alone"),
        ("core/marshal/src/Pack.cpp", "<eagle/Plan.h>", "marshal's own includes eagle/Plan.h of core"),
        ("core/marshal/src/Pack.cpp", "<eagle/seam/eagle_backend.h>", "of seam"),
        ("core/include/eagle/More.h", '"backend/Table.h"', "core includes backend/Table.h of core's own"),
        (
            "core/include/eagle/More.h",
            "<eagle/seam/eagle_backend.h>",
            "core includes eagle/seam/eagle_backend.h of seam",
        ),
        ("core/src/exec/Run.cpp", '"../../../backends/common/host/Team.h"', "of backends/common"),
        ("core/src/exec/Run.cpp", "<Python.h>", "core's own includes Python.h; it may know nothing of Python"),
        ("core/src/exec/Run.cpp", '"hawk/pack.h"', "core's own includes hawk/pack.h of hawk's headers"),
        ("conformance/src/More.cpp", "<eagle/Plan.h>", "conformance includes eagle/Plan.h of core"),
        ("conformance/src/More.cpp", "<eagle/Error.h>", "of marshal"),
        ("conformance/src/More.cpp", '"../../backends/common/host/Team.h"', "of backends/common"),
        ("backends/cpu/More.cpp", "<eagle/conformance/Seam.h>", "of conformance"),
        ("backends/cpu/More.cpp", "<eagle/Plan.h>", "backends/cpu includes eagle/Plan.h of core"),
        ("backends/cpu/More.cpp", '"../cuda/Exec.h"', "backends/cpu includes ../cuda/Exec.h of backends/cuda"),
        ("backends/common/host/More.cpp", "<eagle/Error.h>", "backends/common includes eagle/Error.h of marshal"),
        ("backends/cpu/More.cpp", "<nanobind/nanobind.h>", "it may know nothing of Python"),
        ("bindings/python/src/native/More.cpp", "<eagle/Plan.h>", "hawk._native includes eagle/Plan.h of core"),
        (
            "bindings/python/src/core/More.cpp",
            '"backend/Table.h"',
            "eagle._core includes backend/Table.h of core's own",
        ),
        ("bindings/python/hawk/include/hawk/more.h", "<eagle/Error.h>", "hawk's headers includes eagle/Error.h"),
    ],
)
def test_a_planted_include_is_found(tree: Path, file: str, include: str, words: str) -> None:
    write(tree, file, f"// Why.\n#include <vector>\n#  include {include}\n")
    (breach,) = include_breaches(tree)
    assert (breach.file, breach.line) == (file, 3)
    assert words in breach.text
    assert str(breach).startswith(f"{file}:3: ")


@pytest.mark.parametrize("code", ['load("cuda");', 'open("libeagle_cuda.so");', 'k == "cpu"'])
def test_a_planted_kind_is_found(tree: Path, code: str) -> None:
    write(
        tree,
        "core/src/exec/Run.cpp",
        f'// "cuda" in a comment\n/* "cpu"\n"hip" */\n{code}  // "cuda"\nsay("not cuda");\n',
    )
    (breach,) = kind_breaches(tree)
    assert (breach.file, breach.line) == ("core/src/exec/Run.cpp", 4)
    assert "core names the kind" in breach.text


@pytest.mark.parametrize(
    ("file", "code", "words"),
    [
        ("raptor/more.py", "import numpy", "raptor imports numpy; it may import the standard library alone"),
        ("raptor/more.py", "def f():\n    from hawk import kernel", "raptor imports hawk"),
        ("hawk/more.py", "import eagle", "it never imports eagle"),
        ("hawk/more.py", "def f():\n    from eagle.deploy import deploy", "hawk imports eagle.deploy"),
        ("hawk/more.py", "import importlib\nx = importlib.import_module('eagle._core')", "hawk imports eagle._core"),
        ("hawk/ir/more.py", "from .. import kernel\nx = __import__('eagle')", "never imports eagle"),
        ("hawk/more.py", "import matplotlib", "what is optional is imported inside a function"),
        ("eagle/more.py", "def f():\n    import hawk", "eagle imports hawk; it may import hawk only inside deploy"),
        ("eagle/deploy.py", "import hawk", "it may import hawk only inside deploy"),
        ("eagle/more.py", "def f():\n    from . import _demo_kernel", "which holds a command"),
        ("eagle/more.py", "from .doctor import main", "eagle imports eagle.doctor, which holds a command"),
        ("eagle/more.py", "import tqdm", "eagle imports tqdm when it is imported"),
    ],
)
def test_a_planted_import_is_found(tree: Path, file: str, code: str, words: str) -> None:
    write(tree / "bindings/python", file, f"import os\n\n{code}\n")
    (breach,) = import_breaches(tree / "bindings/python")
    line = 2 + len(code.splitlines())
    assert (breach.file, breach.line) == (file, line)
    assert words in breach.text


def test_relative_imports_are_read_in_full() -> None:
    text = "from . import a\nfrom .b import c\nfrom ..d import e\nfrom ... import f\n"
    assert [i.module for i in imports_of(text, "p.q.r")] == ["p.q.r", "p.q.r.b", "p.q.d", "p"]
