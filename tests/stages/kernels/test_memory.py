"""The heap, the hash table and the arrays of the search."""

from __future__ import annotations

import random

import numpy as np

from campanula.formats.arrays import columns, hashing
from campanula.formats.arrays.growing import grown
from campanula.formats.model.hash_table import FREE, slot_bits, transition_table
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


def test_a_row_is_found_again():
    rng = random.Random(3)
    rows = np.array([[rng.randrange(3) for _ in range(3)] for _ in range(60)], np.int32)
    slots, first = memory.free_slots(60), dict[tuple[int, ...], int]()
    for number, row in enumerate(rows.tolist()):
        slot = memory.find_row(slots, rows, number)
        assert slots[slot] == first.get(tuple(row), -1)
        if slots[slot] < 0:
            slots[slot] = first[tuple(row)] = number


def test_arrays_grow_and_keep_what_is_used():
    array = np.arange(4)
    assert memory.grown(array, 4).tolist() == [0, 1, 2, 3]
    assert len(memory.grown(array, 4)) == 4
    assert memory.grown(array, 9)[:4].tolist() == [0, 1, 2, 3]
    rows = memory.grown(array.reshape(2, 2), 5)
    assert len(rows) >= 5
    assert rows[:2].tolist() == [[0, 1], [2, 3]]
    every_other = np.arange(8).reshape(4, 2)[::2]
    assert memory.grown(every_other, 3)[:2].tolist() == [[0, 1], [4, 5]]
    for size in (2, 3, 9):
        assert (
            memory.grown(array.reshape(2, 2), size).shape == grown(array.reshape(2, 2), size).shape
        )


def test_transitions_are_found_where_the_files_have_them():
    pairs = np.unique(np.random.default_rng(3).integers(0, 40, (300, 2)), axis=0)
    table = transition_table(pairs[:, 0], pairs[:, 1], np.arange(len(pairs)))
    bits = slot_bits(len(pairs))
    for number, (state, word) in enumerate(pairs.tolist()):
        slot = memory.find_transition(table, bits, state, word)
        assert table[slot, columns.TARGET] == number
    assert table[memory.find_transition(table, bits, 77, 3), columns.STATE] == FREE


def test_compiled_hashes_are_those_of_the_leaf():
    rng = random.Random(4)
    for _ in range(50):
        state, word, left, right = (rng.randrange(1 << 31) for _ in range(4))
        assert memory.transition_home(state, word, 12) == hashing.transition_home(state, word, 12)
        assert memory.rolled(left, right, word) == hashing.rolled(left, right, word)
