"""Fingerprint of a name: a 64-bit hash of its bytes.

Eight bytes at a time are mixed into the hash, which is multiplied by an odd number and folded.
Each step is a bijection of the hash, and of the eight bytes, so different names of one to eight
bytes, none of them 0, have different fingerprints.  The last steps are MurmurHash3's finaliser
(Appleby 2011), which makes all bits depend on each other: tables take slots from the low ones.
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Bytes, Ints, Words64
from campanula.stages.kernels.compiled import njit

# Inventories on disk hold fingerprints: another number here is another version of those files.
START = np.uint64(0x9E3779B97F4A7C15)
STEP = np.uint64(0xBF58476D1CE4E5B9)
FINAL = np.uint64(0xFF51AFD7ED558CCD)
LAST = np.uint64(0xC4CEB9FE1A85EC53)
# uint64 as well: NumPy and Numba make a float of a uint64 and a signed integer
BITS_8, BITS_29, BITS_32, BITS_33 = np.uint64(8), np.uint64(29), np.uint64(32), np.uint64(33)


@njit(cache=True, nogil=True)
def word_at(text: Bytes, begin: int, end: int) -> np.uint64:
    """Return text[begin:end], up to eight bytes, as a number, the first byte lowest."""
    word = np.uint64(0)
    for place in range(end - 1, begin - 1, -1):
        word = (word << BITS_8) | np.uint64(text[place])
    return word


@njit(cache=True, nogil=True, inline="always")
def mixed_in(mixed: np.uint64, bits: np.uint64) -> np.uint64:
    """Return a hash with 64 more bits mixed in; of hash and bits, each step is a bijection."""
    mixed = (mixed ^ bits) * STEP
    return mixed ^ (mixed >> BITS_32)


@njit(cache=True, nogil=True)
def fingerprint(text: Bytes, begin: int, end: int) -> np.uint64:
    """Return the fingerprint of text[begin:end]."""
    # the length tells names apart that differ by zero bytes at their end
    mixed = START ^ np.uint64(end - begin)
    for place in range(begin, end, 8):
        mixed = mixed_in(mixed, word_at(text, place, min(place + 8, end)))
    mixed ^= mixed >> BITS_29
    mixed *= FINAL
    mixed ^= mixed >> BITS_33
    mixed *= LAST
    return mixed ^ (mixed >> BITS_33)


@njit(cache=True, nogil=True)
def fingerprints(text: Bytes, pointer: Ints, mask: np.uint64, out: Words64) -> None:
    """Write fingerprints, masked, to out (n,), of names text[pointer[i]:pointer[i + 1]]."""
    for i in range(len(out)):
        out[i] = fingerprint(text, pointer[i], pointer[i + 1]) & mask
