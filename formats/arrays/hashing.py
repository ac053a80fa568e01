"""Hashes that tables on disk and kernels share, as arithmetic of plain integers or of arrays.

The kernels compile these as they stand (kernels/memory.py).  Where numbers are of at most 31 bits,
the constants keep every product below 2^63, so that Python's integers, NumPy's and compiled ones
give the same; the longer ones of mixed_key wrap, and no file has their hashes.
"""

from __future__ import annotations

from typing import Any

LOW31 = 0x7FFFFFFF
PRIME = 0x7FFFFFED  # with LOW31 the two largest primes below 2^31
SPELLED_START = 0x811C9DC5  # FNV-1a, 32 bits


def transition_home(state: Any, word: Any, bits: int) -> Any:
    """Home slot of each transition (state, word) in a table with 2^bits homes."""
    mixed = state * 0x5851F42D + word * 0x2545F491
    mixed ^= mixed >> 29
    return (((mixed & LOW31) * 0x6C8E9CF5) & LOW31) >> (31 - bits)


def rolled(left: int, right: int, number: int) -> tuple[int, int]:
    """Two 31-bit polynomial hashes of a sequence, with a number added."""
    return (left * 0x2545F491 + number) % LOW31, (right * 0x19D699A5 + number) % PRIME


def spelled(code: Any, byte: Any) -> Any:
    """FNV-1a of a word, 32 bits, with a byte added; that of no byte is SPELLED_START.

    The word's home slot is that of a transition (code & LOW31, code >> 31).
    """
    return ((code ^ byte) * 0x01000193) & 0xFFFFFFFF


def mixed_key(a: int, b: int, c: int, d: int) -> int:
    """Bits of four numbers; those from the 20th on are the most mixed."""
    mixed = a * 0x2545F491 ^ (b & LOW31) * 0x5851F42D ^ (b >> 31) * 0x3C6EF372 ^ c * 0x1B873593
    mixed ^= d * 0x19D699A5
    mixed ^= mixed >> 27
    return ((mixed & LOW31) * 0x6C8E9CF5) & 0x3FFFFFFFFFFFFFF
