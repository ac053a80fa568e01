"""Places of a text sorted by the words from each on, and what neighbours have in common, compiled.

Radix sort of places with keys of as many words as 63 bits hold, from the last words to the first.
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Bytes, Ids, Ints
from campanula.stages.kernels.compiled import LEAN, njit

DIGIT = 11  # bits that are sorted by at once: as many lines of the cache as its second level holds
BUCKETS = 1 << DIGIT
KEY = 63  # bits of a key


@njit(cache=True, nogil=True)
def sorted_places(token: Ints, left: Ints, longest: int, bits: int) -> Ids:
    """Places (N,) by the words from each on, at most `longest`; of equals the first first.

    token (N,): words below 2^bits - 1; left (N,): how many words there are from each place on.
    """
    size = len(token)
    order, other = np.arange(size).astype(np.int32), np.empty(size, np.int32)
    key, moved = np.empty(size, np.int64), np.empty(size, np.int64)
    each = max(1, KEY // bits)
    stop = longest
    while stop > 0:
        start = max(0, (stop - 1) // each * each)
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
    """Fill in the keys of places: their words from `start` up to `stop`, 0 behind the last one."""
    for i in range(len(order)):
        place, packed = order[i], 0
        for k in range(start, stop):
            packed = packed << bits | (token[place + k] + 1 if k < left[place] else 0)
        key[i] = packed


@njit(cache=True, nogil=True)
def by_digit(key: Ints, order: Ids, moved: Ints, other: Ids, shift: int) -> bool:
    """Sort keys and places by one digit into others, unless all have the same; whether it was."""
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
    """How many words (N,) sorted places have, at most `longest`, and how many of the first ones are
    those of the place before.
    """
    depth, shared = np.zeros(len(order), np.uint8), np.zeros(len(order), np.uint8)
    before, limit = 0, 0
    for i in range(len(order)):
        place = order[i]
        own = min(left[place], longest)
        k = 0
        while k < min(own, limit) and token[place + k] == token[before + k]:
            k += 1
        depth[i], shared[i] = own, k
        before, limit = place, own
    return depth, shared


@njit(cache=True, nogil=True)
def numbered(order: Ids, depth: Bytes, shared: Bytes, length: int) -> tuple[Ints, Ints, Ints]:
    """Numbers (N,) of the n-grams of a length that start at places, where each of them is first,
    and how often it is there, (K,); -1 where none starts.
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
