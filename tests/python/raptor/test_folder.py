"""`python -m raptor check`: a whole folder, with nothing loaded."""

import json
import shutil
from pathlib import Path

import pytest

from raptor.__main__ import main
from raptor.schema import check_folder

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
