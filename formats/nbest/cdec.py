"""cdec: a name and its value joined by `=`, the score after the features.

0 ||| the cat sat ||| Glue=1 LanguageModel=-17.4 ||| -3.81
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from campanula.formats.nbest.bars import BarReader
from campanula.formats.nbest.pages import Page, Part, bar_page
from campanula.formats.nbest.places import Style
from campanula.formats.nbest.spelling import NameSpelling, bar_texts, sentence_field
from campanula.formats.records.kbest import KBest


def reader() -> BarReader:
    """Return a reader of lists."""
    return BarReader(Style(joined=True))


def pages(lists: Iterable[KBest], source: str) -> Iterator[Page]:
    """Yield the lines of each list; raises DataError for lists that the format cannot express."""
    spelling = NameSpelling(source, "=")
    for kbest in lists:
        text = bar_texts(kbest.text, source, kbest.sid)
        fields: list[list[Part]] = [[sentence_field(kbest, source)], [text], spelling.parts(kbest)]
        if kbest.score is not None:
            fields.append([kbest.score])
        yield bar_page(len(kbest), fields)
