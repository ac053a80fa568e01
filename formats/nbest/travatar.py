"""Travatar: the score before the features, a name and its value joined by `=`.

    0 ||| the cat sat ||| -3.81 ||| lm=-17.4 w=2

A fifth field, the tree, is kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from campanula.formats.errors import DataError
from campanula.formats.nbest.bars import BarReader
from campanula.formats.nbest.pages import Page, Part, bar_page
from campanula.formats.nbest.places import Style
from campanula.formats.nbest.spelling import NameSpelling, bar_texts, sentence_field
from campanula.formats.records.kbest import KBest


def reader() -> BarReader:
    """Return a reader of lists."""
    return BarReader(Style(joined=True, score_first=True))


def pages(lists: Iterable[KBest], source: str) -> Iterator[Page]:
    """Yield the lines of each list; raises DataError for lists that the format cannot express."""
    spelling = NameSpelling(source, "=")
    for kbest in lists:
        if kbest.score is None:
            problem = "expected model scores, without which Travatar reads no list; found none"
            raise DataError(source, f"sentence {kbest.sid}", problem)
        text = bar_texts(kbest.text, source, kbest.sid)
        sentence = sentence_field(kbest, source)
        fields: list[list[Part]] = [[sentence], [text], [kbest.score], spelling.parts(kbest)]
        if "tree" in kbest.fields:
            fields.append([bar_texts(kbest.fields["tree"], source, kbest.sid)])
        yield bar_page(len(kbest), fields)
