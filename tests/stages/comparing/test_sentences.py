"""The sentences that change most."""

from __future__ import annotations

import csv
import dataclasses

import numpy as np

from campanula.formats.text.references import References
from campanula.stages.comparing.sentences import (
    ShownSentence,
    most_changed,
    sentence_objects,
    sentence_tables,
)
from campanula.stages.comparing.table_formats import as_csv, as_text
from tests.stages.comparing.test_reporting import BASE, BLEU, NEW

BEFORE = dataclasses.replace(BASE, gain=np.array([0.5, 0.5, 0.5, 0.5, 0.5]))
AFTER = dataclasses.replace(NEW, gain=np.array([0.5, 0.75, 0.25, 1.0, 0.75]))
COMPARISON = dataclasses.replace(BLEU, results=[BEFORE, AFTER])
TEXTS = {"base": [f"b{i}" for i in range(5)], "new": ["n | 0", "n1", "n,2", "n3", "n4"]}
SHOWN = ShownSentence(TEXTS, References.of([f"r{i}" for i in range(5)]))


def test_the_most_improved_and_worsened_come_first_and_ties_in_their_order() -> None:
    improved, worsened = most_changed(BEFORE, AFTER, 2)
    assert [(change.place, change.value) for change in improved] == [(3, 0.5), (1, 0.25)]
    assert [(change.place, change.value) for change in worsened] == [(2, -0.25)]
    improved, worsened = most_changed(BEFORE, AFTER, 10)
    assert [change.place for change in improved] == [3, 1, 4]


def test_a_table_has_a_row_for_each_text() -> None:
    better, worse = sentence_tables([COMPARISON], 1, SHOWN)
    assert list(as_text([better])) == [
        "BLEU|nrefs:1 (sentences most improved, new against base)",
        "line   change    gain  of         text",
        "   4  +0.5000          reference  r3",
        "               0.5000  base       b3",
        "               1.0000  new        n3",
    ]
    rows = list(csv.DictReader(as_csv([better, worse])))
    assert [row["table"] for row in rows] == ["improved"] * 3 + ["worsened"] * 3
    assert {(row["system"], row["against"]) for row in rows} == {("new", "base")}
    assert [row["line"] for row in rows] == ["4"] * 3 + ["3"] * 3
    assert rows[5]["text"] == "n,2"


def test_json_has_them_by_pair() -> None:
    (pair,) = sentence_objects(COMPARISON, 1, SHOWN)
    assert pair["worsened"] == [
        {
            "line": 3,
            "difference": -0.25,
            "gains": [0.5, 0.25],
            "references": ["r2"],
            "outputs": ["b2", "n,2"],
        }
    ]


def test_numbers_have_no_texts() -> None:
    (better, _) = sentence_tables([COMPARISON], 1, ShownSentence({}))
    assert [row[-1].shown for row in better.rows] == ["", ""]
