"""`make gpu`: what it runs, and what it says where there is no card. No card is asked here."""

import importlib.util
import json
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def gpu():
    spec = importlib.util.spec_from_file_location("gpu_command", ROOT / "scripts" / "gpu.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def missing_driver(_):
    raise OSError("libcuda.so.1: cannot open shared object file")


def driver(init=0, cards=1):
    def count(into):
        into._obj.value = cards
        return 0

    return lambda _: SimpleNamespace(cuInit=lambda flags: init, cuDeviceGetCount=count)


@pytest.mark.parametrize(
    ("library", "why"),
    [
        (missing_driver, "libcuda.so.1: cannot open shared object file"),
        (driver(init=100), "cuInit answers 100"),
        (driver(cards=0), "the driver sees no card"),
    ],
    ids=["no driver", "no device", "none visible"],
)
def test_without_a_card_it_says_so_and_runs_nothing(gpu, monkeypatch, tmp_path, capsys, library, why):
    monkeypatch.setattr(gpu, "ctypes", SimpleNamespace(**{**vars(gpu.ctypes), "CDLL": library}))
    monkeypatch.setattr(gpu, "run", lambda *_: pytest.fail("a part was run"))
    monkeypatch.setattr(sys, "argv", ["gpu.py", "--out", str(tmp_path / "out")])
    assert gpu.main() == 2
    assert capsys.readouterr().err == (
        f"make gpu needs an NVIDIA card and its driver, and this machine has none that can be used ({why}); run it on "
        "one that has driver 580 or newer. Without a card, `make test` runs the host logic on the fake driver\n"
    )
    assert not (tmp_path / "out").exists()


def test_it_runs_every_part_that_a_card_can_show(gpu, tmp_path):
    parts = gpu.parts(tmp_path)
    assert list(parts)[:2] == ["build", "kernels"]
    for name, words in {
        "conformance": ["--json", "libeagle_cuda.so"],
        "python": ["-m gpu", "tests/python/gpu"],
        "card": ["card"],
        "sanitizer": ["memcheck"],
        "races": ["racecheck"],
        "codes": ["record_codes.py"],
        "benchmarks": ["benchmarks"],
    }.items():
        for word in words:
            assert word in " ".join(parts[name]), name
    makefile = (ROOT / "Makefile").read_text()
    card = makefile[makefile.index("\ncard:") :].split("\n\n")[0]
    assert "tests/python/matrix -m matrix_cuda --matrix-machine cuda" in card


def test_a_part_that_fails_is_named_and_the_others_are_run(gpu, monkeypatch, tmp_path, capsys):
    python = sys.executable
    monkeypatch.setattr(gpu, "card", lambda: "stand-in")
    monkeypatch.setattr(
        gpu,
        "parts",
        lambda out: {
            "bad": [python, "-c", "print('it is Sunday'); raise SystemExit(3)"],
            "missing": [str(tmp_path / "no-such-program")],
            "good": [python, "-c", ""],
        },
    )
    monkeypatch.setattr(sys, "argv", ["gpu.py", "--out", str(tmp_path / "out")])
    assert gpu.main() == 1
    told = json.loads((tmp_path / "out" / "gpu.json").read_text())
    assert told["card"] == "stand-in"
    assert {name: part["status"] for name, part in told["parts"].items()} == {"bad": 3, "missing": 127, "good": 0}
    assert (tmp_path / "out" / "bad.log").read_text() == "it is Sunday\n"
    assert "stand-in: bad, missing failed; logs in" in capsys.readouterr().out
