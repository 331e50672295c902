"""Arrays of other libraries, without a copy, and what they must be.

    view = eagle.interop.import_buffer(tensor, require=Requirements(dtype="float64", contiguous=True))
    numpy.from_dlpack(view)                  # the same memory again

`BufferRefused` says every requirement that is not met, `InteropError` who broke DLPack or the stream contract.
"""

from ._core import BufferView, Requirements, import_buffer
from .errors import BufferRefused, InteropError

__all__ = ["BufferRefused", "BufferView", "InteropError", "Requirements", "import_buffer"]
