"""One kernel cache that several processes fill, that some of them leave in the middle, and that others remove."""

import errno
import fcntl
import os
import shutil
import signal
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
def first(x: Scalar, a: Param) -> Scalar:
    return a * x + 1.0


@hawk.kernel
def second(x: Scalar, a: Param) -> Scalar:
    return a * x + 2.0


@hawk.kernel
def third(x: Scalar, a: Param) -> Scalar:
    return a * x + 3.0


@hawk.kernel
def fourth(x: Scalar, a: Param) -> Scalar:
    return a * x + 4.0


@hawk.kernel
def fifth(x: Scalar, a: Param) -> Scalar:
    return a * x + 5.0


KERNELS = (first, second, third, fourth, fifth)


def works(index):
    """With the kernel as a new object, which has loaded nothing yet."""
    kernel = hawk.kernel(KERNELS[index].function)
    assert kernel(np.array([1.0, 2.0]), 3.0).tolist() == [4.0 + index, 7.0 + index]


@pytest.fixture
def place(tmp_path, monkeypatch):
    folder = tmp_path / "cache"
    monkeypatch.setenv("HAWK_CACHE_DIR", str(folder))
    return folder


@pytest.fixture
def runs(monkeypatch):
    """Counts the compiler's runs."""
    found = []
    own = make._run
    monkeypatch.setattr(make, "_run", lambda *a: found.append(a[0]) or own(*a))
    return found


@pytest.fixture
def quiet():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def entries(place):
    return sorted(place.glob("*.so"))


def on_their_way(place):
    return sorted(place.glob(".new-*"))


def run(code, *arguments):
    return subprocess.Popen(
        [sys.executable, "-c", code, os.path.dirname(__file__), *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


FILL = """
import sys, warnings
warnings.simplefilter("error")
sys.path.insert(0, sys.argv[1])
from test_cache_shared import works
for i in range(5):
    works((i + int(sys.argv[2])) % 5)
print("right")
"""


def test_eight_processes_fill_one_folder_and_one_is_killed(place):
    started = [run(FILL, str(i)) for i in range(8)]
    while started[0].poll() is None and not entries(place):
        time.sleep(0.002)
    started[0].kill()
    started[0].communicate()
    for process in started[1:]:
        said, failed = process.communicate()
        assert (said, process.returncode) == ("right\n", 0), failed
    found = entries(place)
    assert len(found) == 5
    assert all(cache._content(entry) is not None for entry in found)
    for index in range(5):
        works(index)
    assert len(entries(place)) == 5


KILLED = """
import os, signal, sys
sys.path.insert(0, sys.argv[1])
from test_cache_shared import works
from hawk.compiling import cache
cache.os.replace = lambda *names: os.kill(os.getpid(), signal.SIGKILL)
works(0)
"""


def test_what_a_killed_process_left_is_no_entry_and_goes(place, runs, quiet):
    killed = run(KILLED)
    killed.communicate()
    assert killed.returncode == -signal.SIGKILL
    assert len(on_their_way(place)) == 1 and not entries(place)
    works(0)
    assert runs == ["first"] and len(entries(place)) == 1 and not on_their_way(place)


def test_what_another_process_writes_at_the_moment_stays(place):
    place.mkdir()
    written, left = place / ".new-written", place / ".new-left"
    left.write_bytes(b"half")
    with open(written, "wb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        works(0)
    assert on_their_way(place) == [written]


def test_where_there_are_no_locks_age_tells_what_was_left(place, monkeypatch):
    def none(handle, how):
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(cache.fcntl, "flock", none)
    place.mkdir()
    old, young = place / ".new-old", place / ".new-young"
    for file in (old, young):
        file.write_bytes(b"half")
    two_days_ago = time.time() - 2 * 24 * 3600
    os.utime(old, (two_days_ago, two_days_ago))
    works(0)
    assert on_their_way(place) == [young] and len(entries(place)) == 1


def once(function, before):
    """The function, before whose first call something happens."""
    pending = [before]

    def call(*arguments, **named):
        if pending:
            pending.pop()()
        return function(*arguments, **named)

    return call


@pytest.mark.parametrize("moment", ["mkstemp", "replace"])
def test_a_folder_that_is_removed_while_it_is_written_is_made_again(place, runs, quiet, monkeypatch, moment):
    module = cache.tempfile if moment == "mkstemp" else cache.os
    monkeypatch.setattr(module, moment, once(getattr(module, moment), lambda: shutil.rmtree(place)))
    works(0)
    assert runs == ["first"] and len(entries(place)) == 1 and not on_their_way(place)


def test_a_folder_that_is_removed_before_the_kernel_is_loaded(place, runs, quiet, monkeypatch):
    own = make.kept

    def removed_after(*arguments):
        found = own(*arguments)
        if len(runs) == 1:
            shutil.rmtree(place)
        return found

    monkeypatch.setattr(make, "kept", removed_after)
    works(0)
    assert runs == ["first", "first"] and len(entries(place)) == 1


def test_what_was_compiled_is_there_for_an_artifact_though_the_folder_goes(place):
    library = first.library()
    (entry,) = entries(place)
    sealed = entry.read_bytes()
    shutil.rmtree(place)
    assert sealed.startswith(library.content()) and len(sealed) - len(library.content()) == cache._TAIL


def test_a_folder_of_the_process_that_is_removed_is_made_again(tmp_path, monkeypatch):
    blocked = tmp_path / "a file"
    blocked.write_text("in the way")
    monkeypatch.setenv("HAWK_CACHE_DIR", str(blocked / "cache"))
    with pytest.warns(hawk.PerformanceWarning, match="cannot be written") as told:
        works(0)
        own = cache.current().private
        shutil.rmtree(own)
        works(0)
    assert len(told) == 1 and cache.current().private != own


def test_a_folder_on_a_file_system_that_is_read_only(place, monkeypatch):
    own = cache.tempfile.mkstemp

    def refused(*arguments, dir, **named):
        if dir == place:
            raise OSError(errno.EROFS, "Read-only file system")
        return own(*arguments, dir=dir, **named)

    monkeypatch.setattr(cache.tempfile, "mkstemp", refused)
    with pytest.warns(hawk.PerformanceWarning, match="cannot be written .Read-only file system."):
        works(0)
    assert not entries(place)


KILLED_COMPILING = """
import os, signal, sys
sys.path.insert(0, sys.argv[1])
from test_cache_shared import works
from hawk.compiling import make
make.wait_for = lambda *a: os.kill(os.getpid(), signal.SIGKILL)
works(0)
"""


def test_the_place_that_a_killed_process_compiled_in_goes(place, tmp_path, monkeypatch):
    there = tmp_path / "tmp"
    there.mkdir()
    monkeypatch.setenv("TMPDIR", str(there))
    killed = run(KILLED_COMPILING)
    killed.communicate()
    assert killed.returncode == -signal.SIGKILL
    (left,) = there.glob("hawk-compiling-*")
    used, others = there / "hawk-compiling-used", there / "hawk-results"
    two_minutes_ago = time.time() - 120
    for folder in (used, others):
        folder.mkdir()
    for folder in (left, used, others):
        os.utime(folder, (two_minutes_ago, two_minutes_ago))
    handle = os.open(used, os.O_RDONLY)
    fcntl.flock(handle, fcntl.LOCK_EX)
    next_one = run(FILL, "0")
    said, failed = next_one.communicate()
    os.close(handle)
    assert said == "right\n", failed
    assert sorted(there.iterdir()) == [used, others]
