"""From generated source to a loadable file: the compilers, their flags, the cache of what they made."""

from hawk.compiling.amd import compile_for_amd
from hawk.compiling.cuda import compile_for_cards
from hawk.compiling.kept import Library
from hawk.compiling.make import compile_source

__all__ = ["Library", "compile_for_amd", "compile_for_cards", "compile_source"]
