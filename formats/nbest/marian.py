"""Marian: like Moses, but alignments and word scores may stand before the features.

    0 ||| the cat sat ||| F0= -1.38 F1= -2.01 ||| -0.69
    0 ||| the cat sat ||| 0-0 1-1 ||| WordScores= -0.5 -0.2 ||| F0= -1.38 ||| -0.69
    0 ||| the cat sat ||| F0=-1.38 ||| -0.69

There are as many word scores as words, so they cannot be features, though older versions write them
among these: they are kept as a field.
"""

from __future__ import annotations

from campanula.formats.nbest.bars import BarReader
from campanula.formats.nbest.places import Style


def reader() -> BarReader:
    """Return a reader of lists."""
    return BarReader(Style(aside=("WordScores",)))
