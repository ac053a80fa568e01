"""Units of a sentence's texts, numbered when asked for."""

from __future__ import annotations

import pytest

from campanula.formats.records.texts import Texts
from campanula.formats.text.references import References
from campanula.stages.metrics.sentence import SentenceTexts

REFERENCES = References.of(["x", "a b!", "y"], ["z", "b", ""])
HYPS = ["b a b", "", "b! c", " \u2028 "]


def test_units_are_numbered_by_the_sentences_own_references() -> None:
    sentence = SentenceTexts(1, Texts.of(HYPS), REFERENCES.texts(1))
    words, parts, characters = sentence.words, sentence.parts, sentence.characters
    assert words.hyp.tolist() == [2, 0, 2, 1, -1]  # a, b!, b
    assert words.hyp_end.tolist() == [0, 3, 3, 5, 5]
    assert (words.ref.tolist(), words.ref_end.tolist()) == ([0, 1, 2], [0, 2, 3])
    assert (words.n_types, parts.n_types, characters.n_types) == (3, 3, 3)
    assert parts.hyp.tolist() == [1, 0, 1, 1, 2, -1]
    assert sentence.words is words


@pytest.mark.parametrize("unit", ["words", "parts", "characters", "vocabulary", None])
def test_silence_is_the_same_whatever_is_counted(unit: str | None) -> None:
    sentence = SentenceTexts(1, Texts.of(HYPS), REFERENCES.texts(1))
    if unit is not None:
        getattr(sentence, unit)
    assert sentence.silent.tolist() == [False, True, False, True]


def test_a_vocabulary_has_the_words_of_all_texts() -> None:
    sentence = SentenceTexts(1, Texts.of(HYPS).span(0, 3), REFERENCES.texts(1))
    known = sentence.vocabulary
    assert known.words == ["a", "b!", "b", "c"]
    assert known.n_of_refs == 3
    assert (known.ref.tolist(), known.ref_end.tolist()) == ([0, 1, 2], [0, 2, 3])
    assert (known.hyp.tolist(), known.hyp_end.tolist()) == ([2, 0, 2, 1, 3], [0, 3, 3, 5])
    part = SentenceTexts(1, Texts.of(HYPS).span(2, 4), REFERENCES.texts(1)).vocabulary
    assert (part.hyp.tolist(), part.hyp_end.tolist()) == ([1, 3], [0, 2, 2])
    nothing = SentenceTexts(2, Texts.of([""]), References.of(["", "", ""]).texts(2)).vocabulary
    assert (nothing.words, nothing.n_of_refs) == ([], 0)
