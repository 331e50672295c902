"""Rows about ranks: two processes under mpiexec, which talk through MPI."""

import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
from matrix_kernels import KERNELS, planes

from raptor.conformance import register_row

COUNTS = (1, 5, 10_007)
HERE = Path(__file__).parent


def bits(arguments, result):
    """Every array of a call, written in place or returned, as bytes by name."""
    returned = result if isinstance(result, dict) else {"out": result}
    arrays = {**{k: v for k, v in arguments.items() if isinstance(v, np.ndarray)}, **returned}
    return {name: (np.shape(a), np.asarray(a).tobytes()) for name, a in arrays.items() if a is not None}


def on_ranks(program, folder, ranks=2):
    """What the program told on each rank; the program knows `tell`, and this module as `rows`."""
    file = folder / "program.py"
    file.write_text(f"import sys\nsys.path.insert(0, {str(HERE)!r})\nimport test_rank_rows as rows\n" + program)
    mpiexec = Path(sys.executable).with_name("mpiexec")
    done = subprocess.run(
        [mpiexec, "-n", str(ranks), sys.executable, "-m", "mpi4py", file, folder],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return [pickle.loads((folder / f"rank{rank}").read_bytes()) for rank in range(ranks)]


PROGRAM = """
import pickle
from pathlib import Path
import eagle

ranks = eagle.exec.RankPartition(structure=eagle.exec.HostTeam(2))
made = {}
for name, kernel in rows.KERNELS.items():
    for count in rows.COUNTS:
        for npartitions in (1, 3):
            plan = eagle.plan(kernel, structure=ranks, npartitions=npartitions)
            arguments = rows.planes(name, count)
            made[name, count, npartitions] = rows.bits(arguments, plan.run(**arguments))
Path(sys.argv[1], f"rank{ranks.rank}").write_bytes(pickle.dumps(made))
"""


@register_row("HAWK-EXEC-REFERENCE-RANKPARTITION")
def test_two_ranks_agree_with_the_serial_path(tmp_path):
    """hawk's own path is the reference; the kernels are elementwise and the ranks' structure is the host's, so that
    every rank has the same bits.
    """
    for made in on_ranks(PROGRAM, tmp_path):
        assert len(made) == len(KERNELS) * len(COUNTS) * 2
        for (name, count, npartitions), found in made.items():
            arguments = planes(name, count)
            wanted = bits(arguments, KERNELS[name](**arguments))
            assert found == wanted, (name, count, npartitions)
