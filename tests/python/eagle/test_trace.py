"""Traces: the file parses, nodes are there as often as they ran, and results are the same."""

import json
import os
import subprocess
import sys
import threading
from collections import Counter

import numpy as np
import pytest

import eagle
import hawk
from hawk import Mutable, Param, Scalar


@hawk.kernel
def scale(x: Scalar, a: Param) -> Scalar:
    return a * x


@hawk.kernel
def grow(x: Mutable[Scalar], rate: Param):
    x = x * rate


def names(path, category):
    events = json.loads(path.read_text(encoding="utf-8"))["traceEvents"]
    return Counter(e["name"] for e in events if e["ph"] == "X" and e["cat"] == category)


def test_nodes_are_there_as_often_as_they_ran(tmp_path):
    @eagle.graph
    def recording(g, x):
        with g.repeat(3):
            grow(x, 2.0)
        return scale(x, 3.0)

    x = np.arange(4.0)
    built = recording.build(x)
    path = tmp_path / "run.json"
    with eagle.trace(path) as trace:
        assert trace.running
        y = built()
    np.testing.assert_array_equal(y, np.arange(4.0) * 24.0)
    nodes = names(path, "node")
    assert (nodes["grow"], nodes["scale"]) == (3, 1)
    assert trace.events > 0 and trace.dropped == 0 and not trace.running
    before = path.read_text(encoding="utf-8")
    built()
    assert path.read_text(encoding="utf-8") == before


def test_threads_have_a_name_each(tmp_path):
    plan, path = eagle.deploy(scale), tmp_path / "run.json"
    with eagle.trace(path):
        plan.run(x=np.ones(4), a=2.0)
        other = threading.Thread(target=lambda: plan.run(x=np.ones(4), a=2.0))
        other.start()
        other.join()
    events = json.loads(path.read_text(encoding="utf-8"))["traceEvents"]
    threads = [e["args"]["name"] for e in events if e["name"] == "thread_name" and e["pid"] == 1]
    callers = sorted(name.split(" (")[0] for name in threads if name.startswith("caller"))
    assert callers == ["caller 1", "caller 2"]
    assert len(set(threads)) == len(threads)


def test_plans_are_seen_and_give_the_same_bits(tmp_path):
    plan, x = eagle.deploy(scale), np.linspace(0.0, 1.0, 10_001)
    plain = plan.run(x=x, a=0.1)
    trace = eagle.trace(tmp_path / "run.json").start()
    seen = plan.run(x=x, a=0.1)
    trace.stop()
    assert plain.tobytes() == seen.tobytes()
    assert names(trace.path, "launch")["launch scale"] >= 1


def test_what_cannot_be_recorded_is_refused(tmp_path):
    with pytest.raises(RuntimeError, match="No such file or directory"):
        eagle.trace(tmp_path / "nowhere" / "run.json").start()
    for most in (0, -1):
        with pytest.raises(ValueError, match=f"^max_events is {most}; it must be a whole number of at least 1"):
            eagle.trace(tmp_path / "run.json", max_events=most)
    with eagle.trace(tmp_path / "run.json"), pytest.raises(eagle.Busy, match="one at a time"):
        eagle.trace(tmp_path / "other.json").start()


def test_an_exception_leaves_a_whole_file(tmp_path):
    path = tmp_path / "run.json"
    with pytest.raises(KeyError), eagle.trace(path):
        raise KeyError("passes")
    assert names(path, "node") == {}


def test_the_end_of_the_program_writes_the_file(tmp_path):
    path = tmp_path / "run.json"
    program = f"import eagle; eagle.trace({str(path)!r}).start()"
    subprocess.run([sys.executable, "-c", program], check=True)
    assert json.loads(path.read_text(encoding="utf-8"))["otherData"]["dropped"] == 0


def test_a_pipe_that_nobody_reads_is_not_waited_for(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(
        RuntimeError, match=r"the trace cannot be written to '.*/pipe': No such device or address; name"
    ):
        eagle.trace(pipe).__enter__()
