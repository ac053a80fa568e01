"""Vocabularies: numbered words are found, others are not; only blanks and tabs part words."""

from __future__ import annotations

import pytest

from campanula.formats.model.vocabulary import Vocabulary, words_of


@pytest.mark.parametrize("size", [0, 1, 3, 500])
def test_words_are_found_by_their_bytes(size):
    words = [f"wört{i}".encode() for i in range(size)]
    vocabulary = Vocabulary.build(words)
    assert len(vocabulary) == size
    assert vocabulary.all_words() == words
    assert [vocabulary.find(word) for word in words] == list(range(size))
    assert vocabulary.find(b"w") == -1
    assert vocabulary.find(b"") == -1


def test_words_end_at_blanks_and_tabs_only():
    assert words_of(b"a  b\tc ") == [b"a", b"b", b"c"]
    odd = "a\u00a0b\u2028c\x0bd\x0ce\u3000\U0001f98b"
    assert words_of(odd.encode()) == [odd.encode()]
    assert words_of(b" \t ") == []
