"""Finding a compiler, and what is said when there is none, or it fails."""

import os
import signal
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from hawk_oracle import define

import hawk
from hawk.compiling import search


def some_kernel(constant):
    return hawk.kernel(define(f"def made(x: Scalar) -> Scalar:\n    return x + {constant}\n", "made"))


@pytest.fixture(autouse=True)
def place(tmp_path, monkeypatch):
    monkeypatch.setenv("HAWK_CACHE_DIR", str(tmp_path / "cache"))


def script(path, text):
    path.write_text(f"#!{sys.executable}\n{text}\n")
    path.chmod(0o755)
    return str(path)


def test_no_compiler(monkeypatch, tmp_path):
    monkeypatch.delenv("HAWK_CXX", raising=False)
    monkeypatch.setenv("CXX", "no-such-compiler -v")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(hawk.HawkError) as caught:
        some_kernel(1)(np.zeros(1))
    words = ["kernel 'made'", "no C++ compiler was found", "$HAWK_CXX (not set)", "$CXX (no-such-compiler -v)"]
    for word in [*words, "c++, g++, clang++", "ziglang", "set HAWK_CXX"]:
        assert word in str(caught.value)


def test_the_order_of_the_search(monkeypatch, tmp_path):
    names = [script(tmp_path / name, "") for name in ("mine", "theirs", "c++", "clang++")]
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("HAWK_CXX", "mine --option")
    monkeypatch.setenv("CXX", "theirs")
    assert search.find_compiler().command == (names[0], "--option")
    monkeypatch.delenv("HAWK_CXX")
    assert search.find_compiler().command == (names[1],)
    monkeypatch.delenv("CXX")
    assert search.find_compiler().command == (names[2],)
    os.unlink(names[2])
    assert search.find_compiler().command == (names[3],)


def test_ziglang_is_the_last_resort(monkeypatch, tmp_path):
    for name in ("HAWK_CXX", "CXX"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("importlib.util.find_spec", lambda name: name if name == "ziglang" else None)
    compiler = search.find_compiler()
    assert compiler.command == (sys.executable, "-m", "ziglang", "c++")
    assert compiler.spell("-march=x86-64-v3") == "-mcpu=x86_64_v3" and compiler.spell("-O2") == "-O2"


def test_identity_changes_with_the_program(monkeypatch, tmp_path):
    path = script(tmp_path / "compiler", "")
    monkeypatch.setenv("HAWK_CXX", path)
    first = search.find_compiler().identity
    assert first == search.find_compiler().identity
    script(tmp_path / "compiler", "# another version")
    assert search.find_compiler().identity != first


def test_a_wrong_hawk_cxx_is_refused(monkeypatch):
    monkeypatch.setenv("HAWK_CXX", "no-such-compiler")
    with pytest.raises(hawk.HawkError, match=r"\$HAWK_CXX \(no-such-compiler\) names no program.*unset it"):
        some_kernel(2)(np.zeros(1))
    monkeypatch.setenv("HAWK_CXX", "'unfinished")
    with pytest.raises(hawk.HawkError, match="cannot be read as a command"):
        some_kernel(2)(np.zeros(1))


def test_a_compiler_that_fails(monkeypatch, tmp_path):
    monkeypatch.setenv("HAWK_CXX", script(tmp_path / "failing", "print('error: out of cheese'); raise SystemExit(3)"))
    with pytest.raises(hawk.HawkError) as caught:
        some_kernel(3)(np.zeros(1))
    for word in (
        "kernel 'made' was not compiled",
        "failing ended with code 3",
        "error: out of cheese",
        "HAWK_CXX",
        "a smaller kernel",
    ):
        assert word in str(caught.value)


def test_a_compiler_that_makes_nothing(monkeypatch, tmp_path):
    monkeypatch.setenv("HAWK_CXX", script(tmp_path / "idle", ""))
    with pytest.raises(hawk.HawkError, match=r"ended with code 0.*it said nothing"):
        some_kernel(4)(np.zeros(1))


def test_a_long_run_says_what_it_is_about(monkeypatch, tmp_path, capfd):
    text = "import os, subprocess, sys, time; time.sleep(0.3); os.execvp('c++', ['c++', *sys.argv[1:]])"
    monkeypatch.setenv("HAWK_CXX", script(tmp_path / "slow", text))
    monkeypatch.setattr("hawk.compiling.kept.TELL_AFTER_S", 0.05)
    assert some_kernel(5)(np.zeros(1)).tolist() == [5.0]
    assert capfd.readouterr().err == "hawk: compiling kernel 'made' (1 operations) with slow ...\n"


def test_an_import_and_a_decoration_run_no_compiler(tmp_path):
    """A compiler that leaves a trace is set; importing and decorating leave none."""
    import subprocess

    trace = tmp_path / "trace"
    compiler = script(tmp_path / "tracing", f"open({str(trace)!r}, 'w')")
    (tmp_path / "model.py").write_text(
        "import hawk\nfrom hawk import Scalar\n@hawk.kernel\ndef f(x: Scalar) -> Scalar:\n    return x\n"
        "assert f.digest and f.source and f.ir\n"
    )
    environment = {**os.environ, "HAWK_CXX": compiler, "CXX": compiler}
    subprocess.run([sys.executable, "model.py"], cwd=tmp_path, env=environment, check=True)
    assert not trace.exists()


def test_ctrl_c_ends_the_compilers_of_a_build_and_what_they_started(monkeypatch, tmp_path):
    begun = tmp_path / "begun"
    text = f"""
import subprocess
child = subprocess.Popen(["sleep", "600"])
with open({str(begun)!r}, "a") as file:
    file.write(f"{{child.pid}}\\n")
child.wait()
"""
    monkeypatch.setenv("HAWK_CXX", script(tmp_path / "endless", text))
    source = "def made{0}(x: Scalar) -> Scalar:\n    return x + {0}\n"
    kernels = [hawk.kernel(define(source.format(i), f"made{i}")) for i in range(3)]

    def press():
        while not begun.exists() or not begun.read_text():
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGINT)

    presser = threading.Thread(target=press)
    presser.start()
    with pytest.raises(KeyboardInterrupt):
        hawk.build(kernels, tmp_path / "folder")
    presser.join()
    assert not (tmp_path / "folder").exists()
    for child in map(int, begun.read_text().split()):
        while Path(f"/proc/{child}").exists() and "\nState:\tZ" not in Path(f"/proc/{child}/status").read_text():
            time.sleep(0.01)  # killed, and not yet gone
