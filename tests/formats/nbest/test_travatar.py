from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given

from campanula.formats.errors import DataError
from campanula.formats.nbest import FORMATS
from campanula.formats.records.features import Features
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts
from tests.listing import hypothesis
from tests.round_trip import round_trip, without
from tests.strategies import ODD_WORD, SENTENCE, kbest_lists


def test_a_line_of_travatar(tmp_path: Path) -> None:
    line = "0 ||| the cat ||| -3.81 ||| lm=-17.4 w=2 ||| (TOP (DT the) (NN cat))"
    fields = {"tree": "(TOP (DT the) (NN cat))"}
    expected = ("the cat", {"lm": -17.4, "w": 2.0}, -3.81, fields)
    assert hypothesis(tmp_path, line, "travatar") == expected


@given(kbest_lists(text=SENTENCE, names=ODD_WORD))
def test_round_trip(tmp_path_factory: pytest.TempPathFactory, lists: list[KBest]) -> None:
    lists = [kbest for kbest in lists if kbest.score is not None]
    found = round_trip(tmp_path_factory.mktemp("list"), lists, "travatar")
    assert found == without(lists, "stats", "gain", "fields")


def test_a_tree_is_written() -> None:
    names = Names()
    features = Features.of([{"w": 1.0}], names)
    kbest = KBest(
        0, Texts.of(["a"]), features, names, features.dense[0], fields={"tree": Texts.of(["(a)"])}
    )
    assert list(FORMATS["travatar"].write([kbest], "dev")) == ["0 ||| a ||| 1 ||| w=1 ||| (a)"]


def test_without_scores_there_is_no_travatar_list() -> None:
    names = Names()
    kbest = KBest(4, Texts.of(["a"]), Features.of([{"w": 1.0}], names), names)
    with pytest.raises(DataError, match="dev: sentence 4: expected model scores"):
        list(FORMATS["travatar"].write([kbest], "dev"))
