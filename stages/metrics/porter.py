"""Stems of English words by Porter's algorithm (Porter 1980), as snowballstemmer implements it.

Words of one or two letters are their own stems, as in Porter's own programs: else `as` would be `a`
and `is` would be `i`.  What the rules do not know, such as capital letters, stays.  Of double
letters it undoes bb, dd, ff, gg, mm, nn, pp, rr and tt alone: `trekking` is `trekk`.
"""

from __future__ import annotations

import threading
from functools import lru_cache
from typing import Any

SHORTEST = 3  # letters of a word that has a stem
KEPT = 1 << 16  # words whose stems are kept at a time

_stemming = threading.Lock()  # a stemmer has one word at a time


@lru_cache(KEPT)
def porter_stem(word: str) -> str:
    """The stem of a word."""
    if len(word) < SHORTEST:
        return word
    with _stemming:
        return str(_stemmer().stemWord(word))


@lru_cache(1)
def _stemmer() -> Any:
    import snowballstemmer

    return snowballstemmer.stemmer("porter")
