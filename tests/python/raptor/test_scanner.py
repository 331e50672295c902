"""Skip machinery beside a row is found under every alias, and nothing else is."""

import subprocess
import sys
from pathlib import Path

import pytest

from raptor.conformance import ROWS, scan_source, scan_tree

TESTS = Path(__file__).resolve().parents[1]
ROW = '@register_row("STREAM-IDENTITY")\n'
HEAD = "import pytest\nfrom raptor.conformance import register_row\n"


def breaches(text):
    return [f"{breach.line}: {breach.text}" for breach in scan_source(text, "test_x.py").breaches]


@pytest.mark.parametrize(
    "text",
    [
        "from raptor.conformance import register_row\n" + ROW + "def test(): pass",
        "from raptor.conformance.registry import register_row as row\n@row('STREAM-IDENTITY')\ndef test(): pass",
        "import raptor.conformance\n@raptor.conformance.register_row('STREAM-IDENTITY')\ndef test(): pass",
        "import raptor.conformance as c\n@c.register_row(row='STREAM-IDENTITY')\ndef test(): pass",
        "from raptor import conformance as c\nrow = c.register_row\n@row('STREAM-IDENTITY')\ndef test(): pass",
        "from raptor.conformance import *\n" + ROW + "def test(): pass",
        "import raptor.conformance as c\nr = getattr(c, 'register_row')\n@r('STREAM-IDENTITY')\ndef test(): pass",
        "from raptor.conformance import register_row\nclass TestX:\n    " + ROW + "    def test(self): pass",
        "from raptor.conformance import register_row\nif True:\n    " + ROW + "    async def test(): pass",
    ],
)
def test_rows_are_found(text):
    found = scan_source(text)
    assert list(found.rows) == ["STREAM-IDENTITY"] and found.breaches == []


BAD = {
    "marker": HEAD + ROW + "@pytest.mark.skip\ndef test(): pass",
    "conditional marker": HEAD + "@pytest.mark.skipif(True, reason='')\n" + ROW + "def test(): pass",
    "xfail": HEAD + ROW + "@pytest.mark.xfail(strict=True)\ndef test(): pass",
    "call": HEAD + ROW + "def test():\n    pytest.skip('no card')",
    "importorskip": HEAD + "torch = pytest.importorskip('torch')\n" + ROW + "def test(): pass",
    "module level": HEAD + "pytest.skip('no', allow_module_level=True)\n" + ROW + "def test(): pass",
    "pytestmark": HEAD + "pytestmark = [pytest.mark.skipif(True, reason='')]\n" + ROW + "def test(): pass",
    "pytestmark of availability": HEAD + "pytestmark = pytest.mark.gpu\n" + ROW + "def test(): pass",
    "renamed module": HEAD + "import pytest as pt\n" + ROW + "@pt.mark.skip\ndef test(): pass",
    "renamed name": HEAD + "from pytest import skip as leave\n" + ROW + "def test():\n    leave()",
    "renamed mark": HEAD + "from pytest import mark as m\n" + ROW + "@m.skipif(True, reason='')\ndef test(): pass",
    "alias": HEAD + "leave = pytest.mark.skip\n" + ROW + "@leave\ndef test(): pass",
    "alias of a call": HEAD + "gpu = pytest.mark.skipif(True, reason='')\n" + ROW + "@gpu\ndef test(): pass",
    "alias of an alias": HEAD + "a = b\nb = pytest\n" + ROW + "def test():\n    a.xfail('no')",
    "in a tuple": HEAD + "a, b = 1, pytest.mark\n" + ROW + "@b.skip\ndef test(): pass",
    "getattr": HEAD + ROW + "def test():\n    getattr(pytest, 'skip')('no')",
    "import_module": HEAD
    + "import importlib\np = importlib.import_module('pytest')\n"
    + ROW
    + "def test():\n    p.skip()",
    "exception": HEAD + ROW + "def test():\n    raise pytest.skip.Exception('no')",
    "unittest": HEAD + "import unittest\n" + ROW + "@unittest.skipUnless(False, '')\ndef test(): pass",
    "SkipTest": HEAD + "from unittest import SkipTest\n" + ROW + "def test():\n    raise SkipTest('no')",
    "star": HEAD + "from pytest import *\n" + ROW + "def test(): pass",
    "inner module": HEAD + "from _pytest.outcomes import skip\n" + ROW + "def test(): pass",
    "fixture": HEAD + "@pytest.fixture\ndef card():\n    pytest.skip('no')\n" + ROW + "def test(card): pass",
    "class": HEAD + "@pytest.mark.skip\nclass TestX:\n    " + ROW + "    def test(self): pass",
    "pytestmark of a class": HEAD
    + "class TestX:\n    pytestmark = pytest.mark.slow\n    "
    + ROW
    + "    def t(self): 0",
    "own helper": HEAD + "from helpers import skip_without_torch\n" + ROW + "@skip_without_torch\ndef test(): pass",
    "availability marker": HEAD + ROW + "@pytest.mark.cuda\ndef test(): pass",
    "availability decorator": HEAD + "from helpers import requires_cuda\n" + ROW + "@requires_cuda\ndef test(): pass",
    "availability asked": HEAD
    + "import torch\n"
    + ROW
    + "def test():\n    if torch.cuda.is_available():\n        pass",
    "import caught": HEAD
    + "try:\n    import torch\nexcept ImportError:\n    torch = None\n"
    + ROW
    + "def test(): pass",
    "computed row": HEAD + "name = 'STREAM-IDENTITY'\n@register_row(name)\ndef test(): pass",
    "row through a name": HEAD + "row = register_row('STREAM-IDENTITY')\n@row\ndef test(): pass",
    "row by a call": HEAD + "def test(): pass\nregister_row('STREAM-IDENTITY')(test)",
    "unknown row": HEAD + "@register_row('STREAM-OTHER')\ndef test(): pass",
}


