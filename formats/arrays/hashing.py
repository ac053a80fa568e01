"""Hashes that tables on disk and kernels share; they work on plain integers and on arrays.

The kernels compile these functions as they stand (kernels/memory.py).  Of inputs of at most 31 bits
the constants keep every product below 2^63, so that Python's integers, NumPy's and compiled ones
give the same hash.  Longer inputs, which mixed_key takes, wrap around; no file holds such hashes.
"""

from __future__ import annotations

from typing import Any

LOW31 = 0x7FFFFFFF
PRIME = 0x7FFFFFED  # with LOW31 the two largest primes below 2^31
SPELLED_START = 0x811C9DC5  # FNV-1a, 32 bits


def transition_home(state: Any, word: Any, bits: int) -> Any:
    """Return the home slot of each transition (state, word) in a table with 2^bits homes."""
    mixed = state * 0x5851F42D + word * 0x2545F491
    mixed ^= mixed >> 29  # the high bits, which the mask below would drop, go into the low ones
    return (((mixed & LOW31) * 0x6C8E9CF5) & LOW31) >> (31 - bits)


def rolled(left: int, right: int, number: int) -> tuple[int, int]:
    """Append a number to a sequence: return its two new 31-bit polynomial hashes.

    Two hashes by different primes, so that two sequences rarely agree in both.
    """
    return (left * 0x2545F491 + number) % LOW31, (right * 0x19D699A5 + number) % PRIME


def spelled(code: Any, byte: Any) -> Any:
    """Append a byte to a word: return its new FNV-1a hash, 32 bits, SPELLED_START for no bytes.

    The word's home slot is transition_home(code & LOW31, code >> 31, bits): the hash has one bit
    more than transition_home takes, so it is cut in two.
    """
    return ((code ^ byte) * 0x01000193) & 0xFFFFFFFF


def mixed_key(a: int, b: int, c: int, d: int) -> int:
    """Return a hash of four numbers; its bits from the 20th on are mixed best."""
    mixed = a * 0x2545F491 ^ (b & LOW31) * 0x5851F42D ^ (b >> 31) * 0x3C6EF372 ^ c * 0x1B873593
    mixed ^= d * 0x19D699A5
    mixed ^= mixed >> 27
    return ((mixed & LOW31) * 0x6C8E9CF5) & 0x3FFFFFFFFFFFFFF
