"""Backends that other distributions bring: entry-point group `eagle.backends`, name = kind, value = a function
without arguments that returns the path of the shared library (or the path itself). Asked by the loader last, and only
on a miss."""

import os
from importlib.metadata import entry_points

GROUP = "eagle.backends"


def resolve(kind: str) -> str | None:
    """The absolute path of the backend of `kind` that an installed distribution names, or None.

    ValueError when several name different files, or one names something that is no absolute path.
    """
    found: dict[str, str] = {}
    for entry in entry_points(group=GROUP, name=kind):
        value = entry.load()
        path = os.fspath(value() if callable(value) else value)
        if not os.path.isabs(path):
            raise ValueError(
                f"entry point {entry.value} of {GROUP} gives {path!r} for kind {kind!r}; it must be an absolute path"
            )
        found[path] = entry.value
    if len(found) > 1:
        raise ValueError(
            f"several entry points of {GROUP} serve kind {kind!r}: {', '.join(found.values())}; uninstall all but one"
        )
    return next(iter(found), None)
