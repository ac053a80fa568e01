"""Hash tables by which kernels find the words of a vocabulary, hashing byte by byte.

A Vocabulary itself hashes words by XXH3: fast from Python, but long code for a kernel.
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.hashing import LOW31, SPELLED_START, spelled, transition_home
from campanula.formats.arrays.types import Ids, Ints
from campanula.formats.model.hash_table import FREE, places, slot_bits
from campanula.formats.model.vocabulary import Vocabulary


def spelled_slots(words: Vocabulary) -> Ids:
    """Return the hash table (n_slots,) of a vocabulary's words, FREE for empty slots.

    A word's number stands in the home slot of its hash, or in one of the next slots.
    """
    bits = slot_bits(len(words))
    code = _codes(words)
    order, place, n_slots = places(transition_home(code & LOW31, code >> 31, bits), bits)
    slot = np.full(n_slots, FREE, dtype=np.int32)
    slot[place] = order
    return slot


def _codes(words: Vocabulary) -> Ints:
    """Return the hashes (n,) of the words, computed for all first bytes, then second bytes, ..."""
    code = np.full(len(words), SPELLED_START, np.int64)
    length = np.diff(words.offset)
    longest_first = np.argsort(-length, kind="stable")
    descending = -length[longest_first]
    for k in range(int(length.max(initial=0))):
        longer = longest_first[: np.searchsorted(descending, -k)]  # words of more than k bytes
        code[longer] = spelled(code[longer], words.blob[words.offset[longer] + k].astype(np.int64))
    return code
