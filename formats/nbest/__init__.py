"""Lists of hypotheses as the text files of other tools: a table of formats, to read and to write.

A format is a module of this folder with `reader()` and, where lists can be written, `write()`.
To add one, add its module and its row here.  Only the module that is used is loaded.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator
from types import ModuleType
from typing import NamedTuple

from campanula.formats.nbest.reading import LineReader
from campanula.formats.records.kbest import KBest


class Format(NamedTuple):
    """How lists of a tool are read and, if they can be, written."""

    name: str
    writes: bool = False

    def _module(self) -> ModuleType:
        return importlib.import_module(f"campanula.formats.nbest.{self.name}")

    def reader(self) -> LineReader:
        """A reader of one list."""
        found: LineReader = self._module().reader()
        return found

    def write(self, lists: Iterable[KBest], source: str) -> Iterator[str]:
        """Yield lines from lists; raises DataError for what the format cannot hold."""
        yield from self._module().write(lists, source)


FORMATS = {
    "moses": Format("moses", writes=True),
    "cdec": Format("cdec", writes=True),
    "joshua": Format("joshua"),
    "travatar": Format("travatar", writes=True),
    "phrasal": Format("phrasal"),
    "marian": Format("marian"),
    "fairseq": Format("fairseq"),
    "jsonl": Format("jsonl", writes=True),
    "tsv": Format("tsv"),
}
