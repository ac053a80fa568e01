"""Ids of features by their keys."""

from __future__ import annotations

import random

import numpy as np

from campanula.formats.records.names import Names
from campanula.stages.decoding.sparse.feature_ids import KeyTable, NamedFeatures
from campanula.stages.decoding.sparse.name_parsing import text_of


def test_keys_are_numbered_as_they_are_met():
    rng = random.Random(1)
    table = KeyTable()
    known: dict[int, int] = {}
    for size in (0, 1, 50, 400):
        key = [rng.randrange(200) for _ in range(size)]
        fresh = [k for k in dict.fromkeys(key) if k not in known]
        for k in fresh:
            known[k] = len(known)
        number, new = table.numbers(np.array(key, np.int64))
        assert number.tolist() == [known[k] for k in key]
        assert [key[place] for place in new.tolist()] == fresh


def test_names_are_built_once():
    built = []

    def spell(places):
        built.append(places.tolist())
        return text_of([f"uni_{place}" for place in places.tolist()])

    names = Names(["LM0", "uni_9"])
    features = NamedFeatures(names)
    features.expect(np.array([90]), ["uni_9"])
    assert features.ids(np.array([50, 90, 50, 60]), spell).tolist() == [2, 1, 2, 3]
    assert features.ids(np.array([60, 50]), spell).tolist() == [3, 2]
    assert list(names) == ["LM0", "uni_9", "uni_0", "uni_3"]
    assert built == [[0, 3]]
