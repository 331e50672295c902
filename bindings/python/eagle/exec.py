"""Execution structures: what a plan runs on."""

from ._core import HostTeam, Partition

__all__ = ["HostTeam", "Partition"]
