"""Scores and counts of blocks on a text of two sentence pairs, by hand."""

from __future__ import annotations

import numpy as np

from campanula.stages.kernels.bitext.blocks import Links, TokenText, extract_blocks

# source words 0 and 1, target words 0 and 1, the separator 2
SOURCE = TokenText(np.array([0, 1, 0]), np.array([0, 2, 3]), 3, 2)
TARGET = TokenText(np.array([0, 1, 1]), np.array([0, 2, 3]), 3, 2)
LINKS = Links(np.array([0, 1, 0]), np.array([0, 1, 0]), np.array([0, 2, 3]))


def test_counts_scores_and_orientations() -> None:
    blocks = extract_blocks(SOURCE, TARGET, LINKS, 7)
    rows = zip(
        blocks.source.at.tolist(),
        blocks.source.length.tolist(),
        blocks.target.at.tolist(),
        blocks.target.length.tolist(),
        strict=True,
    )
    # "0 1" before "0", since a word comes before the separator
    assert list(rows) == [(0, 2, 0, 2), (0, 1, 0, 1), (0, 1, 1, 1), (1, 1, 1, 1)]
    assert blocks.count.tolist() == [[1, 1, 1], [1, 2, 1], [2, 2, 1], [2, 1, 1]]
    assert blocks.score.tolist() == [[1, 0.5, 1, 0.5], [1, 1, 0.5, 0.5], [0.5, 0.5, 0.5, 0.5],
                                     [0.5, 0.5, 1, 1]]  # fmt: skip
    assert blocks.orientation.sum(axis=2).tolist() == [[1, 1]] * 4
    assert blocks.n_occurrences == 4


def test_a_filter_keeps_the_scores() -> None:
    only = TokenText(np.array([-1, 1]), np.array([0, 2]), 3, 2)
    blocks = extract_blocks(SOURCE, TARGET, LINKS, 7, only)
    assert blocks.source.at.tolist() == [1]
    assert blocks.score.tolist() == [[0.5, 0.5, 1, 1]]


def test_no_sentences_no_blocks() -> None:
    nothing = np.zeros(0, np.int64)
    empty = TokenText(nothing, np.zeros(1, np.int64), 1, 0)
    blocks = extract_blocks(empty, empty, Links(nothing, nothing, np.zeros(1, np.int64)), 7)
    assert blocks.score.shape == (0, 4)
