"""`python -m raptor check`: a whole folder, with nothing loaded."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from raptor.__main__ import main
from raptor.schema import check_folder, file_of_folder

CORPUS = Path(__file__).resolve().parents[2] / "corpus"
GOLDEN = Path(__file__).resolve().parents[2] / "golden" / "artifact"


@pytest.fixture
def folder(tmp_path):
    """The golden artifact, with empty files for what was compiled."""
    place = tmp_path / "made"
    shutil.copytree(GOLDEN, place)
    for path in list(place.glob("*.cpp")):
        path.with_suffix(".so").touch()
    return place


def edit(path, **changes):
    path.write_text(json.dumps({**json.loads(path.read_text()), **changes}))


def test_a_right_folder(folder, capsys):
    assert len(check_folder(folder)["plugins"]) == 4
    assert main(["check", str(folder), str(folder)]) == 0
    assert capsys.readouterr().out == f"{folder}: 4 records, as a writer writes them\n" * 2


@pytest.mark.parametrize(
    ("file", "changes", "words"),
    [
        ("affine.json", {"exec_access": "cross_sample_read"}, "'exec_access' is \"cross_sample_read\" (a string), the"),
        ("affine.json", {"note": 1}, "affine.json: has the unknown key 'note'"),
        ("manifest.json", {"note": 1}, "manifest.json: has the unknown key 'note'"),
        ("manifest.json", {"pattern": 3}, "'pattern' is 3"),
    ],
)
def test_a_wrong_document(folder, capsys, file, changes, words):
    edit(folder / file, **changes)
    with pytest.raises(ValueError) as caught:
        check_folder(folder)
    assert words in str(caught.value)
    assert main(["check", str(folder)]) == 1
    assert words in capsys.readouterr().err


def test_what_is_not_there(folder, capsys):
    (folder / "affine.so").unlink()
    with pytest.raises(ValueError, match=r"record 'affine' names 'affine\.so', no file"):
        check_folder(folder)
    (folder / "affine.json").unlink()
    assert main(["check", str(folder), str(folder / "nowhere")]) == 1
    said = capsys.readouterr().err
    assert "affine.json" in said and "nowhere" in said


def test_no_artifact(tmp_path, capsys):
    assert main(["check", str(tmp_path / "nowhere")]) == 1
    assert f"'{tmp_path}/nowhere' is no folder; an artifact is a folder with manifest.json" in capsys.readouterr().err
    assert main(["check", str(tmp_path)]) == 1
    assert f"'{tmp_path}' has no manifest.json; an artifact" in capsys.readouterr().err
    with pytest.raises(OSError, match="an artifact is a folder"):
        check_folder(tmp_path)


@pytest.mark.parametrize("case", json.loads((CORPUS / "folders.json").read_text()), ids=lambda case: case["name"])
def test_links(tmp_path, case):
    """The same cases as of the C++ reader; `file_of_folder` is what hawk reads a folder with."""
    for place in ("made", "outside", "made-not"):
        shutil.copytree(GOLDEN, tmp_path / place)
        for kind in ("json", "so"):
            (tmp_path / place / f"scale.{kind}").write_text(f"of {place}")
    made = tmp_path / "made"
    shutil.copy(made / "scale.so", made / "real.so")
    shutil.copy(made / "scale.json", made / "real.json")
    for name, target in case["links"].items():
        (made / name).unlink(missing_ok=True)
        (made / name).symlink_to(target)
    (tmp_path / "through").symlink_to("made")
    folder = tmp_path / ("through" if case.get("through") else "made")
    said = ""
    try:
        for kind in ("json", "so"):
            assert file_of_folder(folder, f"scale.{kind}").read_text() == "of made"
    except ValueError as error:
        said = str(error)
    assert (said == "") is case["accepted"]
    for word in case["words"]:
        assert word in said


@pytest.mark.parametrize("name", ["affine.json", "affine.so"])
def test_a_folder_with_a_link_out_of_it(folder, name):
    shutil.move(folder / name, folder.parent / name)
    (folder / name).symlink_to(folder.parent / name)
    with pytest.raises(ValueError, match=rf"{name}' is a link to '.*', outside the artifact folder; put the file"):
        check_folder(folder)


def test_a_pipe_in_the_folder_is_not_waited_for(folder, capsys):
    (folder / "affine.json").unlink()
    os.mkfifo(folder / "affine.json")
    assert main(["check", str(folder)]) == 1
    assert "it is no regular file; put the file itself there" in capsys.readouterr().err


def test_a_huge_document_is_not_read(folder):
    with open(folder / "affine.json", "r+b") as file:
        file.truncate(1 << 40)
    with pytest.raises(ValueError, match=rf"affine.json: {1 << 40} bytes; at most 64 MiB"):
        check_folder(folder)


def test_a_link_to_itself_is_no_file(folder):
    (folder / "affine.so").unlink()
    (folder / "affine.so").symlink_to("affine.so")
    with pytest.raises(ValueError, match=r"names 'affine\.so', no file"):
        check_folder(folder)


def test_a_report_that_nobody_takes_is_told(folder):
    command = [sys.executable, "-m", "raptor", "check", str(folder)]
    with open("/dev/full", "w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
    assert done.returncode == 2
    assert done.stderr == (
        "raptor: standard output takes no more (No space left on device), so that the report is not whole: give it a "
        "file with room or a reader that stays\n"
    )
    shell = ["sh", "-c", '"$@" >&-', "sh", *command]
    done = subprocess.run(shell, stderr=subprocess.PIPE, text=True, timeout=60)
    assert done.returncode == 2
    assert done.stderr == "raptor: standard output is closed; give it a file, a reader or /dev/null\n"
