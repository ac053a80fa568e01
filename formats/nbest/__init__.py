"""Lists of hypotheses as the text files of other tools: a table of formats, to read and to write.

A format is a module of this folder with `reader()` and, where lists can be written, `write()`.
To add one, add its module and its row here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from formats.kbest import KBest
from formats.nbest import cdec, fairseq, joshua, jsonl, marian, moses, phrasal, travatar, tsv
from formats.nbest.reading import LineReader


@dataclass(frozen=True, slots=True)
class Format:
    """How lists of a tool are read and, if they can be, written: lines from lists and a source."""

    reader: Callable[[], LineReader]
    write: Callable[[Iterable[KBest], str], Iterator[str]] | None = None


FORMATS: dict[str, Format] = {
    "moses": Format(moses.reader, moses.write),
    "cdec": Format(cdec.reader, cdec.write),
    "joshua": Format(joshua.reader),
    "travatar": Format(travatar.reader, travatar.write),
    "phrasal": Format(phrasal.reader),
    "marian": Format(marian.reader),
    "fairseq": Format(fairseq.reader),
    "jsonl": Format(jsonl.reader, jsonl.write),
    "tsv": Format(tsv.reader),
}
