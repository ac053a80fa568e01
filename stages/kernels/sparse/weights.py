"""Weights of sparse features in hash tables of 62-bit keys.

A key is two polynomial hashes, modulo two primes below 2^31, of a feature's parts: its kind, its
number, the fingerprints of its words or the keys of its phrases.  It does not depend on a model's
numbers of words, so one table serves every model.  Of n features two share a key with probability
n^2 / 2^63, 10^-7 for a million; tables of an inventory's features refuse equal keys
(sparse/tables.py).  Features without a weight weigh 0.

Fingerprints of words and keys of phrases are fifth powers of their polynomials (a permutation
modulo both primes): sums of plain polynomials would be the same for `xa by` and `xb ay`.
"""

from __future__ import annotations

from campanula.formats.arrays.hashing import LOW31, PRIME
from campanula.formats.arrays.types import Bytes, Floats, Ids, Ints
from campanula.stages.kernels.compiled import njit
from campanula.stages.kernels.memory import rolled
from campanula.stages.kernels.wide import wide

# kinds of features, in the order of campanula.formats.feature_names.sparse.PREFIXES
BLOCK, PAIR, SOURCE_LENGTH, TARGET_LENGTH, PHRASE_LENGTH, UNIGRAM, BIGRAM, TRIGRAM = range(8)
SOURCE_TRIPLET, TARGET_TRIPLET, TEXT_BIGRAM, TEXT_TRIGRAM, ORIENTATION = range(8, 13)
BACKWARD, FORWARD, JUMP, TARGET_PHRASES, SOURCE_PHRASES, BOUNDARY, TRIGGER = range(13, 20)
H_BACKWARD, H_FORWARD, FERTILITY = range(20, 23)

HEADLESS = -2  # the head of a feature of phrases without one; other heads are 0 or more

LEFT_BASE, RIGHT_BASE = 0x3C6EF373, 0x1B873593  # of words' bytes; a seed is added to both


@njit(cache=True, nogil=True)
def fold(left: int, right: int, number: int) -> tuple[int, int]:
    """Append a number (-1 or more) to two hashes."""
    # plus 2: a summand is never 0
    return rolled(left, right, wide(number) + 2)


@njit(cache=True, nogil=True)
def fold_mark(left: int, right: int, mark: int) -> tuple[int, int]:
    """Append the fingerprint of a word, or the key of a phrase, to two hashes."""
    # each hash takes the half that is of its own prime
    left, _ = rolled(left, 0, mark >> 31)
    _, right = rolled(0, right, mark & LOW31)
    return left, right


@njit(cache=True, nogil=True)
def settled(left: int, right: int) -> int:
    """Fingerprint or key from two hashes: their fifth powers, 31 bits each."""
    # squared twice: the fourth powers, of which the last line makes fifth ones
    a = left * left % LOW31
    a = a * a % LOW31
    b = right * right % PRIME
    b = b * b % PRIME
    return int((a * left % LOW31) << 31 | b * right % PRIME)


@njit(cache=True, nogil=True)
def word_mark(text: Bytes, begin: int, end: int, seed: int) -> int:
    """Fingerprint of the word text[begin:end]: 62 bits that depend on the seed."""
    left, right = 1, 1
    for place in range(begin, end):
        byte = wide(text[place]) + 1
        left = (left * (LEFT_BASE + seed) + byte) % LOW31
        right = (right * (RIGHT_BASE + seed) + byte) % PRIME
    return int(settled(left, right))


@njit(cache=True, nogil=True)
def key_of(kind: int, a: int, b: int, c: int) -> int:
    """Key of a feature of up to three words, given their fingerprints; -1 for no word."""
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
    """Key of the words word[begin:end], from their numbers."""
    # from 1: with 0, zeros in front would not change a polynomial
    left, right = 1, 1
    for place in range(begin, end):
        left, right = fold(left, right, word[place])
    return int(left << 31 | right)


@njit(cache=True, nogil=True)
def marks_key(mark: Ints, begin: int, end: int) -> int:
    """Key of the phrase of words begin to end, from their fingerprints mark[begin:end]."""
    left, right = 1, 1
    for place in range(begin, end):
        left, right = fold_mark(left, right, mark[place])
    return int(settled(left, right))


@njit(cache=True, nogil=True)
def target_key(word: Ids, begin: int, end: int, mark: Ints) -> int:
    """Key of the phrase word[begin:end] of numbers; mark (n_words,): fingerprints by number."""
    left, right = 1, 1
    for place in range(begin, end):
        left, right = fold_mark(left, right, mark[word[place]])
    return int(settled(left, right))


@njit(cache=True, nogil=True)
def phrases_key(kind: int, head: int, a: int, b: int) -> int:
    """Key of a feature with a head or HEADLESS and two phrases, given their keys (-1 if none)."""
    left, right = fold(1, 1, kind)
    if head != HEADLESS:
        left, right = fold(left, right, head)
    for mark in (wide(a), wide(b)):
        if mark >= 0:
            left, right = fold_mark(left, right, mark)
    return int(left << 31 | right)


@njit(cache=True, nogil=True, inline="always")
def slot_of(keys: Ints, key: int) -> int:
    """Slot of a key in a hash table of keys, or the free slot for it."""
    size = len(keys) - 1
    # both hashes of the key, so that features that share one of them get different slots
    slot = (key ^ (key >> 31)) & size
    while keys[slot] >= 0 and keys[slot] != key:
        slot = (slot + 1) & size
    return slot


@njit(cache=True, nogil=True, inline="always")
def id_of(keys: Ints, ids: Ids, key: int) -> int:
    """Id of a key in a hash table, -1 for a key that it lacks."""
    slot = slot_of(keys, key)
    feature = wide(-1)
    if keys[slot] >= 0:
        feature = wide(ids[slot])
    return feature


@njit(cache=True, nogil=True)
def weight_of(keys: Ints, ids: Ids, theta: Floats, key: int) -> float:
    """Weight of a feature, 0 if it has none; columns of a records.SparseTable."""
    slot = slot_of(keys, key)
    weight = 0.0
    if keys[slot] >= 0:
        feature = ids[slot]
        # weights may be of an earlier state of a growing inventory, which has fewer ids
        if feature < len(theta):
            weight = theta[feature]
    return float(weight)
