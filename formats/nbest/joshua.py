"""Joshua: a name and its value joined by `=`, the score after the features.

    0 ||| the cat sat ||| lm_0=-17.400 tm_pt_0=-0.200 ||| -3.810

A sentence that Joshua failed to translate has no features.  With `-moses` Joshua writes a Moses
list.
"""

from __future__ import annotations

from campanula.formats.nbest.bars import BarReader
from campanula.formats.nbest.places import Style


def reader() -> BarReader:
    """Return a reader of lists."""
    return BarReader(Style(joined=True))
