"""Programs under mpiexec: the same one on every rank, each with a folder that all of them know."""

import os
import pickle
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

HERE = Path(__file__).parent
MATRIX = HERE.parent / "matrix"
STAND_INS = HERE.parent / "stand_ins"
MPIEXEC = Path(sys.executable).with_name("mpiexec")

BEGIN = """
import pickle, sys
from pathlib import Path
import numpy as np
import eagle, hawk
RANKS = eagle.exec.RankPartition

def tell(value):
    Path(sys.argv[1], f"rank{RANKS().rank}").write_bytes(pickle.dumps(value))
"""


def start(program, folder, ranks=2, *arguments, **changes):
    """The process of mpiexec. The program's first argument is `folder`; kernels of the matrix and folds are found."""
    file = folder / "program.py"
    file.write_text(BEGIN + textwrap.dedent(program))
    paths = [str(HERE), str(MATRIX), str(STAND_INS), os.environ.get("PYTHONPATH")]
    return subprocess.Popen(
        [MPIEXEC, "-n", str(ranks), sys.executable, "-m", "mpi4py", file, folder, *arguments],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths)), **changes},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )


def end(job):
    """Ends what is left of a job: ranks outlive an mpiexec that is killed."""
    if job.poll() is None:
        os.killpg(job.pid, signal.SIGKILL)
        job.wait()


def told(program, folder, ranks=2, **changes):
    """What each rank told, in the order of ranks. A job that fails fails the test with what it printed."""
    folder.mkdir(exist_ok=True)
    job = start(program, folder, ranks, **changes)
    try:
        said, _ = job.communicate(timeout=120)
    finally:
        end(job)
    assert job.returncode == 0, said
    return [pickle.loads((folder / f"rank{rank}").read_bytes()) for rank in range(ranks)]
