"""Execution structures: what a plan runs on."""

from ._core import DeviceKernel, HostTeam, Partition

__all__ = ["DeviceKernel", "HostTeam", "Partition"]
