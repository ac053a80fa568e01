"""Chunks hold what a budget allows, whatever the shape of the lists."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from campanula.formats.errors import DataError
from campanula.formats.records.features import Features
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts
from campanula.stages.tuning.chunks import HYPOTHESIS_BYTES, LIST_BYTES, cut
from tests.examples import random_lists

FIRST_ENTRIES = 40  # bytes of the zeros with which five pointers begin, which no list brings
SHAPES = {"lists of one": (400, 1, 2), "long lists": (9, 300, 2), "wide lists": (9, 3, 400)}


def lists_of(n_lists, size, n_features):
    names, rng = Names(f"f{k}" for k in range(n_features)), np.random.default_rng(1)
    ids = np.arange(n_features, dtype=np.int32)
    for sid in range(n_lists):
        features = Features.of_dense(ids, rng.normal(size=(n_features, size)))
        texts = Texts.of([""] * size)
        yield KBest(sid, texts, features, names, gain=rng.random(size))


@pytest.mark.parametrize("shape", SHAPES)
def test_a_chunk_takes_the_budget_or_is_one_list(shape):
    budget, seen = 20_000, 0
    sizes = []
    for chunk in cut(lists_of(*SHAPES[shape]), "lists", budget=budget):
        columns = sum(column.nbytes for column in chunk.lists)
        columns += HYPOTHESIS_BYTES * chunk.lists.n_hyps + LIST_BYTES * chunk.lists.n_lists
        sizes.append(columns)
        if chunk.lists.n_lists > 1:
            assert columns <= budget + FIRST_ENTRIES
        assert chunk.first == seen
        seen += chunk.lists.n_lists
    assert seen == SHAPES[shape][0]
    assert all(a + b > budget for a, b in pairwise(sizes))  # else two chunks would be one


def test_chunks_hold_what_all_at_once_does():
    records, _ = random_lists(seed=18, n_lists=9)
    (whole,) = cut(records, "lists")
    whole_gain, whole_ids = whole.gain.tolist(), whole.lists.binary_id.tolist()
    gain, ids = [], []
    for chunk in cut(records, "lists", budget=1500):
        gain += chunk.gain.tolist()
        ids += chunk.lists.binary_id.tolist()
    assert (gain, ids) == (whole_gain, whole_ids)


def test_without_a_budget_nothing_is_written_over():
    records, rows = random_lists(seed=18, n_lists=9)
    (whole,) = cut(iter(records), "lists")
    assert whole.gain.tolist() == [gain for kbest in rows for _, gain in kbest]


def test_statistics_of_different_widths_are_refused():
    records, _ = random_lists(seed=18, n_lists=3)
    wide = [
        replace(record, stats=np.zeros((len(record), 2 + (record.sid == 1)), np.int64))
        for record in records
    ]
    with pytest.raises(DataError, match=r"sentence 1: expected 2 statistics.*found 3 statistics"):
        list(cut(wide, "lists"))
    with pytest.raises(DataError, match=r"sentence 1: expected 2 statistics.*found no statistics"):
        list(cut([wide[0], records[1]], "lists"))
