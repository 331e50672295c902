"""What a session of pytest makes of rows: outcomes, not presence; a skip is a failure."""

import json
import subprocess
import sys

import pytest

CONFTEST = 'pytest_plugins = ["raptor.conformance.plugin"]\n'
GOOD = """
import pytest
from raptor.conformance import register_row

@register_row("STREAM-IDENTITY", device="sim")
@pytest.mark.parametrize("k", [0, 1])
def test_identity(k):
    assert k < 2

@register_row("execution_partition_identity")
def test_partition():
    pass

def test_plain():
    pass
"""
ONE = """
import pytest
from raptor.conformance import register_row

@register_row("STREAM-IDENTITY")
{mark}
def test_identity():
    {body}
"""


@pytest.fixture
def session(tmp_path):
    (tmp_path / "conftest.py").write_text(CONFTEST)

    def run(text, *options):
        (tmp_path / "test_rows.py").write_text(text)
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--strict-markers"]
        done = subprocess.run(
            [*command, "--matrix-ledger", "matrix.json", *options], cwd=tmp_path, capture_output=True, text=True
        )
        document = json.loads((tmp_path / "matrix.json").read_text())
        rows = {entry["row"]: entry for entry in document["rows"]}
        return done, rows, document

    return run


def test_rows_that_pass(session):
    done, rows, document = session(GOOD, "--matrix-machine", "laptop")
    assert done.returncode == 0, done.stdout
    assert document["machine"] == "laptop"
    identity = rows["STREAM-IDENTITY"]
    assert (identity["outcome"], identity["device"]) == ("passed", "sim")
    assert identity["test"] == "test_rows.test_identity"
    assert rows["execution_partition_identity"]["outcome"] == "passed"
    assert sum(entry["outcome"] == "no test" for entry in rows.values()) == 21
    assert "passed  STREAM-IDENTITY on sim" in done.stdout and "no test  T-BRIDGE-COPY" in done.stdout


def test_a_job_deselects_the_matrix_in_the_open(session):
    done, rows, _ = session(GOOD, "-m", "not interop_matrix")
    assert done.returncode == 0
    assert rows["STREAM-IDENTITY"]["outcome"] == "deselected"
    assert "1 passed" in done.stdout and "deselected  STREAM-IDENTITY" in done.stdout


def test_a_job_deselects_a_kind_of_device(session):
    done, rows, _ = session(GOOD, "-m", "not matrix_sim")
    assert done.returncode == 0
    assert rows["STREAM-IDENTITY"]["outcome"] == "deselected"
    assert rows["execution_partition_identity"]["outcome"] == "passed"


def test_registered_is_not_run(session):
    done, rows, _ = session(GOOD, "test_rows.py::test_plain", "test_rows.py::test_identity")
    assert done.returncode == 0
    assert rows["execution_partition_identity"]["outcome"] == "not run"
    assert rows["STREAM-IDENTITY"]["outcome"] == "passed"


@pytest.mark.parametrize(
    ("mark", "body", "outcome"),
    [
        ("", "assert False", "failed"),
        ("@pytest.mark.usefixtures('nothing')", "pass", "failed"),
        ("", "pytest.skip('no card')", "skipped"),
        ("@pytest.mark.skip", "pass", "skipped"),
        ("@pytest.mark.xfail", "assert False", "skipped"),
        ("@pytest.mark.xfail", "pass", "skipped"),
        ("", "pytest.importorskip('no_such_module')", "skipped"),
    ],
)
def test_rows_that_do_not_hold(session, mark, body, outcome):
    done, rows, _ = session(ONE.format(mark=mark, body=body))
    assert done.returncode == 1
    assert rows["STREAM-IDENTITY"]["outcome"] == outcome
    if outcome == "skipped":
        assert "test_identity was skipped; a row is never skipped" in done.stdout


def test_one_failing_case_fails_the_row(session):
    done, rows, _ = session(GOOD.replace("k < 2", "k < 1"))
    assert done.returncode == 1 and rows["STREAM-IDENTITY"]["outcome"] == "failed"


def test_not_on_worker_processes(session, tmp_path):
    """What pytest-xdist gives a worker's configuration is enough to be refused."""
    (tmp_path / "conftest.py").write_text(CONFTEST + "def pytest_configure(config):\n    config.workerinput = {}\n")
    done, _, _ = session(GOOD)
    assert done.returncode != 0
    assert "carries a row of the matrix: its session runs in one process" in done.stdout + done.stderr
