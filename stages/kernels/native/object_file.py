"""Read an object file: sections, symbols, relocations (ELF for x86-64).

Numba keeps a kernel as such a file: machine code, and the places where addresses must be written.
The code may lie anywhere, so that relocations are of few kinds: 64 bits of an address, and 64 or 32
bits of a distance.

Source: System V Application Binary Interface, AMD64 Architecture Processor Supplement, chapter 4.
"""

from __future__ import annotations

from collections.abc import Iterator
from struct import Struct
from typing import NamedTuple

from campanula.stages.kernels.native import Unsupported

# The numbers below are the standard's, under names of ours.
MAGIC = b"\x7fELF\x02\x01\x01"  # 64 bits, little-endian, version 1
RELOCATABLE, X86_64 = 1, 62
PROGRAM_DATA, SYMBOLS, ADDENDS, ZEROS = 1, 2, 4, 8
UNWINDING = 0x70000001  # tables for unwinding the stack, for exceptions of C++
WRITABLE, LOADED, EXECUTABLE, OF_THREAD = 1, 2, 4, 0x400
NOWHERE, FIRST_SPECIAL = 0, 0xFF00
COMMON, LARGE_COMMON = 0xFFF2, 0xFF02
ADDRESS, DISTANCE_32, CALL_32, DISTANCE_64 = 1, 2, 4, 24

HEADER = Struct("<16sHHIQQQIHHHHHH")
SECTION = Struct("<IIQQQQIIQQ")
SYMBOL = Struct("<IBBHQQ")
RELOCATION = Struct("<QQq")


class Section(NamedTuple):
    """A stretch of code or data; `content` is shorter than `size` where zeros follow.

    kind and flags are the standard's; align: its place is a multiple of so many bytes.
    """

    name: str
    kind: int
    flags: int
    size: int
    align: int
    content: bytes


class Symbol(NamedTuple):
    """A name for a place in a section; section NOWHERE if another file defines it.

    value: the place, in bytes; size: how many bytes it names; local: no other file sees the name.
    """

    name: str
    section: int
    value: int
    size: int
    local: bool


class Relocation(NamedTuple):
    """A place in a section that must get the address of a symbol, or the distance to it.

    kind: which of the two, and in how many bits (ADDRESS, ...); addend: a number to add.
    """

    section: int
    place: int
    kind: int
    symbol: int
    addend: int


class ObjectFile:
    """An object file in memory; raise Unsupported for one of another kind or processor."""

    def __init__(self, data: bytes) -> None:
        if not data.startswith(MAGIC):
            raise Unsupported("no object file for 64 bits")
        _, kind, machine, *_, start, _, _, _, _, _, count, names = HEADER.unpack_from(data)
        if (kind, machine) != (RELOCATABLE, X86_64):
            raise Unsupported(f"an object file of kind {kind} for machine {machine}")
        self._data = data
        self._rows = [SECTION.unpack_from(data, start + i * SECTION.size) for i in range(count)]
        titles = self._content(names)
        self.sections = [self._section(i, titles) for i in range(count)]
        self.symbols = list(self._symbols())

    def _content(self, section: int) -> bytes:
        _, kind, _, _, offset, size, *_ = self._rows[section]
        return b"" if kind == ZEROS else self._data[offset : offset + size]

    def _section(self, section: int, titles: bytes) -> Section:
        name, kind, flags, _, _, size, _, _, align, _ = self._rows[section]
        # symbols and the like are read by _content where they are needed, and not loaded
        content = self._content(section) if flags & LOADED else b""
        return Section(text_at(titles, name), kind, flags, size, max(align, 1), content)

    def _tables(self, kind: int) -> Iterator[tuple[bytes, int, int]]:
        """Yield the tables of a kind: content, linked section (of names), section they apply to."""
        for place, row in enumerate(self._rows):
            _, own_kind, *_, linked, applies_to, _, _ = row
            if own_kind == kind:
                yield self._content(place), linked, applies_to

    def _symbols(self) -> Iterator[Symbol]:
        for table, names, _ in self._tables(SYMBOLS):
            titles = self._content(names)
            for name, info, _, section, value, size in SYMBOL.iter_unpack(table):
                yield Symbol(text_at(titles, name), section, value, size, info >> 4 == 0)

    def relocations(self) -> Iterator[Relocation]:
        """Yield the relocations of all sections."""
        for table, _, section in self._tables(ADDENDS):
            for place, info, addend in RELOCATION.iter_unpack(table):
                yield Relocation(section, place, info & 0xFFFFFFFF, info >> 32, addend)


def text_at(table: bytes, place: int) -> str:
    """Return the text at a place of a table of texts that end with a zero byte."""
    return table[place : table.index(b"\0", place)].decode()
