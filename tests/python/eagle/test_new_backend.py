"""A backend of one's own, made, built and loaded outside the tree, against the installed package alone."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from programs import environment, run

import eagle
from eagle import __main__, _core, new_backend

BIN = Path(sys.executable).parent
CPU = Path(_core.library_path()) / "libeagle_cpu.so"
EXTRA = """
__attribute__((visibility("default"))) int eagle_backend_spin(void);
int eagle_backend_spin(void) { return 0; }
"""


def surroundings(**changes):
    """Where `python` and `cmake` are those of this test."""
    return environment(PATH=os.pathsep.join([str(BIN), os.environ["PATH"]]), **changes)


def shell(command, folder=None):
    return subprocess.run(
        command, shell=True, cwd=folder, env=surroundings(), capture_output=True, text=True, timeout=120
    )


def refused(capsys, kind, folder):
    """What the command says, having written nothing."""
    before = sorted(folder.parent.rglob("*"))
    assert __main__.main(["new-backend", kind, str(folder)]) == 2
    assert sorted(folder.parent.rglob("*")) == before
    return capsys.readouterr().err


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The folder of a backend of kind zzz, and what its making printed."""
    folder = tmp_path_factory.mktemp("kit") / "Räder aus Holz"
    done = subprocess.run(
        [sys.executable, "-m", "eagle", "new-backend", "zzz", str(folder)],
        env=environment(),
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return folder, done.stdout


@pytest.fixture(scope="module")
def built(made):
    """The folder, its library, and what the last of the printed commands, the doctor, said."""
    folder, said = made
    commands = [line.strip() for line in said.splitlines() if line.startswith("  ")]
    assert len(commands) == 3
    for command in commands:
        done = shell(command)
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return folder, folder / "build" / "libeagle_zzz.so", done.stdout


def rebuilt(folder, tmp_path, change):
    """The library of a copy whose source `change` has changed, or what its build said when that failed."""
    copy = tmp_path / "a copy"
    shutil.copytree(folder, copy, ignore=shutil.ignore_patterns("build"))
    source = copy / "zzz.c"
    source.write_text(change(source.read_text()))
    done = shell(f"cmake -S . -B build '-Deagle_ROOT={_core.library_path()}' && cmake --build build", copy)
    said = done.stdout + done.stderr
    return copy / "build" / "libeagle_zzz.so" if done.returncode == 0 else said


def test_the_copy_bears_its_own_name_alone(made):
    folder, said = made
    assert sorted(path.name for path in folder.iterdir()) == ["CMakeLists.txt", "README.md", "zzz.c"]
    assert said.startswith(f"a backend of kind zzz is in {folder}: CMakeLists.txt, README.md, zzz.c\n")
    for path in folder.iterdir():
        text = path.read_text()
        assert not re.search(r"(?<![A-Za-z])null(?![A-Za-z])|EAGLE_BACKEND_NULL", text)
    assert 'static const char kind[] = "zzz";' in (folder / "zzz.c").read_text()
    assert "info == NULL" in (folder / "zzz.c").read_text()
    assert "EAGLE_BACKEND_ZZZ=" in (folder / "README.md").read_text()


def test_the_printed_commands_build_it_and_the_doctor_lists_it(built):
    _, library, said = built
    (line,) = [line for line in said.splitlines() if line.startswith("  zzz: ")]
    assert line.startswith(f"  zzz: eagle-backend/1.7, eagle {eagle.__version__}, no usable device: ")
    assert line.endswith(f"drives no device; it answers what is required and no more, {library}")
    assert "groups: none; DLPack device types: none" in said
    assert "zzz, $EAGLE_BACKEND_ZZZ: " in said


def test_the_commands_of_its_readme_do_what_it_says(built):
    folder, _, _ = built
    blocks = re.findall(r"```sh\n(.*?)```", (folder / "README.md").read_text(), re.DOTALL)
    build, doctor, put, judge = blocks
    done = shell(build, folder)
    assert done.returncode == 0, done.stderr
    done = shell(doctor, folder)
    assert done.returncode == 0, done.stderr
    assert "zzz: eagle-backend/1." in done.stdout
    assert put == 'cp build/libeagle_zzz.so "$(python -m eagle --prefix)"\n'
    done = shell(judge, folder)
    assert done.returncode == 0, done.stderr
    assert "# zzz: eagle-backend/1." in done.stdout
    assert "ok 1 - core-build-info\n" in done.stdout


def test_eagle_knows_it_by_its_variable(built):
    _, library, _ = built
    said = run(
        """
        import eagle
        (info,) = [info for info in eagle.backends() if info.kind == "zzz"]
        print(info.loaded, info.usable, info.abi, info.groups, info.capabilities, info.device_types, info.device_count)
        print(info.path)
        print([info.usable for info in eagle.backends() if info.kind == "cpu"])
        """,
        EAGLE_BACKEND_ZZZ=library,
    )
    assert said.splitlines() == ["True False 1.7 [] 0 [] 0", str(library), "[True]"]


def test_a_call_of_a_group_it_lacks_is_refused_by_name(built, tmp_path):
    _, library, _ = built
    source = tmp_path / "stream.cpp"
    source.write_text(
        """
        #include <eagle/Backend.h>
        #include <eagle/Error.h>
        #include <eagle/Stream.h>
        #include <iostream>
        int main() try {
            const eagle::Stream stream(eagle::Backend::load("zzz"));
        } catch (const eagle::BackendUnavailable& error) {
            std::cout << error.what() << std::endl;
        }
        """
    )
    package = Path(_core.library_path())
    program = tmp_path / "stream"
    compiler = [os.environ.get("CXX", "c++"), "-std=c++20", f"-I{package / 'include'}"]
    subprocess.run([*compiler, source, "-o", program, package / "libeagle.so", f"-Wl,-rpath,{package}"], check=True)
    done = subprocess.run(
        [program], env=environment(EAGLE_BACKEND_ZZZ=library), check=True, capture_output=True, text=True
    )
    assert "'zzz'" in done.stdout
    assert str(library) in done.stdout
    assert "does not provide stream" in done.stdout


def test_a_name_too_many_fails_its_build(made, tmp_path):
    said = rebuilt(made[0], tmp_path, lambda text: text + EXTRA)
    assert isinstance(said, str)
    assert "eagle_backend_spin is exported and not in symbols.def" in " ".join(said.split())


def test_a_symbol_too_few_fails_its_build(made, tmp_path):
    said = rebuilt(made[0], tmp_path, lambda text: text.replace("eagle_backend_probe(void)", "look(void)"))
    assert isinstance(said, str)
    assert "eagle_backend_probe is required of every backend and missing" in " ".join(said.split())


def test_a_bit_without_its_functions_is_refused_by_name(made, tmp_path):
    library = rebuilt(
        made[0],
        tmp_path,
        lambda text: text.replace("groups_provided = 0", "groups_provided = EAGLE_BACKEND_CAP_STREAM"),
    )
    assert isinstance(library, Path)
    said = run(
        "from eagle import _core; print(_core.cuda_backend('zzz')['message'])",
        EAGLE_BACKEND_ZZZ=library,
    )
    assert "promises the group stream by its capability bit, but does not export eagle_backend_stream_create" in said


def test_the_doctor_tells_of_a_type_that_is_another_kinds(made, tmp_path):
    library = rebuilt(
        made[0], tmp_path, lambda text: text.replace("*count = 0;", "*count = 1;\n    if (cap > 0) types[0] = 2;")
    )
    said = run("from eagle import __main__; __main__.main(['doctor'])", EAGLE_BACKEND_ZZZ=library)
    assert "types: 2 (cuda, to which its arrays go: serve a type that is not another kind's)\n" in said
    assert "types: 1 (cpu)\n" in said


@pytest.mark.parametrize("kind", ["CPU", "2d", "a-b", "../zzz", "", "abcdefghijklmnop", "zzz\n"])
def test_a_name_that_is_no_kind(kind, tmp_path, capsys):
    said = refused(capsys, kind, tmp_path / "folder")
    assert f"'{kind}' is no name of a backend kind" in said
    assert "[a-z][a-z0-9_]*" in said


def test_a_kind_that_exists(tmp_path, capsys, monkeypatch):
    said = refused(capsys, "cpu", tmp_path / "folder")
    assert "the kind 'cpu' exists" in said
    assert "python -m eagle doctor" in said
    monkeypatch.setenv("EAGLE_BACKEND_ZZZ", str(CPU))
    said = refused(capsys, "zzz", tmp_path / "folder")
    assert "the kind 'zzz' exists" in said
    assert "unset $EAGLE_BACKEND_ZZZ" in said


def test_a_word_with_a_meaning_is_no_kind_of_ones_own(tmp_path, capsys):
    assert "'null' is the one that is copied; name a kind of your own" in refused(capsys, "null", tmp_path / "folder")
    assert "'gpu' means the one GPU kind that is installed" in refused(capsys, "gpu", tmp_path / "folder")


def test_a_kind_that_eagle_knows_and_nobody_has_written(tmp_path):
    assert __main__.main(["new-backend", "metal", str(tmp_path / "metal")]) == 0
    assert (tmp_path / "metal" / "metal.c").is_file()


def test_a_folder_that_holds_something(tmp_path, capsys):
    (tmp_path / "kept.txt").write_text("kept")
    said = refused(capsys, "zzz", tmp_path)
    assert f"the folder '{tmp_path}' is not empty, it holds 'kept.txt'" in said
    assert "name an empty folder" in said


def test_an_empty_folder_is_taken_and_a_relative_one_is_meant_from_here(tmp_path, monkeypatch, capsys):
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path)
    assert __main__.main(["new-backend", "zzz", "empty"]) == 0
    assert (tmp_path / "empty" / "zzz.c").is_file()
    assert f"is in {tmp_path / 'empty'}: " in capsys.readouterr().out


