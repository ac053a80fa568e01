"""Levels in files are those of kneser_ney.counted, number by number."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from campanula.formats.text.corpus import SPECIALS, Numbering, read_corpus
from campanula.stages.estimating.levels import Level, contexts, joined, levels_of
from campanula.stages.estimating.model import specials_of
from campanula.stages.estimating.scratch_text import ScratchText
from campanula.stages.kernels.lm import kneser_ney
from tests.stages.kernels.lm.test_kneser_ney import sample


@pytest.mark.parametrize("order", [1, 2, 4, 12])
@pytest.mark.parametrize("memory", [1, 1 << 20])
def test_as_in_memory(tmp_path: Path, order: int, memory: int) -> None:
    lines = [" ".join(words) for words in sample(1, 120)]
    text, corpus = (
        ScratchText(Numbering(lines), "", SPECIALS, str(tmp_path)),
        read_corpus(lines, "", SPECIALS),
    )
    specials = specials_of(text.words)
    found = levels_of(text, specials, order, str(tmp_path), memory)
    given = (corpus.token, corpus.start, len(corpus.words), specials, order)
    expected = kneser_ney.counted(*given, with_times=True)
    assert len(found) == len(expected)
    for n, (level, other) in enumerate(zip(found, expected, strict=True), 1):
        assert level.prefix.read(0, len(level)).tolist() == other.prefix.tolist()
        assert level.word.read(0, len(level)).tolist() == other.word.tolist()
        times = level.times.read(0, len(level))
        if n == 1:  # which the others do not count
            times[[specials.unk, specials.bos]] = 0
        assert times.tolist() == other.times.tolist()


def level(folder: Path, prefix: list[int]) -> Level:
    made = Level.empty(str(folder))
    made.prefix.append(np.array(prefix))
    made.word.append(np.arange(len(prefix)))
    return made


@pytest.mark.parametrize("size", [1, 2, 3, 100])
def test_contexts_are_whole(tmp_path: Path, size: int) -> None:
    prefix = [0, 0, 1, 1, 1, 1, 1, 4, 5, 5]
    pieces = list(contexts(level(tmp_path, prefix), size))
    assert [number for _, piece in pieces for number in piece.tolist()] == prefix
    ends = [piece[-1] for _, piece in pieces]
    assert ends == sorted(set(ends))
    lengths = [len(piece) for _, piece in pieces]
    assert [start for start, _ in pieces] == np.cumsum([0, *lengths])[:-1].tolist()


@pytest.mark.parametrize("size", [1, 3, 100])
@pytest.mark.parametrize("block", [1, 2, 50])
def test_rows_find_their_numbers(tmp_path: Path, size: int, block: int) -> None:
    prefix = [0, 0, 1, 1, 1, 1, 1, 4, 5, 5]
    numbers = [1, 1, 2, 4, 4, 4, 8]
    rows = np.array([[prefix[i], i, k] for k, i in enumerate(numbers)], np.uint32)
    blocks = [rows[start : start + block] for start in range(0, len(rows), block)]
    pieces = list(joined(blocks, level(tmp_path, prefix), size))
    counts = [number for _, count, _, _ in pieces for number in count.tolist()]
    assert counts == np.bincount(numbers, minlength=len(prefix)).tolist()
    assert [k for _, _, found, _ in pieces for k in found[:, 2].tolist()] == list(range(len(rows)))
    assert [number for *_, place in pieces for number in place.tolist()] == numbers
