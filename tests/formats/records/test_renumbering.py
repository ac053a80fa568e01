"""Renumbering is what Names.ids_of does, without a trace of the tables before."""

from __future__ import annotations

import gc
import weakref

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from campanula.formats.records.features import Features
from campanula.formats.records.names import Names
from campanula.formats.records.renumbering import Renumbering

NAMES = st.lists(st.sampled_from("abcdefgh"), unique=True, min_size=1)


@given(NAMES, st.lists(NAMES, min_size=1, max_size=4))
def test_features_keep_their_names(ours: list[str], tables: list[list[str]]) -> None:
    table, other = Names(ours), Names(ours)
    for theirs in tables:
        names = Names()
        renumbering = Renumbering(names, table)
        for name in theirs:  # the table grows while it is read
            names.id(name)
            features = Features.of([dict.fromkeys(names, 2.0), {name: 1.0}], names)
            found = renumbering.renumbered(features)
            assert list(found.rows(table)) == list(features.rows(names))
            expected = features.translate(other.ids_of(names))
            assert np.array_equal(found.dense_id, expected.dense_id)
            assert np.array_equal(found.sparse_id, expected.sparse_id)
    assert list(table) == list(other)


def test_what_is_the_same_is_not_copied() -> None:
    names = Names("ab")
    features = Features.of([{"a": 1.0}], names)
    assert Renumbering(names, Names()).renumbered(features) is features


def test_a_table_that_was_read_is_not_kept() -> None:
    ours, theirs = Names(), Names("ab")
    Renumbering(theirs, ours).renumbered(Features.of([{"b": 1.0}], theirs))
    seen = weakref.ref(theirs)
    del theirs
    gc.collect()
    assert seen() is None
