from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given

from campanula.formats.records.kbest import KBest
from tests.listing import hypothesis
from tests.round_trip import round_trip, without
from tests.strategies import ODD_WORD, SENTENCE, kbest_lists


def test_a_line_of_cdec(tmp_path: Path) -> None:
    line = "0 ||| the = cat ||| Glue=1 Lex=a=-3.2 ||| -4.1 ||| 0.31"
    expected = ("the = cat", {"Glue": 1.0, "Lex=a": -3.2}, -4.1, {"field5": "0.31"})
    assert hypothesis(tmp_path, line, "cdec") == expected


@given(kbest_lists(text=SENTENCE, names=ODD_WORD))
def test_round_trip(tmp_path_factory: pytest.TempPathFactory, lists: list[KBest]) -> None:
    found = round_trip(tmp_path_factory.mktemp("list"), lists, "cdec")
    assert found == without(lists, "stats", "gain", "fields")
