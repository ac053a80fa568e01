"""Skew heaps of candidates against sorting."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from campanula.stages.kernels.graph.heaps import (
    added,
    melded,
    no_candidates,
    with_room,
    without_root,
)

CANDIDATES = st.lists(st.tuples(st.integers(-2, 2), st.integers(0, 3), st.integers(0, 3)))


def taken(heap, candidates):
    """Score, arc and derivation of a heap's candidates in order."""
    found = []
    while heap >= 0:
        found.append((candidates.score[heap], *candidates.source[heap].tolist()))
        heap = without_root(heap, candidates)
    return found


def in_order(items):
    return sorted(items, key=lambda item: (-item[0], item[1], item[2]))


@given(CANDIDATES, CANDIDATES)
def test_a_heap_gives_the_best_first_then_the_first_arc_then_the_better_derivation(one, two):
    candidates = no_candidates(2)
    heaps = [-1, -1]
    for h, items in enumerate((one, two)):
        for score, arc, before in items:
            candidates = with_room(candidates, 1)
            heaps[h] = added(heaps[h], arc, before, float(score), candidates)
    assert candidates.size[0] == len(one) + len(two)
    if len(one) % 2:
        assert taken(heaps[0], candidates) == in_order(one)
        assert taken(heaps[1], candidates) == in_order(two)
    else:
        assert taken(melded(heaps[0], heaps[1], candidates), candidates) == in_order(one + two)
