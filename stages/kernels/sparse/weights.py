"""Weights of sparse features, found by 62-bit keys.

A key is two polynomial hashes, modulo two primes below 2^31, of what a feature is made of: its
kind, its number, the fingerprints of its words or the keys of its phrases.  It depends on no
model's numbers of words, so one table serves every model.  Of n features two share a key with
probability n^2 / 2^63, 10^-7 for a million; tables of an inventory's features refuse it
(sparse/tables.py).  Features that no weight is given for weigh 0.

Fingerprints of words and keys of phrases are fifth powers of their polynomials (a permutation
modulo both primes): sums of plain ones would be the same for `xa by` and `xb ay`.
"""

from __future__ import annotations

from campanula.formats.arrays.hashing import LOW31, PRIME
from campanula.formats.arrays.types import Bytes, Floats, Ids, Ints
from campanula.stages.kernels.compiled import njit
from campanula.stages.kernels.memory import rolled
from campanula.stages.kernels.wide import wide

# what a key begins with; in the order of campanula.formats.feature_names.sparse.PREFIXES
BLOCK, PAIR, SOURCE_LENGTH, TARGET_LENGTH, PHRASE_LENGTH, UNIGRAM, BIGRAM, TRIGRAM = range(8)
SOURCE_TRIPLET, TARGET_TRIPLET, TEXT_BIGRAM, TEXT_TRIGRAM, ORIENTATION = range(8, 13)
BACKWARD, FORWARD, JUMP, TARGET_PHRASES, SOURCE_PHRASES, BOUNDARY, TRIGGER = range(13, 20)
H_BACKWARD, H_FORWARD = range(20, 22)

LEFT_BASE, RIGHT_BASE = 0x3C6EF373, 0x1B873593  # of words' bytes; a seed is added to both


@njit(cache=True, nogil=True)
def fold(left: int, right: int, number: int) -> tuple[int, int]:
    """Add a number (-1 or more) to the two hashes of those before it."""
    return rolled(left, right, wide(number) + 2)


@njit(cache=True, nogil=True)
def fold_mark(left: int, right: int, mark: int) -> tuple[int, int]:
    """Add the fingerprint of a word, or the key of a phrase, to the two hashes of what is before.

    Each hash takes its own half of it.
    """
    left, _ = rolled(left, 0, mark >> 31)
    _, right = rolled(0, right, mark & LOW31)
    return left, right


@njit(cache=True, nogil=True)
def settled(left: int, right: int) -> int:
    """Fingerprint or key of two hashes: their fifth powers."""
    a, b = left * left % LOW31, right * right % PRIME
    a, b = a * a % LOW31, b * b % PRIME
    return int((a * left % LOW31) << 31 | b * right % PRIME)


@njit(cache=True, nogil=True)
def word_mark(text: Bytes, begin: int, end: int, seed: int) -> int:
    """Fingerprint of the word text[begin:end]: 62 bits, other ones for another seed."""
    left, right = 1, 1
    for place in range(begin, end):
        byte = wide(text[place]) + 1
        left = (left * (LEFT_BASE + seed) + byte) % LOW31
        right = (right * (RIGHT_BASE + seed) + byte) % PRIME
    return int(settled(left, right))


@njit(cache=True, nogil=True)
def key_of(kind: int, a: int, b: int, c: int) -> int:
    """Key of a feature of up to three words, given their fingerprints; -1 for one not needed."""
    left, right = fold(1, 1, kind)
    for mark in (wide(a), wide(b), wide(c)):
        if mark >= 0:
            left, right = fold_mark(left, right, mark)
    return int(left << 31 | right)


@njit(cache=True, nogil=True)
def number_key(kind: int, number: int) -> int:
    """Key of a feature of a number alone."""
    left, right = fold(1, 1, kind)
    left, right = fold(left, right, number)
    return int(left << 31 | right)


@njit(cache=True, nogil=True)
def phrase_key(word: Ids, begin: int, end: int) -> int:
    """Key of the words from begin to end, by their numbers."""
    left, right = 1, 1
    for place in range(begin, end):
        left, right = fold(left, right, word[place])
    return int(left << 31 | right)


@njit(cache=True, nogil=True)
def marks_key(mark: Ints, begin: int, end: int) -> int:
    """Key of the phrase of the words from begin to end, by their fingerprints."""
    left, right = 1, 1
    for place in range(begin, end):
        left, right = fold_mark(left, right, mark[place])
    return int(settled(left, right))


@njit(cache=True, nogil=True)
def target_key(word: Ids, begin: int, end: int, mark: Ints) -> int:
    """Key of the phrase of the words from begin to end, by numbers; mark (n_words,) is by them."""
    left, right = 1, 1
    for place in range(begin, end):
        left, right = fold_mark(left, right, mark[word[place]])
    return int(settled(left, right))


@njit(cache=True, nogil=True)
def phrases_key(kind: int, head: int, a: int, b: int) -> int:
    """Key of a feature of a head (-2 if none) and two phrases, given their keys (-1 if none)."""
    left, right = fold(1, 1, kind)
    if head > -2:
        left, right = fold(left, right, head)
    for mark in (wide(a), wide(b)):
        if mark >= 0:
            left, right = fold_mark(left, right, mark)
    return int(left << 31 | right)


@njit(cache=True, nogil=True, inline="always")
def slot_of(keys: Ints, key: int) -> int:
    """Slot of a key in a hash table of keys, or the free slot for it."""
    size = len(keys) - 1
    slot = (key ^ (key >> 31)) & size
    while keys[slot] >= 0 and keys[slot] != key:
        slot = (slot + 1) & size
    return slot


@njit(cache=True, nogil=True, inline="always")
def id_of(keys: Ints, ids: Ids, key: int) -> int:
    """What a hash table has for a key, -1 for one that it lacks."""
    slot = slot_of(keys, key)
    found = wide(-1)
    if keys[slot] >= 0:
        found = wide(ids[slot])
    return found


@njit(cache=True, nogil=True)
def weight_of(keys: Ints, ids: Ids, theta: Floats, key: int) -> float:
    """Weight of a feature, 0 if it has none; columns of a records.SparseTable."""
    slot = slot_of(keys, key)
    weight = 0.0
    if keys[slot] >= 0:
        feature = ids[slot]
        if feature < len(theta):
            weight = theta[feature]
    return float(weight)
