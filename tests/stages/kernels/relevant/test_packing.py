"""Packed sets: the best truth, and lists with too many features."""

import numpy as np

from campanula.stages.kernels.relevant.packing import SENTENCES, pack
from campanula.stages.kernels.relevant.records import Sets
from tests.stages.kernels.relevant.packed import packed, rows


def test_the_best_truth_is_the_first_of_the_highest_gain():
    gains = [0.25, 0.75, 0.75, 0.5]
    lists = [[(f"{j}", {f"f{j}": 1.0}, gain) for j, gain in enumerate(gains)]] * 2
    sets = packed(seed=1, truth=lists, apart=True, n_sentences=2, n_sets=1).sets
    assert sets.best.tolist() == [1, 1]
    assert sets.truths.tolist() == [4, 4]
    sets = packed(seed=1, truth=lists, n_sentences=2, n_sets=1).sets
    assert sets.best.tolist() == [0, 0]
    assert sets.truths.tolist() == [1, 1]
    assert sets.gain[sets.pointer[:-1]].tolist() == [0.75, 0.75]


def test_a_list_that_is_too_wide_stops_it():
    lists = [[("a", {"f1": 1.0}, 0.5)], [("a", {"f1": 1.0, "f2": 1.0}, 0.5)]]
    room = Sets(
        np.zeros(3, np.int64), np.empty(2, np.int32), np.empty(2, np.int32),
        np.zeros(3, np.int64), np.empty(3, np.uint16),
        np.zeros(3, np.int64), np.empty(3, np.int32), np.zeros(3, np.int64),
        np.empty(0, np.uint16), np.empty(0), np.zeros(3, np.int64), np.empty(3, np.uint16),
        np.empty(2),
    )  # fmt: skip
    none, at = np.zeros(2, np.int32), np.zeros(5, np.int64)
    everything = np.ones(2, np.bool_), np.zeros(0, np.bool_)
    count = np.zeros(3, np.int32)
    assert pack(rows(lists), none, *everything, count, 1, room, at) == 1
    assert at[SENTENCES] == 1
    at[:] = 0
    assert pack(rows(lists), none, *everything, count, 2, room, at) == -1
    assert room.binary_code.tolist() == [0, 0, 1]
    assert room.rare.tolist() == [1, 1, 2]
    assert count.tolist() == [0, 3, 1]
