"""Vocabularies: numbered words are found, others are not."""

from __future__ import annotations

import pytest

from campanula.formats.model.vocabulary import Vocabulary


@pytest.mark.parametrize("size", [0, 1, 3, 500])
def test_words_are_found_by_their_bytes(size: int) -> None:
    words = [f"wört{i}".encode() for i in range(size)]
    vocabulary = Vocabulary.build(words)
    assert len(vocabulary) == size
    assert vocabulary.all_words() == words
    assert [vocabulary.find(word) for word in words] == list(range(size))
    assert vocabulary.find(b"w") == -1
    assert vocabulary.find(b"") == -1
