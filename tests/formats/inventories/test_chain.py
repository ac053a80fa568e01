"""The chain is what its formula says."""

from __future__ import annotations

import xxhash

from campanula.formats.inventories import chain


def test_a_link() -> None:
    first = chain.link(chain.START, b"a\nb\n")
    assert first == xxhash.xxh3_128_digest(bytes(16) + xxhash.xxh3_128_digest(b"a\nb\n"))
    assert chain.link(first, b"") not in (first, chain.START)
