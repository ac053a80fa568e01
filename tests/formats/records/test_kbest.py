from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from campanula.formats.records.columns import ColumnError
from campanula.formats.records.features import Features
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts
from tests.examples import random_lists
from tests.plain import plain
from tests.strategies import kbest_lists


def unpack(kbest: KBest, **changes: object) -> KBest:
    return KBest.unpack({**kbest.pack(kbest.names), **changes}, kbest.names)


@pytest.fixture
def kbest() -> KBest:
    names = Names()
    features = Features.of([{"LM0": -1.0}, {"LM0": -2.0}], names)
    return KBest(7, Texts.of(["a", "b"]), features, names, score=np.array([1.0, 0.5]))


@given(kbest_lists())
def test_round_trip(lists: list[KBest]) -> None:
    for kbest in lists:
        assert plain(unpack(kbest)) == plain(kbest)


@given(kbest_lists(), st.data())
def test_take_is_indexing_of_every_column(lists: list[KBest], data: st.DataObject) -> None:
    for kbest in lists:
        index = data.draw(st.lists(st.integers(0, len(kbest) - 1), min_size=1, max_size=5))
        taken = plain(kbest.take(np.array(index, np.int64)))
        whole = plain(kbest)
        for key in ("text", "features", "score", "stats", "gain"):
            if whole[key] is not None:
                assert taken[key] == [whole[key][i] for i in index]


def test_equal_values_stay_in_order() -> None:
    lists = KBest(3, Texts.of("abcd"), Features.of([{}] * 4, Names()), Names())
    assert list(lists.sorted_by(np.array([1.0, 2.0, 1.0, 2.0])).text) == ["b", "d", "a", "c"]
    assert lists.sorted_by(np.array([2.0, 1.0, 1.0, -np.inf])) is lists


@given(kbest_lists())
def test_another_table_of_names(lists: list[KBest]) -> None:
    others = Names(["first"])
    for kbest in lists:
        record = kbest.pack(others)
        assert plain(KBest.unpack(record, others)) == plain(kbest)


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"text": Texts.of([]).pack()}, "at least one hypothesis"),
        ({"text": Texts.of(["a"]).pack()}, "expected 1 entries, found 2"),
        ({"sid": -1}, "expected a whole number 'sid'"),
        ({"gain": ["<f8", np.ones(3).tobytes()]}, "expected 2 entries, found 3"),
        ({"stats": ["|u1", b"123"]}, "3 entries do not divide by 2 hypotheses"),
        ({"stats": ["|u1", b""]}, "0 entries do not divide"),
        ({"fields": {"a": Texts.of(["x"]).pack()}}, "expected 2 entries, found 1"),
        ({"fields": 3}, "expected a map of texts"),
    ],
)
def test_damaged_records_are_refused(
    kbest: KBest,
    changes: dict[str, object],
    problem: str,
) -> None:
    with pytest.raises(ColumnError, match=problem):
        unpack(kbest, **changes)


def test_a_record_says_what_it_has() -> None:
    records, _ = random_lists(3)
    assert repr(records[1]) == f"<sentence 1: {len(records[1])} hypotheses, gain>"


def test_an_id_is_kept_and_costs_nothing_where_there_is_none(kbest: KBest) -> None:
    assert "id" not in kbest.pack(kbest.names)
    named = replace(kbest, id="spk1-utt1")
    assert unpack(named).id == "spk1-utt1"
    assert named.take(np.array([1])).id == "spk1-utt1"


@pytest.mark.parametrize("found", [7, "", "a\nb", b"a"])
def test_what_is_no_id(kbest: KBest, found: int | str | bytes) -> None:
    with pytest.raises(ColumnError, match="expected the id of a sentence 'id'"):
        unpack(kbest, id=found)
