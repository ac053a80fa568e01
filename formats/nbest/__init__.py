"""Text files of other tools with lists of hypotheses: a table of formats, to read and to write.

A format of ours is a module of this folder.  It has `reader()` if it is read line by line, or
`sentences(blocks, source)` if it is read sentence by sentence (documents.py).  A format that can be
written has `pages(lists, source)` (pages.py), or `write(lists, source)` if its lines cannot be made
of columns.  To add a format, add its module and its row here.  Only modules in use are loaded.

A format of your own (own.py) is added by `FORMATS.add("my-format", read)`, or found by name among
the entry points of the group campanula.list_formats.
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
    """A format: reads lists of a tool and, if `writes`, writes them."""

    @property
    def writes(self) -> bool:
        """Whether lists can be written."""
        ...

    @property
    def options(self) -> tuple[str, ...]:
        """Names of the settings that the format takes."""
        ...

    @property
    def needed(self) -> tuple[str, ...]:
        """Names of the settings without which it cannot read."""
        ...

    def with_options(self, settings: Mapping[str, Any]) -> ListFormat:
        """Return the format with these settings."""
        ...

    def own_file(self) -> str | None:
        """Return the path of the code of a user's format, if it has one; None for ours."""
        ...

    def read(self, blocks: Iterable[Block], source: str) -> Iterator[KBest]:
        """Yield the lists of a file by sentence; raises DataError that names the line."""
        ...

    def write(self, lists: Iterable[KBest], source: str) -> Iterator[str]:
        """Yield the lines of lists; raises DataError for lists that the format cannot express."""
        ...

    def pages(self, lists: Iterable[KBest], source: str) -> Iterator[Page] | None:
        """Yield the lines of each list as columns; None for a format that writes only text."""
        ...


class OurFormat:
    """A format of this folder that is read line by line; it takes no settings."""

    options: tuple[str, ...] = ()
    needed: tuple[str, ...] = ()

    def __init__(self, name: str, writes: bool = False) -> None:
        self.name = name
        self.writes = writes

    def own_file(self) -> str | None:
        """Return None: the digest of the program includes our code."""
        return None

    def with_options(self, settings: Mapping[str, Any]) -> OurFormat:
        """Return the format itself: it has no settings."""
        return self

    def _module(self) -> ModuleType:
        return importlib.import_module(f"{__name__}.{self.name}")

    def reader(self) -> LineReader:
        """Return a reader for one file or stream of lists."""
        reader: LineReader = self._module().reader()
        return reader

    def read(self, blocks: Iterable[Block], source: str) -> Iterator[KBest]:
        """Yield the lists of a file by sentence; raises DataError that names the line."""
        return read_lists(blocks, self.reader(), source)

    def pages(self, lists: Iterable[KBest], source: str) -> Iterator[Page] | None:
        """Yield the lines of each list as columns; None for a format that writes only text.

        Raises DataError for lists that the format cannot express.
        """
        module = self._module()
        pages: Iterator[Page] | None = (
            module.pages(lists, source) if hasattr(module, "pages") else None
        )
        return pages

    def write(self, lists: Iterable[KBest], source: str) -> Iterator[str]:
        """Yield the lines of lists; raises DataError for lists that the format cannot express."""
        pages = self.pages(lists, source)
        if pages is None:
            yield from self._module().write(lists, source)
        else:
            for page in pages:
                yield from lines(page)


def _own_format(name: str, item: Any) -> ListFormat:
    from campanula.formats.nbest.own import own_format  # here: only modules in use are loaded

    return own_format(name, item)


FORMATS: Registry[ListFormat] = Registry(
    "list format",
    "campanula.list_formats",
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
    },
    make=_own_format,
)
"""The formats by name; one that is added, or an entry point, may be just a function."""
