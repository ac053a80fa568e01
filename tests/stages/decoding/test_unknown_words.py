"""Many unknown words are worth a line, and few are not."""

from __future__ import annotations

from campanula.stages.decoding.unknown_words import WordCount


def test_warning() -> None:
    assert WordCount().warning() is None
    assert WordCount(1000, 20).warning() is None
    said = WordCount(21034, 1337).warning()
    assert said == "1,337 of 21,034 words are in no phrase pair of the model, and copied"
