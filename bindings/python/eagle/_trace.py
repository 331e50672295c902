"""A timeline of what ran, for Perfetto."""

import atexit
import os
from pathlib import Path
from types import TracebackType

from . import _core


class Trace:
    """A recording that `start` begins and `stop` writes; `with` does both. See `eagle.trace`."""

    def __init__(self, path: str | os.PathLike[str], max_events: int) -> None:
        if isinstance(max_events, int) and max_events < 1:
            raise ValueError(f"max_events is {max_events}; it must be a whole number of at least 1")
        self._path = Path(path).absolute()
        self._max_events = max_events
        self._recording: _core.Recording | None = None

    def start(self) -> "Trace":
        """Opens the file and begins.

        RuntimeError naming the path when it cannot be written, `eagle.Busy` when a recording runs in this process.
        A trace that has ended begins anew, and its file is written anew.
        """
        if self.running:
            raise _core.Busy("this trace is being recorded already; stop() it first")
        self._recording = _core.Recording(self._path, self._max_events)
        atexit.register(self.stop)
        return self

    def stop(self) -> None:
        """Ends the recording and writes the file; RuntimeError when that fails. Does nothing when none runs.

        Work of a device that is not done by then is not in it: synchronize first.
        """
        atexit.unregister(self.stop)
        if self._recording is not None:
            self._recording.stop()

    def __enter__(self) -> "Trace":
        return self.start()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.stop()

    @property
    def path(self) -> Path:
        """The file, as an absolute path."""
        return self._path

    @property
    def running(self) -> bool:
        """Whether this one is being recorded, in this process: the child of a fork records nothing."""
        return self._recording is not None and self._recording.running

    @property
    def events(self) -> int:
        """Events kept so far; of the last recording when none runs."""
        return 0 if self._recording is None else self._recording.events

    @property
    def dropped(self) -> int:
        """Events beyond `max_events`, which are not in the file."""
        return 0 if self._recording is None else self._recording.dropped

    def __repr__(self) -> str:
        state = "recording" if self.running else f"{self.events} events"
        return f"<eagle.Trace to '{self._path}', {state}>"


def trace(path: str | os.PathLike[str], *, max_events: int = 1_000_000) -> Trace:
    """A timeline of what runs, written to `path` in the Chrome trace format (JSON), which ui.perfetto.dev opens.

        with eagle.trace("run.json"):
            built()

    Rows of threads: launches, replays, captures, copies, loads, the phases of `simulate`, and the parts of kernels on
    the workers that computed them. Rows of streams: every node of a graph each time it ran, with its planes, bytes,
    kernel and line. Nodes and parts are seen on the kinds that run this machine's own code (`cpu`); of others the
    file has what the host did, and says so. Results are the same to the bit.

    An exception inside `with` passes, and the file is written; so it is when the program ends without `stop`. One
    recording runs at a time in a process. At most `max_events` events are kept (56 bytes each for the part of a
    kernel, some hundred more for the rest); what comes after is counted in the file. ValueError for less than 1.
    """
    return Trace(path, max_events)
