"""Fingerprints and digests of names, a byte at a time, in whole numbers."""

from __future__ import annotations

from collections.abc import Sequence

import xxhash

MASK = (1 << 64) - 1
BLOCK = 65536


def fingerprint(name: str) -> int:
    data = name.encode()
    mixed = 0x9E3779B97F4A7C15 ^ len(data)
    for place in range(0, len(data), 8):
        word = int.from_bytes(data[place : place + 8], "little")
        mixed = (mixed ^ word) * 0xBF58476D1CE4E5B9 & MASK
        mixed ^= mixed >> 32
    mixed ^= mixed >> 29
    mixed = mixed * 0xFF51AFD7ED558CCD & MASK
    mixed ^= mixed >> 33
    mixed = mixed * 0xC4CEB9FE1A85EC53 & MASK
    return mixed ^ mixed >> 33


def digest(names: Sequence[str]) -> str:
    link = bytes(16)
    for start in range(0, len(names), BLOCK):
        block = "".join(f"{name}\n" for name in names[start : start + BLOCK])
        link = xxhash.xxh3_128_digest(link + xxhash.xxh3_128_digest(block.encode()))
    return link.hex()
