"""Lines in columns, and numbers as text."""

from __future__ import annotations

import numpy as np
from hypothesis import given

from campanula.formats.nbest.pages import (
    FeatureRows,
    LabelBytes,
    Part,
    bar_page,
    lines,
    page_of,
    spell,
)
from campanula.formats.records.features import Features
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts
from tests.strategies import NUMBER


@given(NUMBER)
def test_numbers_read_as_the_same(value: float) -> None:
    assert float(spell(value)).hex() == value.hex()
    assert "+" not in spell(value)


def test_whole_numbers_are_short() -> None:
    assert [spell(value) for value in (3.0, -0.0, 1e16, 1.5e-7)] == ["3", "-0", "1e16", "1.5e-07"]


def test_constants_become_one() -> None:
    texts = Texts.of(["x", "y"])
    assert page_of(2, [b"a", b"b", texts, b"c", b"d"]).parts == [b"ab", texts, b"cd"]


def test_fields_between_bars() -> None:
    texts = Texts.of(["x", "", "z"])
    rows = [{"lm": 1.5, "a": 1.0}, {"lm": 2.0}, {"lm": -1.0, "b": 0.5, "a": 1.0}]
    names = Names()
    features = Features.of(rows, names)
    spelled = Texts.of(f"{name}=" for name in names)
    labels = LabelBytes(np.frombuffer(spelled.blob, np.uint8), spelled.pointer)
    fields: list[list[Part]] = [
        [b"7"],
        [texts],
        [b"lm=", features.dense[0], FeatureRows(features, labels, behind=True)],
    ]
    assert list(lines(bar_page(3, fields))) == [
        "7 ||| x ||| lm=1.5 a=1",
        "7 |||  ||| lm=2",
        "7 ||| z ||| lm=-1 b=0.5 a=1",
    ]
    alone = bar_page(3, [[b"7"], [FeatureRows(features, labels, behind=False)]])
    assert list(lines(alone)) == ["7 ||| a=1", "7 ||| ", "7 ||| b=0.5 a=1"]
