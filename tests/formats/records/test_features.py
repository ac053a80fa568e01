from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from campanula.formats.records.columns import ColumnError, pack_floats, pack_ints
from campanula.formats.records.features import Features
from campanula.formats.records.names import Names
from tests.plain import float_column
from tests.strategies import features_rows

ROWS = st.integers(1, 4).flatmap(features_rows)


@given(ROWS)
def test_rows_come_back(rows: list[dict[str, float]]) -> None:
    names = Names()
    assert list(Features.of(rows, names).rows(names)) == rows


@given(ROWS)
def test_round_trip(rows: list[dict[str, float]]) -> None:
    names = Names()
    record = Features.of(rows, names).pack()
    assert list(Features.unpack(record, len(rows), names).rows(names)) == rows


@given(ROWS)
def test_dense_is_what_all_have_and_ones_have_no_value(rows: list[dict[str, float]]) -> None:
    names = Names()
    features = Features.of(rows, names)
    common = set.intersection(*({*row} for row in rows))
    assert {names[i] for i in features.dense_id} == common
    rest = [value for row in rows for name, value in row.items() if name not in common]
    assert len(features.binary_id) == rest.count(1.0)
    assert features.sparse_value.tolist().count(1.0) == 0
    assert len(features) == len(rows)


@given(ROWS, st.data())
def test_take_is_indexing(rows: list[dict[str, float]], data: st.DataObject) -> None:
    index = data.draw(st.lists(st.integers(0, len(rows) - 1), max_size=6))
    names = Names()
    taken = Features.of(rows, names).take(np.array(index, np.int64))
    assert list(taken.rows(names)) == [rows[i] for i in index]


@given(ROWS, st.data())
def test_a_span_is_a_slice(rows: list[dict[str, float]], data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(rows)))
    end = data.draw(st.integers(start, len(rows)))
    names = Names()
    assert list(Features.of(rows, names).span(start, end).rows(names)) == rows[start:end]


@given(ROWS, st.sets(st.integers(0, 9)))
def test_only_some_features(rows: list[dict[str, float]], numbers: set[int]) -> None:
    names = Names()
    features = Features.of(rows, names)
    kept = np.array([i in numbers for i in range(len(names))], np.bool_)
    expected = [{n: v for n, v in row.items() if kept[names.id(n)]} for row in rows]
    assert list(features.only(kept).rows(names)) == expected


@given(ROWS)
def test_translate_changes_ids_and_nothing_else(rows: list[dict[str, float]]) -> None:
    names, others = Names(), Names(["another"])
    features = Features.of(rows, names).translate(others.ids_of(names))
    assert list(features.rows(others)) == rows


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("part", ["dense", "sparse"])
def test_a_feature_that_is_not_finite_is_refused_by_name(part: str, value: float) -> None:
    record = {f"{part}_id": pack_ints([1]), "sparse_length": pack_ints([1])}
    record["dense" if part == "dense" else "sparse_value"] = float_column([value])
    with pytest.raises(ColumnError, match=r"feature 'LM0': expected a finite number, found"):
        Features.unpack(record, 1, Names(["TM0", "LM0"]))


def test_a_feature_that_stands_twice_is_refused_by_name() -> None:
    record = {"dense_id": pack_ints([1, 0, 1]), "dense": pack_floats([1.0, 2.0, 3.0])}
    with pytest.raises(ColumnError, match="feature 'LM0' stands here for the second time"):
        Features.unpack(record, 1, Names(["TM0", "LM0"]))


def test_an_id_without_a_name_is_refused() -> None:
    record = {"dense_id": pack_ints([2]), "dense": pack_floats([1.0])}
    with pytest.raises(ColumnError, match="expected ids below 2"):
        Features.unpack(record, 1, Names(["TM0", "LM0"]))


def test_dense_features_only() -> None:
    names = Names(["a", "b"])
    features = Features.of_dense(np.array([1], np.int32), np.array([[0.5, 2.0]]))
    assert list(features.rows(names)) == [{"b": 0.5}, {"b": 2.0}]


def test_sparse_features_beside_dense_ones() -> None:
    names = Names(["d", "a", "b"])
    dense = Features.of_dense(np.array([0], np.int32), np.array([[0.5, 1.5, 2.5]]))
    ids, values = np.array([1, 2, 2], np.int32), np.array([1.0, 3.0, 1.0])
    found = dense.with_sparse(np.array([0, 2, 2, 3]), ids, values)
    rows = [{"d": 0.5, "b": 3.0, "a": 1.0}, {"d": 1.5}, {"d": 2.5, "b": 1.0}]
    assert list(found.rows(names)) == rows
    assert found.binary_id.tolist() == [1, 2]


@pytest.mark.parametrize("kind", ["sparse", "binary", "both", "dense"])
def test_a_feature_twice_in_a_hypothesis_is_refused(kind: str) -> None:
    """Within a part, and in two of them; the same feature in two hypotheses is no fault."""
    names = Names(["a", "b", "c", "d"])
    rows = [{"a": 2.0, "b": 1.0, "c": 3.0, "d": 1.0}, {"a": 2.0, "b": 1.0}, {"d": 4.0}]
    features = Features.of(rows, names)
    record = features.pack()
    assert Features.unpack(record, 3, names).pack() == record
    if kind == "dense":
        record |= Features.of_dense(np.array([0], np.int32), np.zeros((1, 3))).pack()
    else:
        key = "sparse_id" if kind == "sparse" else "binary_id"
        ids = {"sparse": [2, 2, 0, 3], "binary": [1, 1, 1], "both": [1, 2, 1]}[kind]
        record[key] = pack_ints(np.array(ids))
    with pytest.raises(ColumnError, match="stands for the second time in a hypothesis"):
        Features.unpack(record, 3, names)


def test_a_dense_feature_more() -> None:
    names = Names(["d", "a", "b"])
    features = Features.of([{"d": 0.5, "a": 3.0}, {"d": 1.5, "b": 1.0}], names)
    number = names.id("e")
    found = features.with_dense(number, np.array([7.0, 8.0]))
    rows = [{"d": 0.5, "a": 3.0, "e": 7.0}, {"d": 1.5, "b": 1.0, "e": 8.0}]
    assert list(found.rows(names)) == rows
    assert found.dense_id.tolist() == [0, number]
    assert found.dense_id.dtype == np.int32
