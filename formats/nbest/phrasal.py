"""Phrasal: labels that end with a colon, the score after the features.

0 ||| the cat sat ||| LM: -1.7E1 WordPenalty: -2E0 ||| -3.8E0 ||| 0-0 1-1
"""

from __future__ import annotations

from campanula.formats.nbest.bars import BarReader
from campanula.formats.nbest.places import Style


def reader() -> BarReader:
    """Return a reader of lists."""
    return BarReader(Style(mark=":"))
