"""Lists of hypotheses as the text files of other tools: a table of formats, to read and to write.

A format of ours is a module of this folder with `reader()`, if its unit is a line, and with
`sentences(blocks, source)` (documents.py), if it is a sentence.  Where lists can be written it has
`pages(lists, source)` (pages.py), or `write(lists, source)` for lines that are no columns.  To add
one, add its module and its row here.  Only the module that is used is loaded.

A format of one's own (own.py) is added by `FORMATS.add("my-format", read)`, or found by its name
among the entry points of the group campanula.list_formats.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator, Mapping
from types import ModuleType
from typing import Any, Protocol

from campanula.formats.nbest.blocks import Block
from campanula.formats.nbest.documents import DocumentFormat
from campanula.formats.nbest.pages import Page, lines
from campanula.formats.nbest.reading import LineReader, read_lists
from campanula.formats.records.kbest import KBest
from campanula.formats.registry import Registry


class ListFormat(Protocol):
    """How lists of a tool are read and, if they can be, written."""

    @property
    def writes(self) -> bool:
        """Whether lists can be written."""
        ...

    @property
    def options(self) -> tuple[str, ...]:
        """Names of the settings that it takes."""
        ...

    @property
    def needed(self) -> tuple[str, ...]:
        """Those of them without which it cannot read."""
        ...

    def with_options(self, given: Mapping[str, Any]) -> ListFormat:
        """The same with settings."""
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

    def pages(self, lists: Iterable[KBest], source: str) -> Iterator[Page] | None:
        """Yield the lines of each list in columns; None for a format that gives them as text."""
        ...


class OurFormat:
    """A format that is a module of this folder, whose unit is a line; it takes no settings."""

    options: tuple[str, ...] = ()
    needed: tuple[str, ...] = ()

    def __init__(self, name: str, writes: bool = False) -> None:
        self.name = name
        self.writes = writes

    def own_file(self) -> str | None:
        """None: ours count with the program."""
        return None

    def with_options(self, given: Mapping[str, Any]) -> OurFormat:
        """The same: there is nothing to set."""
        return self

    def _module(self) -> ModuleType:
        return importlib.import_module(f"{__name__}.{self.name}")

    def reader(self) -> LineReader:
        """A reader of one list."""
        reader: LineReader = self._module().reader()
        return reader

    def read(self, blocks: Iterable[Block], source: str) -> Iterator[KBest]:
        """Yield the lists of a file by sentence; raises DataError that names the line."""
        return read_lists(blocks, self.reader(), source)

    def pages(self, lists: Iterable[KBest], source: str) -> Iterator[Page] | None:
        """Yield the lines of each list in columns; None for a format that gives them as text.

        Raises DataError for what the format cannot hold.
        """
        module = self._module()
        pages: Iterator[Page] | None = (
            module.pages(lists, source) if hasattr(module, "pages") else None
        )
        return pages

    def write(self, lists: Iterable[KBest], source: str) -> Iterator[str]:
        """Yield lines from lists; raises DataError for what the format cannot hold."""
        pages = self.pages(lists, source)
        if pages is None:
            yield from self._module().write(lists, source)
        else:
            for page in pages:
                yield from lines(page)


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
        "csv": DocumentFormat("csv_table", ("text", "id", "score", "features")),
        "espnet": DocumentFormat("espnet"),
        "hypr": DocumentFormat("hypr"),
        "hyporadise": DocumentFormat("hypr"),
        "kaldi": DocumentFormat("kaldi", ("costs", "scores")),
        "lines": DocumentFormat("plain_lines", ("size",), ("size",)),
        "nemo": DocumentFormat("plain_lines", ("size",), ("size",)),
        "openai": DocumentFormat("openai"),
        "sockeye": DocumentFormat("sockeye"),
        "srilm": DocumentFormat("srilm"),
        "vosk": DocumentFormat("vosk"),
        "wenet": DocumentFormat("wenet"),
        "json": DocumentFormat("key_paths", ("text", "id", "score", "features", "list", "records")),
    }
)
