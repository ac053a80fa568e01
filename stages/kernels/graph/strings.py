"""Hashes of strings of words, which are told apart by two of them, 31 bits each."""

from __future__ import annotations

from campanula.formats.arrays.types import Ids
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.memory import rolled
from campanula.stages.kernels.wide import wide


@njit(**LEAN)
def words_hash(left: int, right: int, begin: int, end: int, word: Ids) -> tuple[int, int]:
    """Two hashes of the words so far, with word[begin:end] added; a word is -1 or more."""
    for place in range(begin, end):
        left, right = rolled(left, right, wide(word[place]) + 1)
    return left, right
