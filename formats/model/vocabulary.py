"""A vocabulary in flat arrays: all words in one blob with offsets, and a hash table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import xxhash

from campanula.formats.arrays.pointers import pointer_of
from campanula.formats.arrays.types import Bytes, Ids, Ints
from campanula.formats.model.hash_table import FREE, places, slot_bits


@dataclass(frozen=True)
class Vocabulary:
    """Words numbered from 0.

    Word i is blob[offset[i]:offset[i + 1]]; blob (bytes,), offset (n + 1,).  slot: the hash table
    with 2^bits homes, word numbers or FREE (hash_table.py).
    """

    blob: Bytes
    offset: Ints
    slot: Ids
    bits: int

    @classmethod
    def build(cls, words: Sequence[bytes]) -> Vocabulary:
        """Number the words, which are distinct, in the given order."""
        bits = slot_bits(len(words))
        hashes = np.fromiter(map(xxhash.xxh3_64_intdigest, words), np.uint64, len(words))
        home = (hashes >> np.uint64(64 - bits)).astype(np.int64)
        order, place, n_slots = places(home, bits)
        slot = np.full(n_slots, FREE, dtype=np.int32)
        slot[place] = order
        offset = pointer_of(np.fromiter(map(len, words), np.int64, len(words)))
        blob = bytearray(b"".join(words))  # not bytes: kernels are compiled for writable arrays
        return cls(np.frombuffer(blob, dtype=np.uint8), offset, slot, bits)

    def __len__(self) -> int:
        return len(self.offset) - 1

    def word(self, index: int) -> bytes:
        """Return the word with this number."""
        return self.blob[self.offset[index] : self.offset[index + 1]].tobytes()

    def find(self, word: bytes) -> int:
        """Return the number of a word, -1 when there is none."""
        place = xxhash.xxh3_64_intdigest(word) >> (64 - self.bits)
        while (index := int(self.slot[place])) != FREE:
            if self.word(index) == word:
                return index
            place += 1
        return FREE

    def all_words(self) -> list[bytes]:
        """Return all words in order."""
        blob = self.blob.tobytes()
        offset = self.offset.tolist()
        return [blob[a:b] for a, b in pairwise(offset)]
