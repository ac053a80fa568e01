"""Hierarchical orientations against their twins: all derivations of small sentences."""

from __future__ import annotations

import random
from itertools import permutations, product

import numpy as np
import pytest

from campanula.stages.kernels.hierarchical import (
    exact_turns,
    followed_by,
    node_coverage,
    run_before,
    search_turns,
    turns_after,
)
from campanula.stages.kernels.orientation import orientation
from campanula.stages.kernels.search.cubes import covered
from tests.naive.orientation import Span, exact_orientations, has_tree, search_orientations


def derivations(n_words: int) -> list[list[Span]]:
    """All ways to cut a sentence into blocks and to order them."""
    found = []
    for cuts in product([False, True], repeat=n_words - 1):
        ends = [i + 1 for i, cut in enumerate(cuts) if cut] + [n_words]
        spans = list(zip([0, *ends], ends, strict=False))
        found += [list(order) for order in permutations(spans)]
    return found


EVERY = [order for n_words in range(1, 6) for order in derivations(n_words)]


def turns(kernel, every: list[list[Span]]):
    """Orientations as the twins have them."""
    hyp = np.repeat(np.arange(len(every)), [len(spans) for spans in every])
    flat = np.array([span for spans in every for span in spans], np.int64)
    turn = kernel(hyp, flat[:, 0].copy(), flat[:, 1].copy()).tolist()
    result = []
    for spans in every:
        own = [turn.pop(0) for _ in spans]
        assert own[0][1] == -1
        forward = [forth for _, forth in own[1:]] + [None]
        result.append([(back, forth) for (back, _), forth in zip(own, forward, strict=True)])
    return result


@pytest.mark.parametrize(
    ("kernel", "twin"), [(search_turns, search_orientations), (exact_turns, exact_orientations)]
)
def test_orientations_of_all_derivations_equal_the_twin(kernel, twin) -> None:
    assert turns(kernel, EVERY) == [twin(spans) for spans in EVERY]


def test_search_and_definition_differ_only_where_no_binary_tree_has_the_derivation() -> None:
    different = [
        spans for spans in EVERY if search_orientations(spans) != exact_orientations(spans)
    ]
    assert different
    assert not any(map(has_tree, different))
    # the smallest: the second, the fourth, the first and the third of four blocks
    assert [(1, 2), (3, 4), (0, 1), (2, 3)] in different
    assert min(map(len, different)) == 4


def test_no_derivations_have_no_orientations() -> None:
    none = np.zeros(0, np.int64)
    assert search_turns(none, none, none).shape == exact_turns(none, none, none).shape == (0, 2)


def test_a_searchs_gap_and_mask_tell_the_same_as_covered_words() -> None:
    for spans in EVERY[:: 7 if len(EVERY) > 700 else 1]:
        words = np.zeros(7, np.bool_)
        gap, mask, before = 0, 0, (-1, 0)
        for start, end in spans:
            back, forth = turns_after(start, end, *before, words)
            assert orientation(start, end, *run_before(before[1], gap, mask)) == back
            if before[0] >= 0:
                # a search forgets where the last block began when the word before it is covered
                begin = before[0] if before[0] > gap and not words[before[0] - 1] else -1
                assert followed_by(start, end, begin, before[1], gap, mask) == forth
            gap, mask = covered(gap, mask, start, end - start)
            words[start:end] = True
            before = (start, end)


def test_nodes_cover_what_the_paths_to_them_do() -> None:
    rng = random.Random(1)
    spans = rng.choice(derivations(5))
    pointer = np.array([0, 0, *range(1, len(spans) + 1)])
    start, end = np.array(spans, np.int32).T.copy()
    found = node_coverage(pointer, np.arange(len(spans)), start, end, 5)
    for node in range(len(spans) + 1):
        words = {word for begin, stop in spans[:node] for word in range(begin, stop)}
        assert set(np.flatnonzero(found[node]).tolist()) == words
