"""Texts of paths: words with blanks between, from the vocabulary and past it."""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Ids
from campanula.stages.kernels.graph.paths import Paths
from campanula.stages.kernels.graph.texts import Spelling, texts
from campanula.stages.kernels.records import LENGTH, OPTION, PLACE

SPELLING = Spelling(
    np.frombuffer("äb".encode(), np.uint8),
    np.array([0, 2, 3]),
    np.frombuffer(b"new", np.uint8),
    np.array([0, 3]),
)


def options(phrases: list[list[int]]) -> tuple[Ids, Ids, Ids]:
    """Info of options with the given words, the words, and an arc for each."""
    info = np.zeros((len(phrases), 6), np.int32)
    info[:, LENGTH] = [len(phrase) for phrase in phrases]
    info[:, PLACE] = np.cumsum([0, *info[:-1, LENGTH]])
    link = np.zeros((len(phrases), 5), np.int32)
    link[:, OPTION] = np.arange(len(phrases))
    return link, info, np.array([w for phrase in phrases for w in phrase], np.int32)


def test_texts_of_two_derivations() -> None:
    paths = Paths(np.array([0, 2, 4]), np.array([0, 2, 1, 2]))
    text, start = texts(paths, *options([[0, 1], [1], [2]]), SPELLING)
    assert text.tobytes().decode() == "ä b newb new"
    assert start.tolist() == [0, 8, 13]


def test_options_without_words_leave_no_blank() -> None:
    paths = Paths(np.array([0, 3, 3, 4, 6]), np.array([0, 1, 0, 0, 1, 1]))
    text, start = texts(paths, *options([[], [1]]), SPELLING)
    assert text.tobytes() == b"bb b"
    assert start.tolist() == [0, 1, 1, 1, 4]
