"""Lists of hypotheses as the text files of other tools: a table of formats, to read and to write.

A format of ours is a module of this folder with `reader()` and, where lists can be written,
`write(lists, source)`.  To add one, add its module and its row here.  Only the module that is used
is loaded.

A format of one's own (own.py) is added by `FORMATS.add("my-format", read)`, or found by its name
among the entry points of the group campanula.list_formats.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator, Mapping
from types import ModuleType
from typing import Protocol

from campanula.formats.nbest.blocks import Block
from campanula.formats.nbest.reading import LineReader, read_lists
from campanula.formats.records.kbest import KBest
from campanula.formats.registry import Registry


class ListFormat(Protocol):
    """How lists of a tool are read and, if they can be, written."""

    @property
    def writes(self) -> bool:
        """Whether lists can be written."""
        ...

    def own_file(self) -> str | None:
        """Path of the code of a format of one's own, if it has one; None for ours."""
        ...

    def read(self, blocks: Iterable[Block], source: str) -> Iterator[KBest]:
        """Yield the lists of a file by sentence; raises DataError that names the line."""
        ...

    def write(self, lists: Iterable[KBest], source: str) -> Iterator[str]:
        """Yield lines from lists; raises DataError for what the format cannot hold."""
        ...


class OurFormat:
    """A format that is a module of this folder."""

    def __init__(self, name: str, writes: bool = False) -> None:
        self.name = name
        self.writes = writes

    def own_file(self) -> str | None:
        """None: ours count with the program."""
        return None

    def _module(self) -> ModuleType:
        return importlib.import_module(f"{__name__}.{self.name}")

    def reader(self) -> LineReader:
        """A reader of one list."""
        reader: LineReader = self._module().reader()
        return reader

    def read(self, blocks: Iterable[Block], source: str) -> Iterator[KBest]:
        """Yield the lists of a file by sentence; raises DataError that names the line."""
        return read_lists(blocks, self.reader(), source)

    def write(self, lists: Iterable[KBest], source: str) -> Iterator[str]:
        """Yield lines from lists; raises DataError for what the format cannot hold."""
        yield from self._module().write(lists, source)


class ListFormats(Registry[ListFormat]):
    """The formats by name; what is added, or found as an entry point, may be a mere function."""

    def __init__(self, ours: Mapping[str, ListFormat]) -> None:
        super().__init__("list format", "campanula.list_formats", ours)

    def add(self, name: str, item: object) -> None:
        """Add a function `read`, or what has `read` and perhaps `write`, as own.py has it."""
        from campanula.formats.nbest.own import own_format

        super().add(name, own_format(name, item))

    def _of_entry_point(self, name: str) -> ListFormat:
        from campanula.formats.nbest.own import own_format

        return own_format(name, super()._of_entry_point(name))


FORMATS = ListFormats(
    {
        "moses": OurFormat("moses", writes=True),
        "cdec": OurFormat("cdec", writes=True),
        "joshua": OurFormat("joshua"),
        "travatar": OurFormat("travatar", writes=True),
        "phrasal": OurFormat("phrasal"),
        "marian": OurFormat("marian"),
        "fairseq": OurFormat("fairseq"),
        "jsonl": OurFormat("jsonl", writes=True),
        "tsv": OurFormat("tsv"),
    }
)
