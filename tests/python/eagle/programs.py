"""Python programs in processes of their own, for what one process cannot show of itself."""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

HERE = Path(__file__).parent


def command(program):
    return [sys.executable, "-c", textwrap.dedent(program)]


def environment(**changes):
    """This process's environment with `changes` (None removes); the kernels of the tests can be imported."""
    made = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, [str(HERE), os.environ.get("PYTHONPATH")]))}
    for name, value in changes.items():
        if value is None:
            made.pop(name, None)
        else:
            made[name] = str(value)
    return made


def run(program, *arguments, **changes):
    """What the program printed. A program that fails fails the test with what it said."""
    done = subprocess.run(
        [*command(program), *map(str, arguments)],
        env=environment(**changes),
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()
