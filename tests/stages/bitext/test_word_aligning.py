"""Which sentence pairs are aligned, and the lines of those that are not."""

from __future__ import annotations

import pytest

from campanula.formats.text.corpus import Corpus, read_corpus
from campanula.stages.bitext.word_aligning import MODELS, AlignSettings, align, alignable


def corpus(*lines: str) -> Corpus:
    return read_corpus(lines, "text")


@pytest.mark.parametrize("model", MODELS)
def test_pairs_with_an_empty_side_or_too_many_words_cannot_align(model: str) -> None:
    source = corpus("a b", "", "a", "a", " ".join(["a"] * 2000))
    target = corpus("x", "x", "", "x y z", "x")
    assert alignable(source, target, model) == [0, 3]


def test_a_pair_that_is_left_out_has_an_empty_line() -> None:
    source = corpus("a b", "a", "a", "b")
    target = corpus("x y", "x", "x", "y")
    settings = AlignSettings("ibm1", "intersection", iterations=5)
    lines = align(source, target, [0, 1, 3], settings, jobs=1)
    assert list(lines) == ["0-0 1-1", "0-0", "", "0-0"]