def test_a_file_in_the_folders_place(tmp_path, capsys):
    (tmp_path / "file").write_text("kept")
    said = refused(capsys, "zzz", tmp_path / "file")
    assert f"'{tmp_path / 'file'}' is there and no folder" in said


def test_a_folder_that_cannot_be_made(tmp_path, capsys):
    name = "x" * 300
    said = refused(capsys, "mine", tmp_path / name)
    assert f"eagle: the sources cannot be written to '{tmp_path / name}' ([Errno 36] File name too long" in said
    assert "name a folder that can be written" in said


def test_a_parent_that_is_not_there(tmp_path, capsys):
    said = refused(capsys, "zzz", tmp_path / "nowhere" / "zzz")
    assert f"'{tmp_path / 'nowhere'}' is no folder; make it first" in said


def test_a_package_that_lost_the_sources(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(new_backend, "template", lambda: tmp_path / "lost")
    said = refused(capsys, "zzz", tmp_path / "folder")
    assert f"{tmp_path / 'lost'} holds no sources to copy; install eagle again" in said


def test_the_kind_to_copy_is_no_kind_that_is_installed():
    assert "null" not in _core.installed_kinds()
    assert sorted(path.name for path in new_backend.template().iterdir()) == ["CMakeLists.txt", "README.md", "null.c"]
