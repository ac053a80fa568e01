"""Words and their numbers: what is a blank, what sorts where, what is refused."""

from __future__ import annotations

from itertools import pairwise

import pytest

from campanula.formats.errors import DataError
from campanula.formats.text.corpus import read_corpus, read_with_words
from campanula.formats.text.words import split_words


def test_a_word_ends_at_a_space_or_a_tab_only() -> None:
    assert split_words(" a\tb  c ") == ["a", "b", "c"]
    assert split_words("a\u00a0b \u3000 c\u2028d\x0be") == ["a\u00a0b", "\u3000", "c\u2028d\x0be"]
    assert split_words("") == split_words(" \t ") == []


def test_numbers_go_back_to_the_words() -> None:
    lines = ["b a b", "", "ä a"]
    corpus = read_corpus(lines, "text")
    words = [corpus.words[i] for i in corpus.token]
    bounds = corpus.start.tolist()
    assert [" ".join(words[a:b]) for a, b in pairwise(bounds)] == lines
    assert (len(corpus), [corpus.sentence_of(i) for i in range(5)]) == (3, [0, 0, 0, 2, 2])


def test_words_sort_by_their_bytes_and_a_blank() -> None:
    words = ["€", "ab\x01", "a", "ab", "ä", "b", "\U0001f600", "A"]
    assert read_corpus([" ".join(words)], "text").words == sorted(
        words, key=lambda word: word.encode() + b" "
    )


def test_no_lines() -> None:
    corpus = read_corpus([], "text", ["<s>"])
    assert (len(corpus), corpus.words, corpus.token.tolist()) == (0, ["<s>"], [])


def test_a_reserved_word_is_refused_with_its_line() -> None:
    with pytest.raises(DataError, match=r"^text: line 3: .*found the reserved '<s>'$"):
        read_corpus(["a", "", "a <s>", "<s>"], "text", ["</s>", "<s>"])


def test_unknown_words_of_another_text_are_minus_one() -> None:
    corpus = read_with_words(["b x", "a"], ["a", "b"])
    assert (corpus.token.tolist(), corpus.start.tolist()) == ([1, -1, 0], [0, 2, 3])
