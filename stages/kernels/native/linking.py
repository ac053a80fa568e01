"""Link object files into one image, which needs only addresses to run.

Distances within an image are known; addresses are known only when it is in memory.  An image lists
the places of 64-bit addresses: its own start, or a symbol of the process, plus a number.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from campanula.stages.kernels.native import Unsupported
from campanula.stages.kernels.native import object_file as elf
from campanula.stages.kernels.native.image import PAGE, Image
from campanula.stages.kernels.native.object_file import ObjectFile, Section, Symbol

AT_START = (".init", ".ctors", ".fini", ".dtors")
"""Prefixes of sections whose code a program runs at its start or end."""

DISTANCES = {elf.DISTANCE_64: 8, elf.DISTANCE_32: 4, elf.CALL_32: 4}
"""Bytes of a distance, by kind of relocation."""


class Linker:
    """Links object files: the image's content so far, and the names and places in it."""

    def __init__(self, files: Sequence[ObjectFile]) -> None:
        self.files = files
        self.content = bytearray()
        self.place_of: dict[tuple[int, int], int] = {}  # of a section of a file
        self.defined: dict[str, int] = {}  # places of the names that files share
        self.names: dict[str, int] = {"": 0}  # symbols of the process; the first is the image
        self.entries: list[tuple[int, int, int]] = []  # place, symbol, addend

    def link(self) -> Image:
        """Lay out the sections, define the symbols, resolve what can be resolved."""
        self._lay_out(executable=True)
        # data begins on a page of its own: code's pages are closed to writing
        self._align(PAGE)
        code = len(self.content)
        self._lay_out(executable=False)
        self._define()
        for number, file in enumerate(self.files):
            self._relocate(number, file)
        self._align(8)
        rows = np.array(self.entries, dtype=np.int64).reshape(-1, 3)
        return Image(bytes(self.content), code, tuple(self.names), rows, dict(self.defined))

    def _align(self, size: int) -> None:
        self.content.extend(bytes(-len(self.content) % size))

    def _lay_out(self, executable: bool) -> None:
        """Append the sections that are loaded: code, or all others."""
        for number, file in enumerate(self.files):
            for place, section in enumerate(file.sections):
                if is_loaded(section) and bool(section.flags & elf.EXECUTABLE) == executable:
                    self._align(section.align)
                    self.place_of[number, place] = len(self.content)
                    self.content.extend(section.content)
                    self.content.extend(bytes(section.size - len(section.content)))

    def _define(self) -> None:
        for number, file in enumerate(self.files):
            for symbol in file.symbols:
                if symbol.name in self.defined or symbol.local:
                    continue
                if symbol.section in (elf.COMMON, elf.LARGE_COMMON):
                    self._align(max(symbol.value, 8))
                    self.defined[symbol.name] = len(self.content)
                    self.content.extend(bytes(symbol.size))
                elif (number, symbol.section) in self.place_of:
                    start = self.place_of[number, symbol.section]
                    self.defined[symbol.name] = start + symbol.value

    def _relocate(self, number: int, file: ObjectFile) -> None:
        for section, place, kind, symbol, addend in file.relocations():
            if (number, section) not in self.place_of:
                continue  # of tables for unwinding the stack, which no kernel does
            at = self.place_of[number, section] + place
            target = self._target(number, file.symbols[symbol])
            if kind == elf.ADDRESS:
                self._note(at, target, addend)
            elif kind in DISTANCES and isinstance(target, int):
                self._put(at, target + addend - at, DISTANCES[kind])
            else:
                raise Unsupported(f"a relocation of kind {kind} to {target}")

    def _target(self, number: int, symbol: Symbol) -> int | str:
        """Return a symbol's place in the image, or the name of a symbol of the process."""
        if not symbol.local and symbol.name in self.defined:
            return self.defined[symbol.name]
        if symbol.section == elf.NOWHERE and symbol.name:
            return symbol.name
        if (number, symbol.section) not in self.place_of:
            raise Unsupported(f"a symbol in section {symbol.section}")
        return self.place_of[number, symbol.section] + symbol.value

    def _note(self, at: int, target: int | str, addend: int) -> None:
        if isinstance(target, int):
            self.entries.append((at, 0, target + addend))
        else:
            self.entries.append((at, self.names.setdefault(target, len(self.names)), addend))

    def _put(self, at: int, distance: int, size: int) -> None:
        try:
            self.content[at : at + size] = distance.to_bytes(size, "little", signed=True)
        except OverflowError:
            raise Unsupported("a distance of more than 32 bits") from None


def is_loaded(section: Section) -> bool:
    """Whether a section is part of an image; raise Unsupported for one that we cannot load."""
    if not section.flags & elf.LOADED or section.kind == elf.UNWINDING or not section.size:
        return False
    if section.name == ".eh_frame":
        return False
    other = section.flags & elf.OF_THREAD or section.kind not in (elf.PROGRAM_DATA, elf.ZEROS)
    if other or section.name.startswith(AT_START):
        raise Unsupported(f"section {section.name}")
    return True


def linked(files: Iterable[bytes]) -> Image:
    """Return the image of object files; raise Unsupported if they cannot be linked."""
    return Linker([ObjectFile(data) for data in files]).link()
