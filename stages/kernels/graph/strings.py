"""Hashes of strings of words: two strings count as equal if both of two 31-bit hashes are equal."""

from __future__ import annotations

from campanula.formats.arrays.types import Ids
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.memory import rolled
from campanula.stages.kernels.wide import wide


@njit(**LEAN)
def words_hash(left: int, right: int, begin: int, end: int, word: Ids) -> tuple[int, int]:
    """Return two hashes of a string, `left` and `right` so far, with word[begin:end] appended.

    A word is -1 or more.
    """
    for place in range(begin, end):
        # + 1: the hashes take numbers from 0 on
        left, right = rolled(left, right, wide(word[place]) + 1)
    return left, right
