"""cdec: a name and its value joined by `=`, the score after the features.

0 ||| the cat sat ||| Glue=1 LanguageModel=-17.4 ||| -3.81
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from campanula.formats.nbest.bars import BarReader
from campanula.formats.nbest.places import Style
from campanula.formats.nbest.spelling import Spelling, bar_texts, scores, sentence_field
from campanula.formats.records.kbest import KBest


def reader() -> BarReader:
    """A reader of one list."""
    return BarReader(Style(joined=True))


def write(lists: Iterable[KBest], source: str) -> Iterator[str]:
    """Yield the lines of lists; raises DataError for what the format cannot hold."""
    spelling = Spelling(source)
    for kbest in lists:
        columns = [bar_texts(kbest.text, source, kbest.sid), spelling.joined(kbest)]
        if (score := scores(kbest)) is not None:
            columns.append(iter(score))
        sentence = sentence_field(kbest, source)
        for line in zip(*columns, strict=True):
            yield f"{sentence} ||| {' ||| '.join(line)}"
