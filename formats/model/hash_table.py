"""Hash tables in flat arrays, laid out at once so that a file of them can be mapped from disk.

Linear probing without deletion: sorted by home slot h, entry i goes to

    p_i = max(h_i, p_{i-1} + 1) = i + max_{j <= i} (h_j - j)

so NumPy places all entries in one pass.  Entries that overflow the last home go to a few slots
behind it, and the last slot is free, so that every search ends.
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.columns import STATE, TARGET, VALUE, WORD
from campanula.formats.arrays.hashing import transition_home
from campanula.formats.arrays.types import Ids, Ints, Singles

FREE = -1  # an empty slot; states, words and their numbers are 0 or larger


def slot_bits(n_entries: int) -> int:
    """Return the number of address bits with which the table is at most half full."""
    # half full, a search that probes slot after slot ends after about two
    return max(3, int(2 * n_entries - 1).bit_length()) if n_entries else 3


def table_bits(table: Ids) -> int:
    """Return the address bits of a table of transitions, from its number of slots."""
    return (len(table) - 1).bit_length() - 1


def places(home: Ints, bits: int) -> tuple[Ints, Ints, int]:
    """Place entries by their home slots: return (order, slot, number of slots).

    Entry order[i] goes to slot[i]; both (n_entries,).
    """
    order = np.argsort(home, kind="stable")
    index = np.arange(len(home))
    slot = index + np.maximum.accumulate(home[order] - index) if len(home) else index
    last = int(slot[-1]) if len(home) else 0
    return order, slot, max(1 << bits, last + 1) + 1


def transition_table(state: Ints, word: Ints, target: Ints, value: Singles | None = None) -> Ids:
    """Return the table of the transitions (state, word) -> (target, value): (n_slots, 4) int32.

    Columns: state (-1 is a free slot), word, target, the bits of the float32 value.  A slot has 16
    bytes, so a look-up mostly touches one cache line.
    """
    bits = slot_bits(len(state))
    order, slot, n_slots = places(transition_home(state, word, bits), bits)
    table = np.full((n_slots, 4), FREE, dtype=np.int32)
    table[slot, STATE] = state[order]
    table[slot, WORD] = word[order]
    table[slot, TARGET] = target[order]
    table[slot, VALUE] = 0 if value is None else value.view(np.int32)[order]
    return table
