r"""The digest of an inventory: a chain over blocks of names, so that a prefix keeps its digest.

    d_0 = 16 bytes of 0
    d_k = XXH3-128(d_{k-1} + XXH3-128(names of block k, each ended by \n))

A block has 65,536 names.  The digest of n names is the chain over the full blocks and one more link
for the rest, if there is any.  So it depends on the names and their order alone, not on whether
they came in one extension or in a hundred.
"""

from __future__ import annotations

import xxhash

BLOCK = 1 << 16  # names of a block
START = bytes(16)  # d_0


def link(before: bytes, text: bytes | memoryview) -> bytes:
    """Return the link that follows `before`, for the names of a block, one per line."""
    return bytes(xxhash.xxh3_128_digest(before + xxhash.xxh3_128_digest(text)))
