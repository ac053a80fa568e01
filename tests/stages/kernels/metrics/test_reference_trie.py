"""The trie of references against counting every n-gram in a dictionary."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from campanula.stages.kernels.metrics.reference_trie import (
    ReferenceTrie,
    child_of,
    closest_length,
    most_times,
    read_type,
    reference_trie,
)


def trie_of(refs: list[list[int]], n_types: int, order: int) -> ReferenceTrie:
    end = np.cumsum([0, *map(len, refs)])
    ref = np.array([t for ref in refs for t in ref], np.int32)
    return reference_trie(ref, end, n_types, order)


def node_of(trie: ReferenceTrie, ngram: tuple[int, ...]) -> int:
    node = ngram[0]
    for t in ngram[1:]:
        if node >= 0:
            node = child_of(trie, node, t)
    return node


def ngrams(ref: list[int], order: int) -> Counter[tuple[int, ...]]:
    return Counter(
        tuple(ref[i : i + n]) for n in range(1, order + 1) for i in range(len(ref) - n + 1)
    )


@pytest.mark.parametrize("order", [1, 4, 6])
@settings(deadline=None)  # the first call may compile
@given(refs=st.lists(st.lists(st.integers(0, 2), max_size=12), min_size=1, max_size=3))
def test_every_ngram_is_one_node_with_its_counts(refs: list[list[int]], order: int) -> None:
    trie, counts = trie_of(refs, 3, order), [ngrams(ref, order) for ref in refs]
    nodes = {ngram: node_of(trie, ngram) for count in counts for ngram in count}
    assert min(nodes.values(), default=0) >= 0
    assert len(set(nodes.values())) == len(nodes)
    assert len(trie.times) == 3 + sum(len(ngram) > 1 for ngram in nodes)
    most = most_times(trie)
    for ngram, node in nodes.items():
        times = [count[ngram] for count in counts]
        assert trie.times[node].tolist() == times
        assert most[node] == max(times)
        assert len(ngram) == 1 or node > node_of(trie, ngram[:-1])


@settings(deadline=None)  # the first call may compile
@given(
    st.lists(st.integers(0, 2), max_size=12),
    st.lists(st.integers(-1, 2), max_size=12),
)
def test_reading_finds_all_ngrams_that_end_at_a_place(ref: list[int], hyp: list[int]) -> None:
    trie, known = trie_of([ref], 3, 4), ngrams(ref, 4)
    ending = np.full(4, -1, np.int64)
    for i, t in enumerate(hyp):
        read_type(trie, ending, t)
        for n in range(1, min(4, i + 1) + 1):
            ngram = tuple(hyp[i + 1 - n : i + 1])
            there = ngram in known or n == 1
            assert ending[n - 1] == (node_of(trie, ngram) if there else -1)
        assert (ending[i + 1 :] == -1).all()


@pytest.mark.parametrize(
    ("lengths", "target", "closest"),
    [([4, 2], 3, 2), ([2, 4], 3, 2), ([2, 4], 4, 4), ([7], 0, 7), ([9, 0, 3], 1, 0)],
)
def test_the_closest_length_prefers_the_shorter(
    lengths: list[int], target: int, closest: int
) -> None:
    assert closest_length(np.cumsum([0, *lengths]), target) == closest
