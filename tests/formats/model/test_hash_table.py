"""Hash tables: every entry is found at or behind its home, before a free slot."""

from __future__ import annotations

import numpy as np
import pytest

from campanula.formats.arrays.hashing import transition_home
from campanula.formats.arrays.types import Ids
from campanula.formats.model.hash_table import (
    FREE,
    places,
    slot_bits,
    transition_table,
)


def look_up(table: Ids, state: int, word: int, bits: int) -> int | None:
    """Slot of a transition by linear probing, as the kernels do it; None when there is none."""
    home = transition_home(np.array([state]), np.array([word]), bits)
    slot = int(home[0])
    while table[slot, 0] != FREE:
        if (table[slot, 0], table[slot, 1]) == (state, word):
            return slot
        slot += 1
    return None


@pytest.mark.parametrize("size", [0, 1, 2, 5, 300])
def test_every_transition_is_found(size: int) -> None:
    rng = np.random.default_rng(size)
    pairs = np.unique(rng.integers(0, 40, (size, 2)), axis=0)
    target, value = np.arange(len(pairs)), rng.random(len(pairs)).astype(np.float32)
    table = transition_table(pairs[:, 0], pairs[:, 1], target, value)
    bits = (len(table) - 1).bit_length() - 1
    assert bits == slot_bits(len(pairs))
    for (state, word), number in zip(pairs.tolist(), target.tolist(), strict=True):
        slot = look_up(table, state, word, bits)
        assert table[slot, 2] == number
        assert table.view(np.float32)[slot, 3] == value[number]
    assert look_up(table, 77, 3, bits) is None


def test_entries_keep_behind_their_homes_and_leave_the_end_free() -> None:
    home = np.array([7, 7, 7, 0, 6, 7])
    order, slot, n_slots = places(home, 3)
    assert sorted(order.tolist()) == list(range(6))
    assert (slot >= home[order]).all()
    assert len(set(slot.tolist())) == 6
    assert slot.max() < n_slots - 1
