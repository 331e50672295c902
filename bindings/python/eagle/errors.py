"""What eagle raises.

Errors of arguments are those of `raptor.errors`, shared with hawk; the others are defined by libeagle's binding.
TypeError is raised for names and kinds of arguments, ValueError for values, IndexError and ZeroDivisionError for
faults inside a kernel.
"""

from raptor.errors import (
    BufferRefused,
    CapabilityError,
    InteropError,
    LayoutError,
    LayoutWarning,
    PerformanceWarning,
)

from ._core import BackendUnavailable, BadHandle, Busy, OutOfMemory, Unsupported

# A traceback names them by where a user of eagle imports them from; pickles find them there as well.
for _error in (BufferRefused, CapabilityError, InteropError, LayoutError, LayoutWarning, PerformanceWarning):
    _error.__module__ = "eagle"

__all__ = [
    "BackendUnavailable",
    "BadHandle",
    "BufferRefused",
    "Busy",
    "CapabilityError",
    "InteropError",
    "LayoutError",
    "LayoutWarning",
    "OutOfMemory",
    "PerformanceWarning",
    "Unsupported",
]
