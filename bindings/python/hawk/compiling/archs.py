"""Names of architectures, and which of them each kind of card takes."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from typing import Any

from hawk.errors import HawkError

CUDA = r"(sm|compute)_[0-9]{2,3}"
HIP = r"gfx[0-9]{1,3}[0-9a-f]+"
_USE = {
    CUDA: "use a name such as 'sm_90' (code for that card) or 'compute_90' (PTX for it and newer ones)",
    HIP: "use a name such as 'gfx942' (code for that processor)",
}


def names_of(arch: str | Sequence[str], patterns: Sequence[str], said: str = "arch is") -> tuple[str, ...]:
    """Each name once. Raises HawkError, which begins with `said`, for one that none of the patterns takes."""
    names: tuple[Any, ...] = tuple(arch) if isinstance(arch, list | tuple) else (arch,)
    for name in names:
        if not isinstance(name, str) or not any(re.fullmatch(pattern, name) for pattern in patterns):
            uses = [_USE[pattern] for pattern in patterns if pattern in _USE]
            use = ", ".join(uses) + ", or several of them" if uses else "none of the targets takes architectures"
            raise HawkError(f"{said} {name!r}; {use}")
    return tuple(dict.fromkeys(names))


def own(names: tuple[str, ...] | None, pattern: str) -> tuple[str, ...] | None:
    """Those of the names that the pattern takes; None where there are none."""
    return tuple(name for name in names or () if re.fullmatch(pattern, name)) or None


def of_this_machine(variable: str, cards: Callable[[], Sequence[str]], pattern: str) -> tuple[str, ...]:
    """The names in an environment variable, else those of this machine's cards."""
    named = os.environ.get(variable, "").strip()
    if not named:
        return names_of(list(cards()), [pattern])
    return names_of(re.split(r"[\s,]+", named), [pattern], f"${variable} names")
