"""The outcome in every format."""

from __future__ import annotations

import csv
import json

import pytest

from campanula.stages.comparing.outcome import JSON, Outcome
from campanula.stages.comparing.systems import System
from campanula.stages.comparing.table_formats import TABLE_FORMATS
from tests.stages.comparing.test_sentences import COMPARISON, SHOWN

SYSTEMS = [System("base", ("b",)), System("new", ("n",))]


@pytest.mark.parametrize("sentences", [None, 2])
def test_sentences_are_there_when_asked_for(sentences: int | None) -> None:
    outcome = Outcome([COMPARISON], SYSTEMS, False, sentences, SHOWN)
    for name in TABLE_FORMATS:
        assert any("n3" in line for line in outcome.lines(name)) is bool(sentences)
    (line,) = outcome.lines(JSON)
    assert ("sentences" in json.loads(line)[0]) is bool(sentences)


def test_csv_keeps_one_header() -> None:
    outcome = Outcome([COMPARISON, COMPARISON], SYSTEMS, True, 1, SHOWN)
    rows = list(csv.DictReader(outcome.lines("csv")))
    kinds = {row["table"] for row in rows}
    assert kinds == {"systems", "pairs", "improved", "worsened"}
    assert all(None not in row for row in rows)
