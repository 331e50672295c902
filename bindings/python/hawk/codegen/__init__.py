"""From a Program to C++ source over hawk's headers."""

from hawk.codegen.source import Generated, generate

__all__ = ["Generated", "generate"]
