"""Travatar: the score before the features, a name and its value joined by `=`.

    0 ||| the cat sat ||| -3.81 ||| lm=-17.4 w=2

A fifth field, the tree, is kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from campanula.formats.errors import DataError
from campanula.formats.nbest.bars import BarReader
from campanula.formats.nbest.places import Style
from campanula.formats.nbest.spelling import Spelling, bar_texts, scores, sentence_field
from campanula.formats.records.kbest import KBest


def reader() -> BarReader:
    """A reader of one list."""
    return BarReader(Style(joined=True, score_first=True))


def write(lists: Iterable[KBest], source: str) -> Iterator[str]:
    """Yield the lines of lists; raises DataError for what the format cannot hold."""
    spelling = Spelling(source)
    for kbest in lists:
        score = scores(kbest)
        if score is None:
            problem = "expected model scores, without which Travatar reads no list; found none"
            raise DataError(source, f"sentence {kbest.sid}", problem)
        columns = [bar_texts(kbest.text, source, kbest.sid), iter(score), spelling.joined(kbest)]
        if "tree" in kbest.fields:
            columns.append(bar_texts(kbest.fields["tree"], source, kbest.sid))
        sentence = sentence_field(kbest, source)
        for line in zip(*columns, strict=True):
            yield f"{sentence} ||| {' ||| '.join(line)}"
