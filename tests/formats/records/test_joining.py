from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from campanula.formats.records.features import Features
from campanula.formats.records.joining import (
    features_of,
    in_one_space,
    join_features,
    join_fields,
    join_texts,
)
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts
from tests.examples import random_lists
from tests.strategies import TEXT, features_rows

PARTS = st.lists(st.integers(1, 3).flatmap(features_rows), min_size=1, max_size=3)


@given(PARTS)
def test_joined_features_are_the_features_of_joined_rows(
    parts: list[list[dict[str, float]]],
) -> None:
    names = Names()
    joined = join_features([Features.of(rows, names) for rows in parts])
    expected = Features.of([row for rows in parts for row in rows], names)
    assert joined.pack() == expected.pack()
    assert len(joined) == len(expected)


@given(st.lists(st.lists(TEXT, max_size=3), min_size=1, max_size=3))
def test_joined_texts(parts: list[list[str]]) -> None:
    assert list(join_texts([Texts.of(part) for part in parts])) == [
        t for part in parts for t in part
    ]


def test_a_part_without_a_field_has_empty_ones() -> None:
    fields = join_fields([{"a": Texts.of(["x"])}, {"b": Texts.of(["y", "z"])}], [1, 2])
    assert {name: list(texts) for name, texts in fields.items()} == {
        "a": ["x", "", ""],
        "b": ["", "y", "z"],
    }


def test_entries_in_any_order() -> None:
    names = Names(["a", "b", "c"])
    row, feature = np.array([1, 0, 1, 0]), np.array([2, 0, 0, 1], np.int32)
    features = features_of(row, feature, np.array([1.0, 2.0, 3.0, 4.0]), 2)
    assert list(features.rows(names)) == [{"a": 2.0, "b": 4.0}, {"a": 3.0, "c": 1.0}]
    assert features.binary_id.tolist() == [2]


def test_no_entries() -> None:
    none = np.zeros(0, np.int64)
    features = features_of(none, none.astype(np.int32), np.zeros(0), 3)
    assert list(features.rows(Names())) == [{}, {}, {}]


def test_lists_of_two_tables_get_a_common_one() -> None:
    one, _ = random_lists(1, n_lists=2)
    other, _ = random_lists(2, n_lists=2)
    assert in_one_space(one) is one
    joined = in_one_space([*one, *other])
    assert {id(kbest.names) for kbest in joined} == {id(joined[0].names)}
    for before, after in zip([*one, *other], joined, strict=True):
        rows = list(before.features.rows(before.names))
        assert list(after.features.rows(after.names)) == rows