@pytest.mark.parametrize("name", BAD)
def test_what_lets_a_row_pass_unseen_is_found(name):
    assert breaches(BAD[name]), BAD[name]


@pytest.mark.parametrize("name", ["marker", "alias of a call", "getattr", "importorskip", "own helper", "fixture"])
def test_every_skip_that_pytest_knows_is_what_is_found(name):
    """The same text without a row is nobody's business."""
    text = BAD[name].replace(ROW, "")
    assert scan_source(text).breaches == [] and scan_source(text).rows == {}


def test_a_breach_says_where_and_what():
    (breach,) = scan_source(BAD["renamed name"], "test_x.py").breaches[1:]
    assert str(breach) == "test_x.py:6: uses pytest.skip: a row is never skipped; deselect it in a job's definition"
    assert breaches(BAD["availability marker"]) == [
        "4: test carries the marker 'cuda'; a row may carry filterwarnings, interop_matrix, parametrize, usefixtures"
    ]
    assert "does not depend on what is available" in breaches(BAD["availability decorator"])[0]
    assert "a row asserts what it needs, it does not ask" in breaches(BAD["availability asked"])[0]


@pytest.mark.parametrize(
    "body",
    [
        "@pytest.mark.parametrize('k', [1])\ndef test(k): pass",
        "def test():\n    import torch\n    assert torch.cuda.is_available()",
        "def test():\n    skipped = 3\n    assert skipped",
        "def test():\n    with pytest.raises(ValueError):\n        int('x')",
        "def test():\n    try:\n        int('x')\n    except ValueError:\n        pass",
    ],
)
def test_what_is_allowed(body):
    assert breaches(HEAD + ROW + body) == []


def test_a_folder(tmp_path):
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    (tmp_path / "conftest.py").write_text("import pytest\n@pytest.fixture\ndef card():\n    pytest.skip('no')\n")
    (tmp_path / "test_plain.py").write_text("import pytest\npytest.skip('no', allow_module_level=True)\n")
    (inner / "test_row.py").write_text(HEAD + ROW + "def test(card): pass\n")
    found = scan_tree(tmp_path)
    assert found.rows == {"STREAM-IDENTITY": "test"}
    assert [str(breach)[: len("conftest.py:4:")] for breach in found.breaches] == ["conftest.py:4:"]
    done = subprocess.run(
        [sys.executable, "-m", "raptor.conformance", "scan", tmp_path], capture_output=True, text=True
    )
    assert done.returncode == 1 and "conftest.py:4: uses pytest.skip" in done.stderr


def test_the_rows_of_this_suite():
    """Nothing beside them can skip. The tests of this folder are about rows and carry none."""
    found = scan_tree(TESTS, leave_out=["raptor"])
    assert [str(breach) for breach in found.breaches] == []
    assert set(found.rows) <= set(ROWS)
