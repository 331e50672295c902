"""Every shipped library keeps to its list, and a library that does not is found out by name."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import wall

LIBRARIES = wall.shipped(wall.installed_packages())


def build(folder: Path, code: str, *flags: str) -> Path:
    """A small shared library of C."""
    source, library = folder / "broken.c", folder / "libbroken.so"
    source.write_text(code, encoding="utf-8")
    compiler = os.environ.get("CC", "cc")
    subprocess.run([compiler, "-shared", "-fPIC", "-o", str(library), str(source), *flags], check=True)
    return library


def listed(folder: Path, *lines: str) -> Path:
    path = folder / "broken.txt"
    path.write_text("\n".join(("# What may be.", "needs libc.so.6", *lines)) + "\n", encoding="utf-8")
    return path


def test_the_libraries_are_there() -> None:
    assert set(LIBRARIES) == {path.name for path in wall.LISTS.glob("*.txt")}
    assert {"eagle.libeagle.txt", "eagle.libeagle_cpu.txt", "eagle._core.txt", "hawk._native.txt"} <= set(LIBRARIES)


@pytest.mark.parametrize("name", sorted(LIBRARIES))
def test_a_library_keeps_to_its_list(name: str) -> None:
    texts = wall.problems(LIBRARIES[name], wall.LISTS / name)
    assert not texts, "\n".join(texts)


# Which part may know which, whatever the lists say.
@pytest.mark.parametrize(
    ("name", "never"),
    [
        ("eagle.libeagle.txt", ("Py", "libpython")),
        ("eagle.libeagle_cpu.txt", ("Py", "libpython", "eagle::", "libeagle")),
        ("kinds/libeagle_cuda.txt", ("Py", "libpython", "eagle::", "libeagle", "cu", "libcuda")),
        ("kinds/libeagle_hip.txt", ("Py", "libpython", "eagle::", "libeagle", "hip", "hsa", "libamdhip64")),
        ("hawk._native.txt", ("libpython", "eagle::", "libeagle")),
        ("eagle._core.txt", ("libpython",)),
    ],
)
def test_the_lists_keep_the_arrows(name: str, never: tuple[str, ...]) -> None:
    faces = wall.faces_listed((wall.LISTS / name).read_text(encoding="utf-8"))
    assert not [entry for entry in faces.needs | faces.uses for word in never if entry.startswith(word)]


def test_the_modules_give_out_their_start_alone() -> None:
    for name, start in (("eagle._core.txt", "PyInit__core"), ("hawk._native.txt", "PyInit__native")):
        assert wall.faces_listed((wall.LISTS / name).read_text(encoding="utf-8")).exports == {start}


def test_a_good_build_is_green(tmp_path: Path) -> None:
    library = build(tmp_path, "int answer(void) { return 42; }")
    assert wall.problems(library, listed(tmp_path, "exports answer")) == []


@pytest.mark.parametrize(
    ("code", "flags", "words"),
    [
        (
            "int answer(void) { return 42; } int more(void) { return 1; }",
            (),
            "exports more, which broken.txt does not list",
        ),
        ("int other_answer;", (), "does not export answer, which broken.txt lists"),
        (
            "int system(const char*); int answer(void) { return system(0); }",
            (),
            "uses system, which broken.txt does not list",
        ),
        (
            "int answer(void) { return 42; }",
            ("-Wl,--no-as-needed", "-lm"),
            "needs the library libm.so.6, which broken.txt does not list",
        ),
    ],
)
def test_a_broken_build_is_red(tmp_path: Path, code: str, flags: tuple[str, ...], words: str) -> None:
    library = build(tmp_path, code, *flags)
    (text,) = [t for t in wall.problems(library, listed(tmp_path, "exports answer")) if "other_answer" not in t]
    assert text.startswith(f"{library} {words}; ")
    assert text.endswith("re-make the list with `python tests/python/abi/wall.py --remake`")


def test_a_renamed_export_of_the_real_backend_is_red(tmp_path: Path) -> None:
    library = tmp_path / "libeagle_cpu.so"
    content = LIBRARIES["eagle.libeagle_cpu.txt"].read_bytes()
    library.write_bytes(content.replace(b"\0eagle_backend_probe\0", b"\0eagle_backend_prOBE\0"))
    texts = wall.problems(library, wall.LISTS / "eagle.libeagle_cpu.txt")
    assert [text.split("; ")[0].removeprefix(f"{library} ") for text in texts] == [
        "exports eagle_backend_prOBE, which eagle.libeagle_cpu.txt does not list",
        "does not export eagle_backend_probe, which eagle.libeagle_cpu.txt lists",
    ]


def test_a_library_without_a_list_is_red(tmp_path: Path) -> None:
    library = build(tmp_path, "int answer(void) { return 42; }")
    (text,) = wall.problems(library, tmp_path / "none.txt")
    assert "is shipped and has no list" in text and str(library) in text


def test_every_file_of_the_packages_that_is_a_library_counts(tmp_path: Path) -> None:
    (tmp_path / "eagle/deep").mkdir(parents=True)
    shutil.copy(LIBRARIES["eagle.libeagle.txt"], tmp_path / "eagle/deep/helper")
    (tmp_path / "eagle/note.so").write_text("no library", encoding="utf-8")
    assert wall.shipped(tmp_path) == {"eagle.helper.txt": tmp_path / "eagle/deep/helper"}


def test_the_lists_are_not_remade_where_ci_is_set() -> None:
    before = {path: path.read_bytes() for path in wall.LISTS.rglob("*.txt")}
    done = subprocess.run(
        [sys.executable, wall.__file__, "--remake"], env={**os.environ, "CI": "1"}, capture_output=True, text=True
    )
    assert done.returncode == 1
    assert "the lists are not re-made where CI is set" in done.stderr
    assert {path: path.read_bytes() for path in wall.LISTS.rglob("*.txt")} == before
