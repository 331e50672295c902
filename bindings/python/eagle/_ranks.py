"""Ranks over MPI: the same script on several processes, each with its part of the samples."""

from typing import Any

from ._core import DeviceKernel, HostTeam, require_communicator
from ._core import RankPartition as _RankPartition
from .errors import BadHandle


def _world() -> Any:
    try:
        from mpi4py import MPI
    except ImportError as error:
        raise ImportError(
            "eagle.exec.RankPartition needs mpi4py and an MPI, which are not installed: pip install mpi4py mpich"
        ) from error
    return MPI.COMM_WORLD


def _require_running() -> None:
    """MPI itself ends the process."""
    from mpi4py import MPI

    if MPI.Is_finalized():
        raise BadHandle(
            "MPI is finalized in this process; RankPartition needs it running: use it before MPI.Finalize()"
        )


class _Side:
    """A communicator of eagle's own beside one of the caller's, for messages that nobody else reads."""

    def __init__(self, comm: Any) -> None:
        self.comm = comm
        self.made = 0

    def messages(self, any_source: int) -> tuple[Any, Any, int, int]:
        """Of the next RankPartition; MPI promises tags below 32,768."""
        self.made += 1
        return self.comm.Isend, self.comm.Improbe, any_source, self.made % 32768


_key: Any = None


def _side_of(comm: Any) -> _Side:
    """Made once a communicator, by all its processes together, and kept with it."""
    global _key
    from mpi4py import MPI

    if _key is None:
        _key = MPI.Comm.Create_keyval()
    side = comm.Get_attr(_key)
    if side is None:
        side = _Side(comm.Dup())
        comm.Set_attr(_key, side)
    return side


class RankPartition(_RankPartition):
    """The processes of an MPI communicator, each of which does its part of the samples.

    Under `mpiexec -n 4 python job.py` every rank runs the same script, is given the whole planes, and ends each launch
    with the whole result. Making, binding, rebinding, running, launching and `allgather` are collective: every rank
    does the same in the same order, and what fails on one fails on all. One caller at a time (Busy).

    `comm`: a communicator of mpi4py, by default all processes of the job. `structure`: what each rank runs its part
    on; by default where its arrays are, all threads that the rank may use or their device. `gather=False`: written
    planes hold each rank's own samples after a launch, and what they held before elsewhere, until
    `allgather(*planes)`; for steps that read no other rank's samples. `partition(n_samples)` is this rank's part.
    """

    def __init__(
        self, comm: Any = None, *, structure: HostTeam | DeviceKernel | None = None, gather: bool = True
    ) -> None:
        comm = _world() if comm is None else comm
        for needed in ("Get_rank", "Get_size", "Allgatherv", "Dup", "Get_attr", "Set_attr"):
            if not callable(getattr(comm, needed, None)):
                raise TypeError(f"comm is {comm!r}; RankPartition needs a communicator of mpi4py")

        from mpi4py import MPI

        _require_running()
        require_communicator(comm)
        if isinstance(comm, MPI.Intercomm):
            raise ValueError(
                "comm is an intercommunicator, of two groups of processes; RankPartition needs one group: give "
                "comm.Merge(), or the communicator of each side"
            )

        here = (comm.Get_rank(), comm.Get_size())
        messages = _side_of(comm).messages(MPI.ANY_SOURCE) if here[1] > 1 else None
        super().__init__(
            *here, comm.Allgatherv, MPI.IN_PLACE, MPI.BYTE, structure=structure, gather=gather, messages=messages
        )
        self._comm = comm

    def __reduce__(self) -> Any:
        return _restore, (self._comm, self.structure, self.gather)


def _restore(comm: Any, structure: HostTeam | DeviceKernel | None, gather: bool) -> RankPartition:
    return RankPartition(comm, structure=structure, gather=gather)
