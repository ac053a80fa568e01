"""Extracted pairs against trying every pair of spans; orientations and the ties of patterns."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from campanula.formats.arrays.types import Ints
from campanula.stages.kernels.bitext import extraction
from tests.naive import extraction as naive
from tests.naive.extraction import SentencePair


def sample(seed: int, n_pairs: int, n_words: int = 5, longest: int = 9) -> list[SentencePair]:
    """Sentence pairs with links at random, denser around the diagonal."""
    rng = np.random.default_rng(seed)
    pairs = []
    for _ in range(n_pairs):
        n_source, n_target = rng.integers(0, longest, 2).tolist()
        near = {
            (s, t)
            for s in range(n_source)
            for t in range(n_target)
            if rng.random() < (0.5 if abs(s - t) < 2 else 0.05)
        }
        source = [f"f{i}" for i in rng.integers(0, n_words, n_source)]
        pairs.append((source, [f"e{i}" for i in rng.integers(0, n_words, n_target)], near))
    return pairs


def arrays(pairs: list[SentencePair]) -> tuple[Ints, Ints, Ints, Ints, Ints]:
    def bounds(sizes: list[int]) -> Ints:
        return np.concatenate(([0], np.cumsum(sizes))).astype(np.int64)

    links = [sorted(link) for _, _, link in pairs]
    flat = np.array([pair for link in links for pair in link], np.int64).reshape(-1, 2)
    return (
        bounds([len(source) for source, _, _ in pairs]),
        bounds([len(target) for _, target, _ in pairs]),
        bounds([len(link) for link in links]),
        np.ascontiguousarray(flat[:, 0]),
        np.ascontiguousarray(flat[:, 1]),
    )


def links_of(pattern: int) -> frozenset[tuple[int, int]]:
    return frozenset((s, t) for s in range(8) for t in range(8) if pattern >> (8 * t + s) & 1)


@pytest.mark.parametrize("max_length", [1, 3, 7])
@pytest.mark.parametrize("seed", range(4))
def test_occurrences_equal_the_twin(seed: int, max_length: int) -> None:
    pairs = sample(seed, 8)
    found = extraction.extract(*arrays(pairs), max_length)
    f, e = (
        [w for source, _, _ in pairs for w in source],
        [w for _, target, _ in pairs for w in target],
    )
    rows = zip(
        found.source_at.tolist(),
        found.source_length.tolist(),
        found.target_at.tolist(),
        found.target_length.tolist(),
        found.links.tolist(),
        found.orientation.tolist(),
        strict=True,
    )
    as_twins = Counter(
        naive.Occurrence(tuple(f[a : a + m]), tuple(e[b : b + n]), links_of(links), o // 3, o % 3)
        for a, m, b, n, links, o in rows
    )
    assert as_twins == Counter(o for pair in pairs for o in naive.occurrences(pair, max_length))


def test_nothing_is_extracted_without_links() -> None:
    found = extraction.extract(*arrays([(["f"], ["e"], set()), ([], [], set())]), 7)
    assert len(found.links) == 0


def test_no_occurrences_are_no_pairs() -> None:
    nothing = np.zeros(0, np.int64)
    pairs = extraction.count_pairs(nothing, nothing, 0, nothing, nothing.astype(np.uint8))
    assert len(pairs.count) == len(pairs.links) == len(pairs.orientation) == 0


@pytest.mark.parametrize("seed", range(3))
def test_ties_go_to_the_last_of_the_sorted_lists(seed: int) -> None:
    rng = np.random.default_rng(seed)
    patterns = [
        sum(1 << (8 * t + s) for s in range(3) for t in range(3) if rng.random() < 0.5)
        for _ in range(12)
    ]
    zeros = np.zeros(len(patterns), np.int64)
    pairs = extraction.count_pairs(
        zeros, zeros, 1, np.array(patterns, np.int64), zeros.astype(np.uint8)
    )
    most = max(Counter(patterns).values())
    tied = [links_of(p) for p in set(patterns) if patterns.count(p) == most]

    def rows(links: frozenset[tuple[int, int]], side: int) -> list[list[int]]:
        return [sorted(link[1 - side] for link in links if link[side] == i) for i in range(8)]

    assert links_of(int(pairs.links[0])) == max(tied, key=lambda links: rows(links, 1))
    turned = frozenset((s, t) for t, s in links_of(int(pairs.links_inverse[0])))
    assert turned == max(tied, key=lambda links: rows(links, 0))
    assert pairs.orientation[0].tolist() == [[12, 0, 0], [12, 0, 0]]
