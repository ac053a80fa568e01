r"""The digest of an inventory: a chain over blocks of names, so that a prefix keeps its digest.

    d_0 = 16 bytes of 0
    d_k = XXH3-128(d_{k-1} + XXH3-128(names of block k, each ended by \n))

A block has 65,536 names.  The digest of n names is the chain up to the last full block and one
link more for the rest, if there is any: a function of the names and their order, whether they came
in one extension or in a hundred.
"""

from __future__ import annotations

import xxhash

BLOCK = 1 << 16
START = bytes(16)


def link(before: bytes, text: bytes | memoryview) -> bytes:
    """The link behind another one, for a block's names, a line each."""
    return bytes(xxhash.xxh3_128_digest(before + xxhash.xxh3_128_digest(text)))
