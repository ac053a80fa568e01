"""The text in a file is that of read_corpus, and so is what is refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from campanula.formats.errors import DataError
from campanula.formats.text.corpus import SPECIALS, Numbering, read_corpus
from campanula.stages.estimating.scratch_text import ScratchText

LINES = ["b a  b", "", "ä\ta", "c b a d e", "", "a"] * 50


@pytest.mark.parametrize("size", [1, 7, 1000])
def test_as_in_memory(tmp_path: Path, size: int) -> None:
    text = ScratchText(Numbering(LINES), "text", SPECIALS, str(tmp_path))
    corpus = read_corpus(LINES, "text", SPECIALS)
    assert (text.words, len(text), text.n_tokens) == (corpus.words, len(corpus), len(corpus.token))
    pieces = list(text.sentences(size))
    assert [word for token, _ in pieces for word in token.tolist()] == corpus.token.tolist()
    lengths = [length for _, start in pieces for length in np.diff(start).tolist()]
    assert lengths == np.diff(corpus.start).tolist()
    assert all(len(token) <= max(size, 5) for token, _ in pieces)


@pytest.mark.parametrize("lines", [["a", "a <s>"], ["", "", "b </s> </s>"], [*LINES, "<unk>"]])
def test_reserved_words(tmp_path: Path, lines: list[str]) -> None:
    with pytest.raises(DataError) as expected:
        read_corpus(lines, "text", SPECIALS)
    with pytest.raises(DataError) as found:
        ScratchText(Numbering(lines), "text", SPECIALS, str(tmp_path))
    assert str(found.value) == str(expected.value)


def test_no_line(tmp_path: Path) -> None:
    text = ScratchText(Numbering([]), "text", ["<s>"], str(tmp_path))
    assert (len(text), text.words, list(text.sentences(5))) == (0, ["<s>"], [])
