"""eagle: runs compiled per-sample kernels over millions of samples.

    plan = eagle.deploy(kernel)                  # a @hawk.kernel, or the folder of an artifact
    y = plan.run(x=x, a=2.0)                     # outputs are allocated
    bound = plan.bind(x=x, a=2.0, out=y)         # nothing is allocated, nothing converted
    bound.launch()
    result = eagle.simulate(model, max_steps=1000, x=x, v=v, dt=0.01)

Importing it loads libeagle and nothing else: no backend is opened, no device touched, no compiler started.
"""

from . import exec, interop, registry
from ._backends import BackendInfo, backend_report, backends
from ._core import (
    ActiveSet,
    Artifact,
    BoundPlan,
    DeviceArray,
    DeviceProps,
    Kernel,
    Parameter,
    Partition,
    Plan,
    Progress,
    __version__,
    copy,
    device_props,
    empty,
    register_backend_path,
    zeros,
)
from ._deploy import deploy, plan
from ._graph import BuiltGraph, Graph, Recorder, graph
from ._launch_context import launch_context
from ._layout import samples_first, samples_last
from ._pinned import pinned
from ._simulate import SimResult, Simulation, State, simulate, simulation
from ._trace import Trace, trace
from ._until_done import until_done
from .errors import (
    BackendUnavailable,
    BadHandle,
    BufferRefused,
    Busy,
    CapabilityError,
    InteropError,
    LayoutError,
    LayoutWarning,
    OutOfMemory,
    PerformanceWarning,
    Unsupported,
)

__all__ = [
    "ActiveSet",
    "Artifact",
    "BackendInfo",
    "BackendUnavailable",
    "BadHandle",
    "BoundPlan",
    "BufferRefused",
    "BuiltGraph",
    "Busy",
    "CapabilityError",
    "DeviceArray",
    "DeviceProps",
    "Graph",
    "InteropError",
    "Kernel",
    "LayoutError",
    "LayoutWarning",
    "OutOfMemory",
    "Parameter",
    "Partition",
    "PerformanceWarning",
    "Plan",
    "Progress",
    "Recorder",
    "SimResult",
    "Simulation",
    "State",
    "Trace",
    "Unsupported",
    "__version__",
    "backend_report",
    "backends",
    "copy",
    "deploy",
    "device_props",
    "empty",
    "exec",
    "graph",
    "interop",
    "launch_context",
    "pinned",
    "plan",
    "register_backend_path",
    "registry",
    "samples_first",
    "samples_last",
    "simulate",
    "simulation",
    "trace",
    "until_done",
    "zeros",
]
