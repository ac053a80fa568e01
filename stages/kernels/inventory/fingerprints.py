"""Fingerprint of a name: a 64-bit hash of its bytes.

Eight bytes at a time are put into the hash, which is multiplied by an odd number and folded: each
step is a bijection of the hash, and of the bytes, so short names that differ have different
fingerprints.  The last steps are MurmurHash3's finaliser (Appleby 2011), which makes the low bits
as good as the others.  Files have fingerprints: a change here needs another version of them.
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Bytes, Ints, Words64
from campanula.stages.kernels.compiled import njit

START = np.uint64(0x9E3779B97F4A7C15)
STEP = np.uint64(0xBF58476D1CE4E5B9)
FINAL = np.uint64(0xFF51AFD7ED558CCD)
LAST = np.uint64(0xC4CEB9FE1A85EC53)
BITS_8, BITS_29, BITS_32, BITS_33 = np.uint64(8), np.uint64(29), np.uint64(32), np.uint64(33)


@njit(cache=True, nogil=True)
def word_at(text: Bytes, begin: int, end: int) -> np.uint64:
    """Up to eight bytes as a number, the first of them lowest."""
    word = np.uint64(0)
    for place in range(end - 1, begin - 1, -1):
        word = (word << BITS_8) | np.uint64(text[place])
    return word


@njit(cache=True, nogil=True)
def fingerprint(text: Bytes, begin: int, end: int) -> np.uint64:
    """Fingerprint of text[begin:end]."""
    mixed = START ^ np.uint64(end - begin)
    for place in range(begin, end, 8):
        mixed = (mixed ^ word_at(text, place, min(place + 8, end))) * STEP
        mixed ^= mixed >> BITS_32
    mixed ^= mixed >> BITS_29
    mixed *= FINAL
    mixed ^= mixed >> BITS_33
    mixed *= LAST
    return mixed ^ (mixed >> BITS_33)


@njit(cache=True, nogil=True)
def fingerprints(text: Bytes, pointer: Ints, mask: np.uint64, out: Words64) -> None:
    """Fingerprints out (n,) of names text[pointer[i]:pointer[i + 1]], of the bits in the mask."""
    for i in range(len(out)):
        out[i] = fingerprint(text, pointer[i], pointer[i + 1]) & mask
