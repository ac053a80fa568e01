"""Lengths in words and in characters."""

from campanula.formats.records.texts import Texts
from campanula.stages.hypothesis_features.length import lengths, values


def test_lengths_of_odd_texts() -> None:
    texts = Texts.of(["", "  ", "a\tb  c", "a\u00a0b \u4e2d\u6587", "x\u2028y"])
    assert lengths(texts, "words").tolist() == [0, 0, 3, 3, 2]
    assert lengths(texts, "characters").tolist() == [0, 2, 6, 6, 3]


def test_words_are_counted_unless_another_unit_is_given() -> None:
    assert values().signature == "length:words"
    assert values("characters").signature == "length:characters"
