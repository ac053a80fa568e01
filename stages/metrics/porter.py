"""Stems of English words by Porter's algorithm (Porter 1980), as snowballstemmer implements it.

Words of one or two letters are their own stems, as in Porter's own programs; the rules would make
`a` of `as` and `i` of `is`.  Letters that the rules do not mention, such as capitals, stay.  Of
double letters only bb, dd, ff, gg, mm, nn, pp, rr and tt become single: `trekking` is `trekk`.
"""

from __future__ import annotations

import threading
from functools import lru_cache
from typing import Any

SHORTEST = 3  # letters of a word to which the rules apply
KEPT = 1 << 16  # words whose stems are remembered

_stemming = threading.Lock()  # a stemmer works on one word at a time, which it keeps in itself


@lru_cache(KEPT)
def porter_stem(word: str) -> str:
    """Return the stem of a word."""
    if len(word) < SHORTEST:
        return word
    with _stemming:
        return str(_stemmer().stemWord(word))


@lru_cache(1)
def _stemmer() -> Any:
    import snowballstemmer

    return snowballstemmer.stemmer("porter")
