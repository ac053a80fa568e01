from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from campanula.formats.errors import DataError
from campanula.lists import FEW, KBestLists
from tests.examples import random_lists


@pytest.fixture
def lists() -> KBestLists:
    records, _ = random_lists(5)
    return KBestLists(tuple(records), "made by hand", {"name": "bleu"}, "here")


def test_lists_are_a_sequence_of_records(lists: KBestLists) -> None:
    assert len(lists) == 4
    assert lists[1].sid == 1
    assert [kbest.sid for kbest in lists[2:]] == [2, 3]
    assert lists[2:].signature == lists.signature
    assert lists.n_hyps == sum(len(kbest) for kbest in lists)
    assert repr(lists).endswith("scored by bleu>")


def test_what_is_saved_is_opened(lists: KBestLists, tmp_path: Path) -> None:
    lists.save(str(tmp_path / "lists"))
    again = KBestLists.open(str(tmp_path / "lists"))
    assert again.signature == "made by hand"
    assert again.metric == {"name": "bleu"}
    assert list(again.names) == list(lists.names)
    for one, other in zip(again, lists, strict=True):
        assert list(one.text) == list(other.text)
        assert list(one.features.rows(one.names)) == list(other.features.rows(other.names))
        assert one.gain is not None
        assert other.gain is not None
        assert one.gain.tolist() == other.gain.tolist()


def test_arrays_hold_every_number(lists: KBestLists) -> None:
    arrays = lists.to_arrays()
    rows = [row for kbest in lists for row in kbest.features.rows(kbest.names)]
    dense = arrays.features.toarray()
    assert dense.shape == (lists.n_hyps, len(arrays.names))
    for row, values in zip(rows, dense, strict=True):
        found = dict(zip(arrays.names, values, strict=True))
        assert {name: value for name, value in found.items() if value} == row
    assert arrays.text == [text for kbest in lists for text in kbest.text]
    assert arrays.gain is not None
    gains = [kbest.gain for kbest in lists if kbest.gain is not None]
    assert arrays.gain.tolist() == [value for gain in gains for value in gain]
    assert arrays.sid.tolist() == [kbest.sid for kbest in lists for _ in kbest.text]
    assert np.diff(arrays.pointer).tolist() == [len(kbest) for kbest in lists]
    assert arrays.score is None
    assert arrays.stats is None


def test_no_lists_are_no_rows() -> None:
    nothing = KBestLists(())
    assert nothing.to_arrays().features.shape == (0, 0)
    assert list(nothing.names) == []
    assert repr(nothing) == "<0 lists, 0 hypotheses, 0 features>"


def test_a_frame_has_a_row_a_hypothesis(lists: KBestLists) -> None:
    pytest.importorskip("pandas")
    frame = lists.to_frame()
    assert frame.index.names == ["sid", "rank"]
    assert len(frame) == lists.n_hyps
    assert frame.loc[(1, 0), "text"] == lists[1].text[0]
    assert frame.loc[(2, 0), "LM0"] == next(lists[2].features.rows(lists.names))["LM0"]
    assert "score" not in frame


def test_a_frame_of_many_features_is_sparse() -> None:
    pytest.importorskip("pandas")
    records, _ = random_lists(6)
    lists = KBestLists(tuple(records))
    for i in range(FEW):
        lists.names.id(f"never_{i}")
    frame = lists.to_frame()
    assert str(frame["LM0"].dtype).startswith("Sparse")
    assert frame["LM0"].tolist() == lists.to_arrays().features.toarray()[:, 0].tolist()


def test_one_feature_more(lists: KBestLists) -> None:
    longer = lists.with_feature("Length", lambda texts: [len(text) for text in texts])
    assert "Length" in longer.names
    assert "Length" not in lists.names
    row = next(iter(longer[2].features.rows(longer.names)))
    assert row["Length"] == len(longer[2].text[0])
    assert "feature:Length" in longer.signature
    assert longer.metric == lists.metric


def test_a_feature_of_the_table_is_found_by_its_name(lists: KBestLists) -> None:
    longer = lists.with_feature("Length", "length", unit="characters")
    row = next(iter(longer[2].features.rows(longer.names)))
    assert row["Length"] == len(longer[2].text[0])
    with pytest.raises(KeyError, match="did you mean length"):
        lists.with_feature("Length", "lenght")


def test_a_feature_that_is_not_one_number_a_hypothesis_is_refused(lists: KBestLists) -> None:
    with pytest.raises(DataError, match="feature Bad: sentence 0: expected"):
        lists.with_feature("Bad", lambda texts: [1.0] * (len(texts) + 1))
    with pytest.raises(DataError, match="not finite"):
        lists.with_feature("Bad", lambda texts: [float("nan")] * len(texts))
    with pytest.raises(DataError, match="new feature name"):
        lists.with_feature("LM0", lambda texts: [0.0] * len(texts))


def test_records_of_several_tables_get_a_common_one(lists: KBestLists) -> None:
    one = lists.with_feature("One", lambda texts: [1.0] * len(texts))
    nine = lists.with_feature("Nine", lambda texts: [9.0] * len(texts))
    mixed = KBestLists((*one[:2], *nine[2:]))
    frame = mixed.to_arrays()
    columns = dict(zip(frame.names, frame.features.toarray().T, strict=True))
    assert columns["One"].tolist() == [1.0 * (sid < 2) for sid in frame.sid]
    assert columns["Nine"].tolist() == [9.0 * (sid >= 2) for sid in frame.sid]
    assert {"One", "Nine"} <= set(mixed.names)
    assert mixed == mixed
    assert len({mixed, one}) == 2


def test_lists_scored_by_several_metrics_are_refused() -> None:
    one, other, *_ = random_lists(5)[0]
    records = [
        replace(k, stats=np.zeros((len(k), w), np.int64)) for k, w in ((one, 2), (other, 10))
    ]
    with pytest.raises(ValueError, match="expected lists scored by one metric, found 2 and 10"):
        KBestLists(tuple(records))
