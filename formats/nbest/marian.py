"""Marian: as Moses, but alignments and word scores may stand before the features.

    0 ||| the cat sat ||| F0= -1.38 F1= -2.01 ||| -0.69
    0 ||| the cat sat ||| 0-0 1-1 ||| WordScores= -0.5 -0.2 ||| F0= -1.38 ||| -0.69
    0 ||| the cat sat ||| F0=-1.38 ||| -0.69

Word scores, which older versions put among the features, are as many as there are words: they
are kept as a field and are no features.
"""

from __future__ import annotations

from campanula.formats.nbest.bars import BarReader
from campanula.formats.nbest.places import Style


def reader() -> BarReader:
    """A reader of one list."""
    return BarReader(Style(aside=("WordScores",)))
