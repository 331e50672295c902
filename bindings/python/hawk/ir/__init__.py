"""Kernels as data: a small typed SSA form with regions, its text and its digest."""

from hawk.ir.build import Builder
from hawk.ir.canonical import Program, digest, text
from hawk.ir.nodes import BOOL, INT, REAL, Block, If, Value

__all__ = ["BOOL", "INT", "REAL", "Block", "Builder", "If", "Program", "Value", "digest", "text"]
