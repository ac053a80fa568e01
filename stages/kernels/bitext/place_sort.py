"""Sort the places of a text by the words that follow, and compare neighbours in that order.

A radix sort with keys of as many words as 63 bits hold, from the last words to the first, compiled.
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Bytes, Ids, Ints
from campanula.stages.kernels.compiled import LEAN, njit

# Bits that are sorted by in one pass.  A pass appends to 2^11 buckets in turn: the memory line at
# the end of each stays in the second level of a processor's cache.
DIGIT = 11
BUCKETS = 1 << DIGIT
KEY = 63  # bits of a key, which is never negative: its digits are cut off by a shift


@njit(cache=True, nogil=True)
def sorted_places(token: Ints, left: Ints, longest: int, bits: int) -> Ids:
    """Return places (N,) sorted by up to `longest` words from each on; equals keep their order.

    token (N,): words below 2^bits - 1; left (N,): how many words there are from each place on.
    """
    size = len(token)
    order = np.arange(size).astype(np.int32)
    other = np.empty(size, np.int32)
    key, moved = np.empty(size, np.int64), np.empty(size, np.int64)
    words_per_key = max(1, KEY // bits)
    stop = longest
    while stop > 0:
        # whole keys from word 0 on: only the key of the last words, sorted first, may be short
        start = max(0, (stop - 1) // words_per_key * words_per_key)
        pack_words(token, left, order, key, start, stop, bits)
        total = bits * (stop - start)
        for shift in range(0, total, DIGIT):
            if by_digit(key, order, moved, other, shift):
                key, moved = moved, key
                order, other = other, order
        stop = start
    return order


@njit(**LEAN)
def pack_words(
    token: Ints, left: Ints, order: Ids, key: Ints, start: int, stop: int, bits: int
) -> None:
    """Write the keys of places: their words + 1 from `start` up to `stop`, 0 behind the last."""
    for i in range(len(order)):
        place = order[i]
        packed = 0
        for k in range(start, stop):
            packed = packed << bits | (token[place + k] + 1 if k < left[place] else 0)
        key[i] = packed


@njit(cache=True, nogil=True)
def by_digit(key: Ints, order: Ids, moved: Ints, other: Ids, shift: int) -> bool:
    """Sort keys and places by one digit into `moved` and `other`; False if all have the same."""
    # first how many have each digit, then the place behind the last one written of each
    behind = np.zeros(BUCKETS, np.int64)
    for i in range(len(key)):
        behind[(key[i] >> shift) & (BUCKETS - 1)] += 1
    if len(key) == 0 or behind[(key[0] >> shift) & (BUCKETS - 1)] == len(key):
        return False
    total = 0
    for digit in range(BUCKETS):
        count = behind[digit]
        behind[digit] = total
        total += count
    for i in range(len(key)):
        digit = (key[i] >> shift) & (BUCKETS - 1)
        at = behind[digit]
        moved[at], other[at] = key[i], order[i]
        behind[digit] = at + 1
    return True


@njit(cache=True, nogil=True)
def shared_words(token: Ints, left: Ints, order: Ids, longest: int) -> tuple[Bytes, Bytes]:
    """Return how many words (N,) sorted places have, at most `longest`, and how many are shared.

    Shared words (N,) are the first ones, as far as they are those of the place before.
    """
    depth, shared = np.zeros(len(order), np.uint8), np.zeros(len(order), np.uint8)
    before, limit = 0, 0
    for i in range(len(order)):
        place = order[i]
        own = min(left[place], longest)
        k = 0
        while k < min(own, limit) and token[place + k] == token[before + k]:
            k += 1
        depth[i] = own
        shared[i] = k
        before = place
        limit = own
    return depth, shared


@njit(cache=True, nogil=True)
def numbered(order: Ids, depth: Bytes, shared: Bytes, length: int) -> tuple[Ints, Ints, Ints]:
    """Return the number (N,) of the n-gram of a length that starts at each place, -1 for none.

    The other arrays (K,): where in the text each n-gram occurs first, and how often.
    """
    size = 0
    for i in range(len(order)):
        size += depth[i] >= length and shared[i] < length
    at = np.full(len(order), -1, np.int64)
    first, count = np.empty(size, np.int64), np.zeros(size, np.int64)
    number = -1
    for i in range(len(order)):
        if depth[i] < length:
            continue
        place = order[i]
        if shared[i] < length:
            number += 1
            first[number] = place
        count[number] += 1
        first[number] = min(first[number], place)
        at[place] = number
    return at, first, count
