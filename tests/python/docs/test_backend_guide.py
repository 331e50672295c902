"""The guide for a backend's author is what its commands give, from an empty folder against the installed package."""

import os
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "scripts"))

import backend_guide  # noqa: E402


def surroundings() -> dict[str, str]:
    """Where `python` and `cmake` are those of this test, and no backend but the package's is named."""
    named = {name: value for name, value in os.environ.items() if not name.startswith("EAGLE_")}
    named["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), named["PATH"]])
    return named


def test_the_page_is_what_its_commands_give(tmp_path: Path) -> None:
    page = backend_guide.make(tmp_path, surroundings())
    assert page == backend_guide.PAGE.read_text(encoding="utf-8"), "make it anew: python scripts/backend_guide.py"


def test_a_command_that_fails_is_shown(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="status 1 of\nfalse\n"):
        backend_guide.run("false\n", tmp_path, surroundings())


def test_a_link_that_leads_nowhere_is_told() -> None:
    """Links hold where the text lies, and where the page does."""
    assert backend_guide.relocated("[a](../../seam/POLICIES.md)") == "[a](../seam/POLICIES.md)"
    with pytest.raises(ValueError, match=r"guide.md links to ../nowhere.md, which is not there"):
        backend_guide.relocated("[a](../nowhere.md)")
    assert backend_guide.relocated("[a](../../docs/artifacts.md#the-host-file)") == "[a](artifacts.md#the-host-file)"
    with pytest.raises(ValueError, match=r"guide.md links to ../../docs/artifacts.md#x, a heading that is not there"):
        backend_guide.relocated("[a](../../docs/artifacts.md#x)")


def test_the_tables_leave_nothing_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every function without a bit is told of once, beside rows of its own."""
    told = (backend_guide.EXAMPLE / "functions.txt").read_text(encoding="utf-8")
    monkeypatch.setattr(backend_guide, "EXAMPLE", tmp_path)
    for changed, words in (
        (told.replace("sdk_launch |", "sdk_launches |"), "names sdk_launches, which are not functions without a bit"),
        (told.replace("host_alloc host_free |", "host_alloc |"), "functions.txt says nothing of host_free"),
        (told.replace("sdk-launch-*", "memory-*"), "names rows memory-*, of which none covers sdk_launch"),
        (told.replace("memory-host-alloc*", "no-*"), "names rows no-*, of which none covers host_alloc host_free"),
    ):
        assert changed != told
        (tmp_path / "functions.txt").write_text(changed, encoding="utf-8")
        with pytest.raises(ValueError, match=words.replace("*", r"\*")):
            backend_guide.functions(surroundings())
