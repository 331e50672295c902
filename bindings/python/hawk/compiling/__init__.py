"""From generated source to a loadable file: the compiler, its flags, the cache of what it made."""

from hawk.compiling.make import Library, compile_source

__all__ = ["Library", "compile_source"]
