"""Ctrl-C: honoured soon, with a valid state, and with the run going on afterwards when it is asked to."""

import json
import signal
import subprocess
import time

import pytest
from programs import command, environment

# docs/python.md promises 0.1 s; a loaded machine is given some room.
SOON = 1.0

SIMULATE = """
    import json, sys, time
    import numpy as np
    import eagle
    from eagle_kernels import endless
    x = np.zeros(100_000)
    eagle.simulate(endless, max_steps=1, x=x.copy())
    print("ready", flush=True)
    try:
        eagle.simulate(endless, max_steps=1 << 40, x=x)
    except KeyboardInterrupt as error:
        stopped = time.time()
        result = error.result
        total = int(result.steps_per_sample.sum())
        first = eagle.simulate(endless, max_steps=3, x=x)
        print(json.dumps({
            "at": stopped, "status": result.status, "finished": result.finished, "steps": result.steps, "total": total,
            "state": bool(np.all((x == 2.0) | (x < 2.0))), "again": first.steps, "notes": error.__notes__,
        }))
"""

RUN = """
    import json, time
    import numpy as np
    import eagle
    from eagle_kernels import long_work
    plan = eagle.deploy(long_work)
    x = np.arange(1_000_000.0)
    plan.run(x=x[:10])
    print("ready", flush=True)
    try:
        while True:
            plan.run(x=x)
    except KeyboardInterrupt as error:
        print(json.dumps({"at": time.time(), "done": getattr(error, "done", None)}))
"""

LAUNCH = RUN.replace("plan.run(x=x)", "bound.launch()").replace(
    'print("ready"', 'bound = plan.bind(x=x, out=np.empty_like(x)); print("ready"'
)


def interrupted(program):
    """Runs the program and presses Ctrl-C in the middle of its work: (seconds until it noticed, what it said)."""
    process = subprocess.Popen(command(program), env=environment(), stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.3)
        pressed = time.time()
        process.send_signal(signal.SIGINT)
        said = json.loads(process.communicate(timeout=60)[0])
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 0
    return said["at"] - pressed, said


def test_a_simulation_stops_and_says_how_far_it_came():
    seconds, said = interrupted(SIMULATE)
    assert seconds < SOON
    assert said["status"] == "interrupted"
    assert said["finished"] is False
    assert said["steps"] == said["total"] > 0
    assert said["state"]
    assert said["again"] == 300_000
    assert said["notes"] == [
        f"simulate stopped after {said['steps']:,} steps of all samples together, with 0 of 100,000 samples done; the "
        "arrays hold the state after those steps, and this error's `result` is the SimResult so far"
    ]


@pytest.mark.parametrize("program", [RUN, LAUNCH], ids=["run", "launch"])
def test_a_long_launch_stops_between_its_windows(program):
    seconds, said = interrupted(program)
    assert seconds < SOON
    assert said["done"] is None or 0 <= said["done"] < 1_000_000


def test_another_signal_handler_that_raises_comes_out_too():
    seconds, said = interrupted(
        """
        import json, signal, time
        import numpy as np
        import eagle
        from eagle_kernels import endless
        class Mine(Exception): pass
        def handler(*_): raise Mine
        signal.signal(signal.SIGINT, handler)
        x = np.zeros(10)
        eagle.simulate(endless, max_steps=1, x=x)
        print("ready", flush=True)
        try:
            eagle.simulate(endless, max_steps=1 << 40, x=x)
        except Mine as error:
            print(json.dumps({"at": time.time(), "status": error.result.status}))
        """
    )
    assert seconds < SOON
    assert said["status"] == "interrupted"


def test_a_handler_that_returns_does_not_stop_the_run():
    seconds, said = interrupted(
        """
        import json, signal, time
        import numpy as np
        import eagle
        from eagle_kernels import endless
        seen = []
        signal.signal(signal.SIGINT, lambda *_: seen.append(time.time()))
        x = np.zeros(10)
        eagle.simulate(endless, max_steps=1, x=x)
        print("ready", flush=True)
        result = eagle.simulate(endless, max_steps=1 << 40, timeout=1.5, x=x)
        print(json.dumps({"at": seen[0], "status": result.status}))
        """
    )
    assert seconds < SOON
    assert said["status"] == "timeout"
