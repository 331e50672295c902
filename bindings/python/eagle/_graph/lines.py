"""Which line of the user's program a call came from."""

import os
import sys

_OURS = (os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep,)
_LIBRARY = (os.path.dirname(os.path.abspath(os.__file__)) + os.sep + "contextlib.py",)


def caller() -> tuple[str, int]:
    """File and line of the nearest frame outside eagle."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_OURS + _LIBRARY):
        frame = frame.f_back
    return frame.f_code.co_filename, frame.f_lineno
