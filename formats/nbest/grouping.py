"""Finds equal keys and equal words of an array by hashing all of them at once.

Every round writes the place of each key into its slot of a table, where the last one written stays,
and reads the slots back.  A key that reads the place of an equal key is done: that place is its
representative.  The others, whose slot was taken by a different key, try again with another hash.
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Bytes, Ints, Words64
from campanula.formats.nbest.decimals import word_windows

W = np.uint64
WORD = 8  # bytes
MIX = W(0x9E3779B97F4A7C15)  # 2^64 over the golden ratio (Knuth 1973, section 6.4)
NEXT = W(0xBF58476D1CE4E5B9)


def representatives(key: Words64) -> Ints:
    """Return for each key the place (n,) of an equal key, the same place for all equal keys."""
    representative = np.zeros(len(key), np.int64)
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
        representative[todo[same]] = place[same]
        todo = todo[~same]
        factor = W((int(factor) * int(NEXT)) & 0xFFFFFFFFFFFFFFFF)  # NumPy would warn of overflow
    return representative


def equal_words(byte: Bytes, start: Ints, end: Ints) -> Ints | None:
    """Return for each word `byte[start:end]` the place (n,) of an equal word, one for all equal.

    At least eight bytes must be before the first word.  None if two different words have the same
    hash.
    """
    length = end - start
    hashed = length.astype(np.uint64)
    chunks = []
    for depth in range(0, int(length.max(initial=0)), WORD):
        long = np.flatnonzero(length > depth)
        chunk = np.zeros(len(length), np.uint64)
        chunk[long] = _last_bytes(byte, end[long] - depth, length[long] - depth)
        hashed ^= chunk
        hashed *= MIX
        hashed ^= hashed >> W(29)
        chunks.append(chunk)
    place = representatives(hashed)
    same = (length[place] == length).all() and all((c[place] == c).all() for c in chunks)
    return place if same else None


def _last_bytes(byte: Bytes, end: Ints, length: Ints) -> Words64:
    """Return the last eight bytes before each end, cleared beyond `length` of them."""
    shift = ((WORD - np.minimum(length, WORD)) * WORD).astype(np.uint64)  # bits; a byte has eight
    chunk = word_windows(byte)[end - WORD]
    chunk >>= shift
    chunk <<= shift
    return chunk
