"""What hawk says of the machine it is on."""

import pytest

from hawk import doctor


def test_the_report(monkeypatch, tmp_path):
    monkeypatch.setenv("HAWK_CACHE_DIR", str(tmp_path))
    (tmp_path / "a.so").write_bytes(b"0" * 2**20)
    (tmp_path / "b.so").write_bytes(b"0" * 2**20)
    monkeypatch.setenv("HAWK_CXX", "env --default-signal")
    lines = list(doctor.report())
    assert lines[0].startswith("compiler: ") and lines[0].endswith("env --default-signal")
    assert lines[1] == f"kernel cache: {tmp_path}, 2 kernels, 2.0 MiB"
    assert lines[2].startswith("vectors: ")
    assert lines[3].startswith("CUDA compiler: ") and lines[4].startswith("HIP compiler: ")


@pytest.mark.parametrize(("value", "words"), [("no-such-compiler", "names no program"), ("'", "cannot be read")])
def test_a_wrong_compiler_is_reported_and_not_raised(monkeypatch, value, words):
    monkeypatch.setenv("HAWK_CXX", value)
    assert words in next(iter(doctor.report()))


def test_a_wrong_compiler_for_amd_is_reported_and_not_raised(monkeypatch):
    monkeypatch.setenv("HAWK_HIP_CLANG", "no-such-clang")
    assert "names no program that can be run" in list(doctor.report())[-1]


def test_no_compiler_says_what_to_install(monkeypatch):
    monkeypatch.setattr("hawk.doctor.find_compiler", lambda: None)
    first = next(iter(doctor.report()))
    assert first == "compiler: none; install g++ or clang++ (or `pip install ziglang`), or set HAWK_CXX"
