"""The symbols of an ELF file of 64 bits, read from its bytes alone."""

from __future__ import annotations

import struct
from dataclasses import dataclass

SYMBOL_TABLE = 2  # SHT_SYMTAB
NO_BYTES = 8  # SHT_NOBITS
GLOBAL, LOCAL, WEAK = 1, 0, 2  # STB_*
OBJECT, FUNCTION = 1, 2  # STT_*


@dataclass(frozen=True)
class Symbol:
    binding: int
    kind: int
    section: str  # "" for one that is defined elsewhere
    content: bytes


@dataclass(frozen=True)
class _Section:
    name: int
    kind: int
    offset: int
    size: int
    link: int

    def of(self, file: bytes) -> bytes:
        return b"" if self.kind == NO_BYTES else file[self.offset : self.offset + self.size]


def _text(table: bytes, at: int) -> str:
    return table[at : table.index(b"\0", at)].decode()


def symbols(file: bytes) -> dict[str, Symbol]:
    """By name; sections and what has no name are left out."""
    assert file[:6] == b"\x7fELF\x02\x01"  # 64 bits, the low byte first
    (sections_at,) = struct.unpack_from("<Q", file, 0x28)
    size, count, names_at = struct.unpack_from("<HHH", file, 0x3A)
    sections = []
    for i in range(count):
        name, kind, _, _, offset, length, link = struct.unpack_from("<IIQQQQI", file, sections_at + i * size)
        sections.append(_Section(name, kind, offset, length, link))
    names = sections[names_at].of(file)
    found: dict[str, Symbol] = {}
    for table in sections:
        if table.kind != SYMBOL_TABLE:
            continue
        texts = sections[table.link].of(file)
        for name, info, _, where, value, length in struct.iter_unpack("<IBBHQQ", table.of(file)):
            if name == 0 or info & 15 not in (OBJECT, FUNCTION):
                continue
            home = sections[where] if 0 < where < count else None
            content = home.of(file)[value : value + length] if home else b""
            found[_text(texts, name)] = Symbol(info >> 4, info & 15, _text(names, home.name) if home else "", content)
    return found
