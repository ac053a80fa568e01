"""The heap, the hash table and the arrays of the search."""

from __future__ import annotations

import random

import numpy as np

from campanula.stages.kernels import memory


def test_the_heap_hands_out_the_largest_first():
    rng = random.Random(1)
    values = [rng.random() for _ in range(50)]
    priority, cell = np.empty(51), np.empty(51, np.int64)
    for i, value in enumerate(values):
        memory.sift_up(priority, cell, i, value, i)
    out = []
    for size in range(49, -1, -1):
        out.append(values[cell[0]])
        memory.sift_down(priority, cell, size, priority[size], cell[size])
    assert out == sorted(values, reverse=True)


def test_a_key_is_found_again():
    rng = random.Random(2)
    keys = np.array([[rng.randrange(1 << 60) for _ in range(4)] for _ in range(40)])
    slots = memory.free_slots(40)
    for row, key in enumerate(keys.tolist()):
        slot = memory.find_slot(slots, keys, *key)
        assert slots[slot] == -1
        slots[slot] = row
    for row, key in enumerate(keys.tolist()):
        assert slots[memory.find_slot(slots, keys, *key)] == row


def test_arrays_grow_and_keep_what_is_used():
    array = np.arange(4)
    assert memory.grown(array, 4, 4) is array
    assert memory.grown(array, 9, 3)[:3].tolist() == [0, 1, 2]
    rows = memory.grown_rows(array.reshape(2, 2), 5, 2)
    assert len(rows) >= 5
    assert rows[:2].tolist() == [[0, 1], [2, 3]]
