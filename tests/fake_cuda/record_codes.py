#!/usr/bin/env python3
"""Records what the CUDA driver answers to calls that are right and calls that break its rules, by NVIDIA's own
`cuda-bindings`. `python record_codes.py codes.json` writes the names of the codes, call by call.

On a card the outcome is the golden file, tests/fake_cuda/codes.json; on the fake driver it must be the same.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from cuda.bindings import driver as d

THREAD_LOCAL = d.CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_THREAD_LOCAL
GLOBAL = d.CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_GLOBAL


class Recorder:
    """The codes by the name of the step; a step's name says what is called and when."""

    def __init__(self) -> None:
        self.codes: dict[str, str] = {}

    def __call__(self, step: str, answer: tuple[Any, ...]) -> Any:
        assert step not in self.codes, step
        self.codes[step] = answer[0].name
        return answer[1] if len(answer) == 2 else answer[1:]


def device(r: Recorder) -> Any:
    r("cuCtxGetDevice before cuInit", d.cuCtxGetDevice())
    r("cuInit", d.cuInit(0))
    r("cuDeviceGet of a device that is not there", d.cuDeviceGet(99))
    r("cuCtxGetDevice without a context", d.cuCtxGetDevice())
    r("cuStreamCreate without a context", d.cuStreamCreate(1))
    context = r("cuDevicePrimaryCtxRetain", d.cuDevicePrimaryCtxRetain(0))
    r("cuCtxSetCurrent", d.cuCtxSetCurrent(context))
    return context


def memory(r: Recorder) -> Any:
    at = r("cuMemAlloc", d.cuMemAlloc(4096))
    r("cuMemAlloc of nothing", d.cuMemAlloc(0))
    r("cuMemFree of an address that is none", d.cuMemFree(12345))
    r("cuMemHostAlloc of nothing", d.cuMemHostAlloc(0, 0))
    return at


def events(r: Recorder, stream: Any) -> None:
    event = r("cuEventCreate", d.cuEventCreate(2))
    r("cuEventQuery before a record", d.cuEventQuery(event))
    r("cuEventRecord", d.cuEventRecord(event, stream))
    r("cuStreamWaitEvent", d.cuStreamWaitEvent(stream, event, 0))
    r("cuEventSynchronize", d.cuEventSynchronize(event))


def captures(r: Recorder, at: Any) -> Any:
    stream = r("cuStreamCreate non-blocking", d.cuStreamCreate(1))
    events(r, stream)
    r("cuStreamEndCapture without a capture", d.cuStreamEndCapture(stream))
    r("cuStreamBeginCapture of the legacy stream", d.cuStreamBeginCapture(0, THREAD_LOCAL))
    r("cuStreamBeginCapture", d.cuStreamBeginCapture(stream, THREAD_LOCAL))
    r("cuStreamBeginCapture twice", d.cuStreamBeginCapture(stream, THREAD_LOCAL))
    r("cuMemsetD8Async in a capture", d.cuMemsetD8Async(at, 7, 64, stream))
    graph = r("cuStreamEndCapture", d.cuStreamEndCapture(stream))

    r("cuStreamBeginCapture for a synchronize", d.cuStreamBeginCapture(stream, THREAD_LOCAL))
    r("cuStreamSynchronize in a capture", d.cuStreamSynchronize(stream))
    r("cuMemsetD8Async in a capture that is ended", d.cuMemsetD8Async(at, 7, 64, stream))
    r("cuStreamEndCapture of one that is ended", d.cuStreamEndCapture(stream))

    other = r("cuStreamCreate of a branch", d.cuStreamCreate(1))
    fork = r("cuEventCreate of a fork", d.cuEventCreate(2))
    r("cuStreamBeginCapture for a branch", d.cuStreamBeginCapture(stream, THREAD_LOCAL))
    r("cuEventRecord of a fork", d.cuEventRecord(fork, stream))
    r("cuStreamWaitEvent of a fork", d.cuStreamWaitEvent(other, fork, 0))
    r("cuMemsetD8Async on a branch", d.cuMemsetD8Async(at, 8, 64, other))
    r("cuEventSynchronize of a fork", d.cuEventSynchronize(fork))
    r("cuStreamEndCapture of a branch's stream", d.cuStreamEndCapture(other))
    r("cuStreamEndCapture with a branch left over", d.cuStreamEndCapture(stream))

    blocking = r("cuStreamCreate blocking", d.cuStreamCreate(0))
    r("cuStreamBeginCapture of a blocking stream", d.cuStreamBeginCapture(blocking, GLOBAL))
    r("cuMemsetD8Async on the legacy stream beside it", d.cuMemsetD8Async(at, 7, 64, 0))
    r("cuStreamEndCapture of the blocking stream", d.cuStreamEndCapture(blocking))
    return stream, graph


def graphs(r: Recorder, stream: Any, graph: Any) -> None:
    exec_ = r("cuGraphInstantiate", d.cuGraphInstantiate(graph, 0))
    r("cuGraphLaunch", d.cuGraphLaunch(exec_, stream))
    r("cuStreamSynchronize", d.cuStreamSynchronize(stream))
    nodes = d.cuGraphGetNodes(graph, 8)[1]
    r("cuGraphNodeSetEnabled of a memset", d.cuGraphNodeSetEnabled(exec_, nodes[0], 0))
    empty = r("cuGraphCreate", d.cuGraphCreate(0))
    node = r("cuGraphAddEmptyNode", d.cuGraphAddEmptyNode(empty, None, 0))
    both = r("cuGraphInstantiate of an empty node", d.cuGraphInstantiate(empty, 0))
    r("cuGraphNodeSetEnabled of an empty node", d.cuGraphNodeSetEnabled(both, node, 0))
    r("cuGraphDestroy", d.cuGraphDestroy(empty))
    r("cuGraphExecDestroy", d.cuGraphExecDestroy(both))


def modules(r: Recorder) -> None:
    r("cuModuleLoadData of no code", d.cuModuleLoadData(b"no code at all, and long enough to be looked at\0"))


def run() -> dict[str, Any]:
    recorder = Recorder()
    device(recorder)
    at = memory(recorder)
    stream, graph = captures(recorder, at)
    graphs(recorder, stream, graph)
    modules(recorder)
    _, version = d.cuDriverGetVersion()
    _, name = d.cuDeviceGetName(128, 0)
    return {"device": name.split(b"\0")[0].decode(), "driver": version, "codes": recorder.codes}


def main(arguments: list[str]) -> int:
    outcome = run()
    text = json.dumps(outcome, indent=2) + "\n"
    if arguments:
        with open(arguments[0], "w") as file:
            file.write(text)
    print(f"{len(outcome['codes'])} codes of {outcome['device']}, driver {outcome['driver']}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
