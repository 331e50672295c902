"""The error of kernel language and compiling."""

from __future__ import annotations


class HawkError(Exception):
    """A kernel that cannot be read, compiled or loaded.

    Attributes:
        file, line: where in the user's source, or None where there is no such place.
        construct: the piece of source refused, or None.
    """

    def __init__(
        self, message: str, *, file: str | None = None, line: int | None = None, construct: str | None = None
    ) -> None:
        self.file = file
        self.line = line
        self.construct = construct
        place = "" if file is None else f"{file}:{line}: " if line is not None else f"{file}: "
        super().__init__(place + message)

    def __reduce__(self) -> tuple[object, ...]:
        return (_rebuild, (str(self), self.file, self.line, self.construct))


def _rebuild(text: str, file: str | None, line: int | None, construct: str | None) -> HawkError:
    error = HawkError(text)
    error.file, error.line, error.construct = file, line, construct
    return error
