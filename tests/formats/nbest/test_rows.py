from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from campanula.formats.nbest.rows import GatheredLists, Piece, Row, natural_order, pieces_of
from campanula.formats.nbest.sentence_ids import SentenceIds
from campanula.formats.records.features import Features
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from tests.plain import plain
from tests.strategies import NUMBER, TEXT, VALUE

NAMES = st.sampled_from(["LM0", "TM0_0", "TM0_2", "TM0_10", "b", "a=b"])
ROWS = st.lists(
    st.builds(
        Row,
        st.integers(0, 3),
        TEXT,
        st.dictionaries(NAMES, VALUE, max_size=4),
        st.none() | NUMBER,
        st.dictionaries(st.sampled_from(["alignment", "tree"]), TEXT, max_size=2),
    ),
    max_size=12,
)


def gathered(pieces: list[Piece], names: Names) -> list[KBest]:
    return list(GatheredLists(pieces, names, SentenceIds()))


def slow(rows: list[Row]) -> list[dict[str, Any]]:
    """Lists by sentence, in obvious loops."""
    lists = []
    for sid in sorted({row.sid for row in rows}):
        own = [row for row in rows if row.sid == sid]
        scores = [row.score for row in own]
        fields = dict.fromkeys(name for row in own for name in row.fields)
        lists.append(
            {
                "sid": sid,
                "text": [row.text for row in own],
                "features": [dict(row.features) for row in own],
                "score": None if None in scores else scores,
                "stats": None,
                "gain": None,
                "fields": {name: [row.fields.get(name, "") for row in own] for name in fields},
            }
        )
    return lists


@given(ROWS, st.integers(1, 5))
def test_sentence_ids_decide(rows: list[Row], size: int) -> None:
    names = Names()
    pieces = [
        p
        for at in range(0, len(rows), size)
        for p in pieces_of(rows[at : at + size], names, SentenceIds())
    ]
    found = [plain(kbest) for kbest in gathered(pieces, names)]
    for one, other in zip(found, slow(rows), strict=True):
        one["fields"] = dict(sorted(one["fields"].items()))
        other["fields"] = dict(sorted(other["fields"].items()))
        assert one == other


@given(ROWS)
def test_features_are_as_features_of_rows(rows: list[Row]) -> None:
    names = Names()
    for kbest in gathered(list(pieces_of(rows, names, SentenceIds())), names):
        own = [dict(row.features) for row in rows if row.sid == kbest.sid]
        assert kbest.features.pack() == Features.of(own, kbest.names).pack()


@given(ROWS, st.randoms())
def test_the_order_of_names_in_the_text_does_not_matter(
    rows: list[Row], rng: random.Random
) -> None:
    def packed(rows: list[Row]) -> list[tuple[list[str], dict[str, Any]]]:
        names = Names()
        lists = gathered(list(pieces_of(rows, names, SentenceIds())), names)
        return [(list(kbest.names), kbest.pack(kbest.names)) for kbest in lists]

    def shuffled(features: Mapping[str, float]) -> dict[str, float]:
        return dict(rng.sample(list(features.items()), len(features)))

    others = [Row(r.sid, r.text, shuffled(r.features), r.score, r.fields) for r in rows]
    assert packed(rows) == packed(others)


def test_names_are_in_natural_order() -> None:
    expected = ["LM0", "TM0", "TM0_0", "TM0_2", "TM0_10", "TM0_x", "_1"]
    shuffled = random.Random(1).sample(expected, len(expected))
    assert sorted(shuffled, key=natural_order) == expected


def test_stats_and_gains_are_kept_where_all_have_them() -> None:
    names = Names()
    rows = [Row(0, "a", {}, stats=[1, 2], gain=0.5), Row(0, "b", {}, stats=[3, 4], gain=0.25)]
    (kbest,) = gathered(list(pieces_of(rows, names, SentenceIds())), names)
    assert kbest.stats is not None
    assert kbest.gain is not None
    assert (kbest.stats.tolist(), kbest.gain.tolist()) == ([[1, 2], [3, 4]], [0.5, 0.25])
    rows.append(Row(0, "c", {}))
    (kbest,) = gathered(list(pieces_of(rows, names, SentenceIds())), names)
    assert (kbest.stats, kbest.gain) == (None, None)


@pytest.mark.parametrize("size", [1, 7])
def test_a_million_names_are_but_numbers(size: int) -> None:
    names = Names()
    rows = [Row(i // 100, "x", {f"f{i}_{j}": 1.0 for j in range(size)}) for i in range(1000)]
    lists = gathered(list(pieces_of(rows, names, SentenceIds())), names)
    assert sum(len(kbest.features.binary_id) for kbest in lists) == 1000 * size
    assert np.unique(np.concatenate([k.features.binary_id for k in lists])).size == 1000 * size


def test_lists_are_there_at_any_place() -> None:
    names, ids = Names(), SentenceIds()
    rows = [Row(sid, f"{sid}", {"x": float(sid)}) for sid in (3, 0, 3, 1)]
    lists = GatheredLists(list(pieces_of(rows, names, ids)), names, ids)
    assert len(lists) == 3
    assert plain(lists.at(2))["text"] == ["3", "3"]
    assert [plain(kbest)["sid"] for kbest in lists] == [0, 1, 3]
    assert lists.at(0).sid == 0
    assert list(lists) == []
