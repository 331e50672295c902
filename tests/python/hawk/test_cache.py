"""The kernel cache: shared by processes, checked, and never a reason to fail."""

import os
import subprocess
import sys
import time
import warnings

import numpy as np
import pytest

import hawk
from hawk import Param, Scalar
from hawk.compiling import cache, make


@hawk.kernel
def cached(x: Scalar, a: Param) -> Scalar:
    return a * x + 0.125


def fresh():
    """The same kernel as a new object, which has loaded nothing yet."""
    return hawk.kernel(cached.function)


@pytest.fixture
def place(tmp_path, monkeypatch):
    folder = tmp_path / "kernel cache ü"  # a space, and no ASCII
    monkeypatch.setenv("HAWK_CACHE_DIR", str(folder))
    return folder


def entries(place):
    return sorted(place.glob("*.so"))


def works(kernel):
    assert kernel(np.array([1.0, 2.0]), 3.0).tolist() == [3.125, 6.125]


@pytest.fixture
def runs(monkeypatch):
    """Counts the compiler's runs."""
    found = []
    own = make._run
    monkeypatch.setattr(make, "_run", lambda *a: found.append(a[0]) or own(*a))
    return found


def test_a_kernel_is_compiled_once(place, runs):
    works(fresh())
    works(fresh())
    assert runs == ["cached"] and len(entries(place)) == 1


def test_what_decides_about_a_new_run(place, runs, monkeypatch):
    works(fresh())
    fresh().library("x86-64-v2")
    assert len(runs) == 2
    monkeypatch.setattr(make, "headers_digest", lambda: "other headers")
    works(fresh())
    assert len(runs) == 3
    monkeypatch.setattr(make.cpu, "description", lambda: ("other", frozenset({"sse2"})))
    works(fresh())
    assert len(runs) == 4 and len(entries(place)) == 4


@pytest.mark.parametrize("harm", ["cut", "changed", "emptied", "not a library"])
def test_a_damaged_entry_is_made_again(place, runs, harm):
    works(fresh())
    (entry,) = entries(place)
    content = entry.read_bytes()
    middle = len(content) // 2
    entry.write_bytes(
        {
            "cut": content[:middle],
            "changed": content[:middle] + b"\x00\xff" + content[middle + 2 :],
            "emptied": b"",
            "not a library": b"hello" * 100,
        }[harm]
    )
    works(fresh())
    assert len(runs) == 2
    assert len(entry.read_bytes()) == len(content)


def test_a_link_is_not_followed(place, runs):
    works(fresh())
    (entry,) = entries(place)
    elsewhere = place / "elsewhere"
    entry.rename(elsewhere)
    entry.symlink_to(elsewhere)
    works(fresh())
    assert len(runs) == 2 and not entry.is_symlink()


def test_a_pipe_in_the_place_of_an_entry_is_replaced(place, runs):
    works(fresh())
    (entry,) = entries(place)
    entry.unlink()
    os.mkfifo(entry)
    works(fresh())
    assert len(runs) == 2 and entry.is_file()


def test_a_folder_in_the_place_of_an_entry_is_left_alone(place, runs):
    works(fresh())
    (entry,) = entries(place)
    entry.unlink()
    entry.mkdir()
    with pytest.warns(hawk.PerformanceWarning, match="cannot be written"):
        works(fresh())
    assert len(runs) == 2 and entry.is_dir()


def test_a_file_of_another_user_is_not_loaded(place, runs, monkeypatch):
    works(fresh())
    monkeypatch.setattr(cache, "my_id", lambda: os.geteuid() + 1)
    with pytest.warns(hawk.PerformanceWarning, match=f"belongs to user {os.geteuid()}"):
        works(fresh())
    assert len(runs) == 2


def test_a_place_that_cannot_be_written(tmp_path, monkeypatch, runs):
    blocked = tmp_path / "a file"
    blocked.write_text("in the way")
    monkeypatch.setenv("HAWK_CACHE_DIR", str(blocked / "cache"))
    with pytest.warns(hawk.PerformanceWarning) as caught:
        works(fresh())
    (warning,) = caught
    for words in (str(blocked / "cache"), "cannot be written", "set HAWK_CACHE_DIR"):
        assert words in str(warning.message)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        works(fresh())  # told once; and found again in the private folder
    assert runs == ["cached"]


NO_ROOM = """
import resource, sys
sys.path.insert(0, sys.argv[1])
from test_cache import cached, works
import tempfile, hawk
tempfile.gettempdir()
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.RLIM_INFINITY))
try:
    works(cached)
except hawk.HawkError as error:
    print(error)
"""


def test_no_room_for_the_source_is_said(place):
    said, failed = run(NO_ROOM, "100").communicate()
    assert failed == "" and said.startswith(
        "kernel 'cached' was not compiled: the folder that a compiler works in cannot be written ([Errno 27] "
    )
    assert "make room there, or name another place with TMPDIR" in said


def test_no_room_for_the_outcome_is_said(place, monkeypatch):
    def full(path, content):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(cache, "_replace", full)
    with pytest.warns(hawk.PerformanceWarning, match="No space left"), pytest.raises(hawk.HawkError) as refused:
        works(fresh())
    for words in (f"neither in the cache '{place}'", "No space left on device", "HAWK_CACHE_DIR and TMPDIR"):
        assert words in str(refused.value)


PROGRAM = """
import sys, time, warnings
warnings.simplefilter("error")
sys.path.insert(0, sys.argv[1])
from test_cache import cached, works
while time.time() < float(sys.argv[2]):
    pass
works(cached)
print("right")
"""


def run(code, *arguments, **environment):
    return subprocess.Popen(
        [sys.executable, "-c", code, os.path.dirname(__file__), *arguments],
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_eight_processes_at_once(place):
    started = [run(PROGRAM, str(time.time() + 1.0)) for _ in range(8)]
    for process in started:
        said, failed = process.communicate()
        assert (said, process.returncode) == ("right\n", 0), failed
    assert len(entries(place)) == 1 and not list(place.glob(".new-*"))


def test_threads_share_one_compiler_run(place, runs):
    import threading

    kernel = fresh()
    threads = [threading.Thread(target=works, args=(kernel,)) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert runs == ["cached"]


def test_a_cached_kernel_needs_no_compiler(place, monkeypatch, runs):
    works(fresh())
    for name in ("HAWK_CXX", "CXX"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", str(place))
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    works(fresh())
    assert runs == ["cached"]


def test_folder_of_the_user(monkeypatch):
    monkeypatch.delenv("HAWK_CACHE_DIR", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", "/somewhere")
    assert str(cache.folder()) == "/somewhere/hawk"
    monkeypatch.setenv("XDG_CACHE_HOME", "not absolute")
    monkeypatch.setenv("HOME", "/home/me")
    assert str(cache.folder()) == "/home/me/.cache/hawk"
    for given, found in (("~", "/home/me"), ("~/kept", "/home/me/kept"), ("/a/~/b", "/a/~/b")):
        monkeypatch.setenv("HAWK_CACHE_DIR", given)
        assert str(cache.folder()) == found
