"""Weights of sparse features, found by 62-bit keys of word numbers.

A key folds numbers into two polynomial hashes, modulo two primes below 2^31; two of a million
features share one with probability 10^-7.  Features that no weight is given for weigh 0.
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.hashing import LOW31
from campanula.formats.arrays.types import Floats, Ids, Ints
from campanula.stages.kernels.compiled import njit
from campanula.stages.kernels.memory import rolled
from campanula.stages.kernels.wide import wide

SEPARATOR = -1

# what a key begins with; in the order of campanula.formats.feature_names.sparse.PREFIXES
BLOCK, PAIR, SOURCE_LENGTH, TARGET_LENGTH, PHRASE_LENGTH, UNIGRAM, BIGRAM, TRIGRAM = range(8)
SOURCE_TRIPLET, TARGET_TRIPLET, TEXT_BIGRAM, TEXT_TRIGRAM, ORIENTATION = range(8, 13)
BACKWARD, FORWARD, JUMP, TARGET_PHRASES, SOURCE_PHRASES, BOUNDARY, TRIGGER = range(13, 20)


@njit(cache=True, nogil=True)
def fold(left: int, right: int, number: int) -> tuple[int, int]:
    """Add a number (-1 or more) to the two hashes of those before it."""
    return rolled(left, right, wide(number) + 2)


@njit(cache=True, nogil=True)
def key_of(kind: int, a: int, b: int, c: int, d: int) -> int:
    """Key of a feature of up to four numbers; those not needed are -2 (a separator is -1)."""
    left, right = fold(1, 1, kind)
    for number in (wide(a), wide(b), wide(c), wide(d)):
        if number > -2:
            left, right = fold(left, right, number)
    return int(left << 31 | right)


@njit(cache=True, nogil=True)
def phrase_key(word: Ids, begin: int, end: int) -> int:
    """Key of the words from begin to end."""
    left, right = 1, 1
    for place in range(begin, end):
        left, right = fold(left, right, word[place])
    return int(left << 31 | right)


@njit(cache=True, nogil=True)
def phrases_key(kind: int, head: int, a: int, b: int) -> int:
    """Key of a feature of a head (-2 if none) and two phrases, given the phrases' own keys."""
    left, right = fold(1, 1, kind)
    if head > -2:
        left, right = fold(left, right, head)
    for number in (a >> 31, a & LOW31, b >> 31, b & LOW31):
        left, right = fold(left, right, number)
    return int(left << 31 | right)


@njit(cache=True, nogil=True)
def numbers_key(kind: int, number: Ints) -> int:
    """Key of a feature of any numbers."""
    left, right = fold(1, 1, kind)
    for k in range(len(number)):
        left, right = fold(left, right, number[k])
    return int(left << 31 | right)


@njit(cache=True, nogil=True, inline="always")
def slot_of(keys: Ints, key: int) -> int:
    """Slot of a key in a hash table of keys, or the free slot for it."""
    size = len(keys) - 1
    slot = key & size
    while keys[slot] >= 0 and keys[slot] != key:
        slot = (slot + 1) & size
    return slot


@njit(cache=True, nogil=True)
def table_of(key: Ints, value: Floats) -> tuple[Ints, Floats]:
    """Hash table of keys and values; free places have key -1."""
    size = 16
    while size < 2 * len(key):
        size *= 2
    keys = np.full(size, -1, dtype=np.int64)
    values = np.zeros(size)
    for i in range(len(key)):
        slot = slot_of(keys, key[i])
        keys[slot] = key[i]
        values[slot] = value[i]
    return keys, values


@njit(cache=True, nogil=True)
def weight_of(keys: Ints, values: Floats, key: int) -> float:
    """Weight of a feature, 0 if it has none."""
    return float(values[slot_of(keys, key)])
