"""Phrase numbers against sorting the lines of a table as bytes."""

from __future__ import annotations

import numpy as np
import pytest

from campanula.formats.text.corpus import read_corpus, read_with_words
from campanula.stages.kernels.bitext import phrases

# words on both sides of "|||" in the order of bytes, one a prefix of another
SENTENCES = ["a aa s } ~ a", "a s a", "", "} ~ aa", "ä € a s"]


@pytest.mark.parametrize("longest", [1, 2, 4])
def test_phrases_sort_as_their_lines(longest: int) -> None:
    corpus = read_corpus(SENTENCES, "text", ["|||"])
    keys = phrases.phrase_keys(corpus.token, corpus.start, len(corpus.words), longest)
    key = keys.key[keys.key >= 0]
    numbered = phrases.number_phrases(keys, key, corpus.token, corpus.words.index("|||"))
    lines = [
        " ".join(corpus.words[i] for i in corpus.token[a : a + n]) + " ||| x"
        for a, n in zip(numbered.at.tolist(), numbered.length.tolist(), strict=True)
    ]
    split = [line.split(" ") for line in SENTENCES]
    expected = {
        " ".join(words[i : i + n]) + " ||| x"
        for words in split
        for i in range(len(words))
        for n in range(1, longest + 1)
        if i + n <= len(words) and words != [""]
    }
    assert lines == sorted(expected, key=str.encode)


def test_only_the_phrases_asked_for_are_numbered() -> None:
    corpus = read_corpus(SENTENCES, "text", ["|||"])
    keys = phrases.phrase_keys(corpus.token, corpus.start, len(corpus.words), 2)
    asked = keys.key[1, [0, 1, 0]]  # a aa, aa s, a aa
    numbered = phrases.number_phrases(keys, asked, corpus.token, corpus.words.index("|||"))
    assert numbered.number.tolist() == [0, 1, 0]
    assert (numbered.at.tolist(), numbered.length.tolist()) == ([0, 1], [2, 2])


def test_wanted_are_the_phrases_of_the_second_text() -> None:
    corpus = read_corpus(["a b c"], "text", ["|||"])
    other = read_with_words(["b x c", "b c"], corpus.words)
    token = np.concatenate((corpus.token, other.token))
    start = np.concatenate((corpus.start, other.start[1:] + len(corpus.token)))
    keys = phrases.phrase_keys(token, start, len(corpus.words), 3)
    kept = phrases.wanted(keys, len(corpus.token))
    assert kept[keys.key[0, :3]].tolist() == [False, True, True]
    assert kept[keys.key[1, :2]].tolist() == [False, True]
    assert kept[keys.key[2, :1]].tolist() == [False]


def test_a_text_without_words_has_no_phrases() -> None:
    keys = phrases.phrase_keys(np.zeros(0, np.int64), np.zeros(3, np.int64), 1, 7)
    nothing = np.zeros(0, np.int64)
    assert len(phrases.number_phrases(keys, nothing, nothing, 0).at) == 0
