"""The processor here: what it can do, and what a file needs of it."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

_CPUINFO = Path("/proc/cpuinfo")
_NEEDS = re.compile(rb"hawk host cpu:([^\0]*)\0")
# Other names that a sidecar may use, in the words of /proc/cpuinfo.
_SYSTEM_NAMES = {"sse3": "pni", "lzcnt": "abm", "sha": "sha_ni", "bmi": "bmi1"}
_LATE_AVX512 = ("vbmi2", "vnni", "bitalg", "vpopcntdq", "bf16", "fp16")


@cache
def description() -> tuple[str, frozenset[str]]:
    """Vendor, family, model and stepping in one line, and the feature names. Empty where the system does not say."""
    identity: list[str] = []
    features: frozenset[str] = frozenset()
    try:
        with _CPUINFO.open() as lines:
            for line in lines:
                key, _, value = (part.strip() for part in line.partition(":"))
                if key in ("vendor_id", "cpu family", "model", "stepping"):
                    identity.append(value)
                elif key == "flags":
                    features = frozenset(value.split())
                    break
    except OSError:
        pass
    return " ".join(identity), features


@cache
def last_cache_bytes() -> int | None:
    """Size of the last-level cache, where the system tells."""
    for index in (3, 2):
        try:
            text = Path(f"/sys/devices/system/cpu/cpu0/cache/index{index}/size").read_text().strip()
        except OSError:
            continue
        found = re.fullmatch(r"(\d+)([KM])", text)
        if found:
            return int(found[1]) << (10 if found[2] == "K" else 20)
    return None


def needed_by(file: bytes) -> list[str]:
    """Feature names, sorted, that a compiled kernel states it needs (host_cpu.h)."""
    found = _NEEDS.search(file)
    return sorted(found[1].decode().split()) if found else []


def missing(needed: list[str]) -> list[str]:
    """Those of the names that this processor has not."""
    have = description()[1]
    return [name for name in needed if name not in have and _system_name(name) not in have]


def _system_name(name: str) -> str:
    name = _SYSTEM_NAMES.get(name, name).replace(".", "_")
    late = name.removeprefix("avx512")
    return f"avx512_{late}" if late in _LATE_AVX512 else name
