from __future__ import annotations

import pytest

from campanula.formats.errors import LineError
from campanula.formats.records.texts import Texts
from campanula.formats.text.subwords import JOINERS, check_pieces, joined


@pytest.mark.parametrize(
    ("kind", "text", "words"),
    [
        ("bpe", "the c@@ at s@@ at", "the cat sat"),
        ("bpe", "the c@@", "the c"),
        ("bpe", "a@@b c", "a@@b c"),
        ("bpe", "", ""),
        ("bpe", "@@ a", "a"),
        ("spm", "▁the ▁c at .", "the cat."),
        ("spm", "▁a ▁b", "a b"),
        ("spm", "", ""),
        ("spm", "▁", ""),
    ],
)
def test_pieces_become_words(kind: str, text: str, words: str) -> None:
    assert JOINERS[kind](text) == words


def test_texts_are_joined_one_by_one() -> None:
    assert list(joined(Texts.of(["c@@", "a@@ t", ""]), "bpe")) == ["c", "at", ""]


def test_words_are_not_glued() -> None:
    with pytest.raises(LineError, match="expected subwords with ▁, found none: 'the cat'"):
        check_pieces(["a", "the cat"], "spm")
    check_pieces(["the cat", "▁a"], "spm")
    check_pieces(["a", ""], "spm")
    check_pieces(["the cat"], "bpe")
