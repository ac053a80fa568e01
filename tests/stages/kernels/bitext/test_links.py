"""The links of a sentence pair against asking each of them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from campanula.stages.kernels.bitext.links import (
    Alignment,
    aligned,
    alignment_of,
    closed,
    consistent_spans,
    most_spans,
    pattern_of,
    turn,
)
from campanula.stages.kernels.records import DISCONTINUOUS, MONOTONE, SWAPPED

WORDS = 4  # a side
Links = set[tuple[int, int]]
LINKS = st.sets(st.tuples(st.integers(0, WORDS - 1), st.integers(0, WORDS - 1)))
SPANS = [(a, b) for a in range(WORDS) for b in range(a, WORDS)]


def alignment(links: Links) -> Alignment:
    pairs = np.array(sorted(links), np.int64).reshape(-1, 2)
    source, target = np.ascontiguousarray(pairs.T)
    return alignment_of(WORDS, WORDS, source, target)


@given(LINKS)
def test_the_outermost_links_of_each_word(links: Links) -> None:
    found = alignment(links)
    for k in range(WORDS):
        of_source = [t for s, t in links if s == k]
        of_target = [s for s, t in links if t == k]
        assert found.t_low[k] == min(of_source, default=WORDS)
        assert found.t_high[k] == max(of_source, default=-1)
        assert found.s_low[k] == min(of_target, default=WORDS)
        assert found.s_high[k] == max(of_target, default=-1)


@given(LINKS, st.sampled_from(SPANS), st.sampled_from(SPANS))
def test_spans(links: Links, source: tuple[int, int], target: tuple[int, int]) -> None:
    (s0, s1), (t0, t1), found = source, target, alignment(links)
    from_source = [t for s, t in links if s0 <= s <= s1]
    assert closed(found.t_low, found.t_high, s0, s1, t0, t1) == all(
        t0 <= t <= t1 for t in from_source
    )
    inside = [(s - s0, t - t0) for s, t in links if s0 <= s <= s1 and t0 <= t <= t1]
    assert pattern_of(found.linked, s0, s1, t0, t1) == sum(1 << (8 * t + s) for s, t in inside)


@given(LINKS, st.integers(1, 4))
def test_consistent_spans_are_those_that_no_link_leaves(links: Links, longest: int) -> None:
    spans = np.empty((most_spans(WORDS, longest), 4), np.int64)
    rows = spans[: consistent_spans(alignment(links), longest, spans)].tolist()
    expected = set()
    for s0, s1 in SPANS:
        for t0, t1 in SPANS:
            inside = {(s0 <= s <= s1, t0 <= t <= t1) for s, t in links}
            short = max(s1 - s0, t1 - t0) < longest
            if short and (True, True) in inside and not {(True, False), (False, True)} & inside:
                expected.add((s0, s1, t0, t1))
    assert {tuple(row) for row in rows} == expected
    assert len(rows) == len(expected)


@given(LINKS)
def test_the_corners_outside_count_as_links(links: Links) -> None:
    found = alignment(links)
    for s in range(-1, WORDS + 1):
        for t in range(-1, WORDS + 1):
            corner = (s, t) in {(-1, -1), (WORDS, WORDS)}
            assert aligned(found.linked, s, t) == (corner or (s, t) in links)


@pytest.mark.parametrize(
    ("straight", "crossed", "expected"),
    [
        (True, False, MONOTONE),
        (False, True, SWAPPED),
        (True, True, DISCONTINUOUS),
        (False, False, DISCONTINUOUS),
    ],
)
def test_turns(straight: bool, crossed: bool, expected: int) -> None:
    assert turn(straight, crossed) == expected
