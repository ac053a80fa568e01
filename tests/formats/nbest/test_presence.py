from __future__ import annotations

from pathlib import Path

from campanula.formats.nbest.presence import Presence
from tests.listing import lists_of


def remarks(folder: Path, *lines: str) -> list[str]:
    """What is said of lists that are looked at in one go; and in two, of which one is added."""
    presence, whole, rest = Presence(), Presence(), Presence()
    lists = lists_of(folder, "".join(f"{line}\n" for line in lines), "jsonl")
    for place, kbest in enumerate(lists):
        presence.look(kbest)
        (rest if place else whole).look(kbest)
    whole.add(rest.counts(), lists[0].names)
    assert presence.hypotheses == whole.hypotheses == len(lines)
    assert list(whole.remarks()) == list(presence.remarks())
    return list(presence.remarks())


def line(sid: int, features: str, score: str = "") -> str:
    return f'{{"id": {sid}, "text": "a", "features": {features}{score}}}'


def test_a_dense_feature_that_hypotheses_lack_is_named(tmp_path: Path) -> None:
    whole, without = line(0, '{"LM": -1, "AM_0": 2}'), line(1, '{"AM_0": 1}')
    said = "hypotheses lack, and count 0 for, LM (in 1 of 3)"
    assert remarks(tmp_path, whole, whole, without) == [said]


def test_sparse_features_are_no_matter(tmp_path: Path) -> None:
    rows = [line(0, '{"LM": -1, "tgt_the": 1}'), line(0, '{"LM": -1}')]
    assert remarks(tmp_path, *rows) == []
    rows = [line(0, '{"LM": -1, "x": 1}'), *[line(0, '{"LM": -1}')] * 3]
    assert remarks(tmp_path, *rows) == []


def test_lists_without_features_say_how_to_get_one(tmp_path: Path) -> None:
    (said,) = remarks(tmp_path, line(0, "{}", ', "score": 1'))
    assert "no hypothesis has a feature; `add-feature score --name F0`" in said
    assert remarks(tmp_path, line(0, "{}")) == ["no hypothesis has a feature"]


def test_a_field_that_texts_have_nothing_in_is_named(tmp_path: Path) -> None:
    whole, without = line(0, '{"LM": -1}', ', "comet": 0.5'), line(1, '{"LM": -1}')
    said = "texts have nothing in the field comet (in 1 of 2)"
    assert remarks(tmp_path, whole, without) == [said]
    assert remarks(tmp_path, whole, whole) == []
    silent = without.replace('"a"', '""')
    assert remarks(tmp_path, whole, silent) == []
