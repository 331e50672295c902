"""Execution structures: what a plan runs on."""

from ._core import DeviceKernel, HostTeam, Partition
from ._ranks import RankPartition

__all__ = ["DeviceKernel", "HostTeam", "Partition", "RankPartition"]
