"""Equal keys and equal words of an array, found by hashing all of them at once.

Every round writes the place of each key into a slot of a table, where the last one stays, and reads
it back: whoever finds its own key there belongs to that place.  The others, whose slot went to
another key, go on with another hash.
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Bytes, Ints, Words64

W = np.uint64
WORD = 8  # bytes
MIX = W(0x9E3779B97F4A7C15)  # 2^64 over the golden ratio (Knuth 1973, section 6.4)
NEXT = W(0xBF58476D1CE4E5B9)


def representatives(key: Words64) -> Ints:
    """Place (n,) of a key that is equal, the same place for all that are equal."""
    found = np.zeros(len(key), np.int64)
    todo = np.arange(len(key))
    factor = MIX
    bits = max(4, int(2 * len(key)).bit_length())
    table = np.zeros(1 << bits, np.int64)
    while len(todo):
        mine = key[todo]
        slot = ((mine * factor) >> W(64 - bits)).view(np.int64)
        table[slot] = todo
        place = table[slot]
        same = key[place] == mine
        found[todo[same]] = place[same]
        todo, factor = todo[~same], W((int(factor) * int(NEXT)) & 0xFFFFFFFFFFFFFFFF)
    return found


def equal_words(byte: Bytes, start: Ints, end: Ints) -> Ints | None:
    """Place (n,) of a word `byte[start:end]` that is equal, the same one for all that are equal.

    Eight bytes stand before the first.  None if two different words have the same hash.
    """
    length = end - start
    hashed = length.astype(np.uint64)
    parts = []
    for depth in range(0, int(length.max(initial=0)), WORD):
        long = np.flatnonzero(length > depth)
        part = np.zeros(len(length), np.uint64)
        part[long] = _part(byte, end[long] - depth, length[long] - depth)
        hashed ^= part
        hashed *= MIX
        hashed ^= hashed >> W(29)
        parts.append(part)
    place = representatives(hashed)
    same = (length[place] == length).all() and all((p[place] == p).all() for p in parts)
    return place if same else None


def _part(byte: Bytes, end: Ints, left: Ints) -> Words64:
    """The eight bytes before each end, those cleared of which there are not so many left."""
    words = np.ndarray((len(byte) - WORD + 1,), "<u8", byte.data, strides=(1,))
    shift = ((WORD - np.minimum(left, WORD)) * WORD).astype(np.uint64)
    part: Words64 = words[end - WORD]
    part >>= shift
    part <<= shift
    return part
