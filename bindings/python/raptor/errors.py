"""Errors and warnings that more than one package raises.

They stand here, below every package that uses them, so that `hawk` without `eagle` raises the same classes as `eagle`.
Their texts say, in this order, what happened, the value found, the value needed and the next step.
"""

__all__ = [
    "BufferRefused",
    "CapabilityError",
    "InteropError",
    "LayoutError",
    "LayoutWarning",
    "PerformanceWarning",
]


class LayoutError(ValueError):
    """The shape or length of an array does not fit the plane it was given for."""


class BufferRefused(ValueError):
    """A property of an array other than its shape: dtype, writability, byte order, device, overlap."""


class InteropError(ValueError):
    """A producer or consumer broke the DLPack or the stream contract."""


class CapabilityError(NotImplementedError):
    """The backend or device cannot do what was asked."""


class LayoutWarning(UserWarning):
    """An array was copied because its memory layout is not the kernel's."""


class PerformanceWarning(UserWarning):
    """A call did more than it had to, for example a conversion of dtype by value."""
