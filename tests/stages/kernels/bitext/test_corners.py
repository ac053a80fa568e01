"""Corners of blocks, and orientations that they tell and links do not."""

from __future__ import annotations

import numpy as np
import pytest

from campanula.stages.kernels.bitext.corners import corners_of, turns_of
from campanula.stages.kernels.bitext.links import (
    HIERARCHICAL,
    PHRASE,
    WORD,
    Alignment,
    alignment_of,
    consistent_spans,
)
from campanula.stages.kernels.records import DISCONTINUOUS, MONOTONE, SWAPPED
from tests.naive import extraction as naive


def alignment(links: list[tuple[int, int]], n_source: int, n_target: int) -> Alignment:
    flat = np.array(links, np.int64).reshape(-1, 2)
    return alignment_of(n_source, n_target, flat[:, 0].copy(), flat[:, 1].copy())


@pytest.mark.parametrize(
    ("order", "by_blocks"), [((1, 0, 2, 4, 3), MONOTONE), ((3, 4, 2, 0, 1), SWAPPED)]
)
@pytest.mark.parametrize(
    ("max_length", "kind", "known"),
    [(1, WORD, False), (1, PHRASE, False), (2, PHRASE, True), (1, HIERARCHICAL, True)],
)
def test_orientation_towards_blocks_of_two_words(
    order: tuple[int, ...], by_blocks: int, max_length: int, kind: int, known: bool
) -> None:
    """The third word, `order` being the source words in the order of the target."""
    links = alignment([(s, t) for t, s in enumerate(order)], 5, 5)
    spans = np.zeros((500, 4), np.int64)
    spans = spans[: consistent_spans(links, max_length, spans)]
    found = turns_of(links.linked, corners_of(links, spans, kind), np.array([2, 2, 2, 2]))
    assert found == ((by_blocks, by_blocks) if known else (DISCONTINUOUS, DISCONTINUOUS))


def test_corners_are_those_of_all_blocks_of_any_length() -> None:
    rng = np.random.default_rng(3)
    for _ in range(20):
        n_source, n_target = (int(size) for size in rng.integers(1, 9, 2))
        links = {(s, t) for s in range(n_source) for t in range(n_target) if rng.random() < 0.15}
        corner = corners_of(
            alignment(sorted(links), n_source, n_target), np.zeros((0, 4), np.int64), HIERARCHICAL
        )
        every = naive.blocks((["f"] * n_source, ["e"] * n_target, links))
        for number, (s, t) in enumerate([(0, 2), (0, 3), (1, 2), (1, 3)]):
            expected = {(block[s] + 1, block[t] + 1) for block in every}
            assert {(a, b) for a, b in np.argwhere(corner[number]).tolist()} == expected
