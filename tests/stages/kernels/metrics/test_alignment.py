"""The best alignment of METEOR, against all alignments there are."""

from __future__ import annotations

import os

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from campanula.formats.arrays.types import Ids
from campanula.stages.kernels.metrics import alignment
from campanula.stages.kernels.metrics.alignment import EXACT, FREE, STEM, SYNONYM, Pair
from campanula.stages.kernels.metrics.alignment_states import (
    CHUNKS,
    CROSSINGS,
    EXACT_CROSSINGS,
    LEFT,
    STEM_CROSSINGS,
    new_layer,
    new_step,
)
from tests.naive import meteor as naive

interpreted = os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0")

LETTERS = "abcABCxyz"
SYNONYMS = {frozenset("ax"), frozenset("bx"), frozenset("cy"), frozenset("Az"), frozenset("xy")}


def module(one: str, other: str) -> int:
    """Letters are words, equal but for case are equal stems."""
    if one == other:
        return EXACT
    if one.lower() == other.lower():
        return STEM
    return SYNONYM if frozenset((one, other)) in SYNONYMS else FREE


def pair_of(hyp: str, ref: str, letters: str = LETTERS) -> Pair:
    number = {letter: i for i, letter in enumerate(letters)}
    stems = sorted(set(letters.lower()))
    kind = np.array([[module(one, other) for other in letters] for one in letters], np.uint8)
    stem = np.array([stems.index(letter.lower()) for letter in letters], np.int32)

    def types(text: str) -> Ids:
        return np.array([number[letter] for letter in text], np.int32)

    return alignment.pair_of(types(hyp), types(ref), kind, stem, len(stems))


def best_rank(hyp: str, ref: str, beam: int = alignment.BEAM) -> tuple[tuple[int, ...], bool]:
    """The rank of tests/naive/meteor.py, and whether it is proved to be the best."""
    pair = pair_of(hyp, ref)
    layers = new_layer(beam, len(ref)), new_layer(beam, len(ref))
    step = new_step(len(ref))
    proved = alignment.least_cost(pair, *layers, step)
    cost = step.bound.tolist()
    exact = sum(min(hyp.count(letter), ref.count(letter)) for letter in set(hyp))
    by_words = alignment.matches_by_words(pair)
    ranks = (
        -exact,
        cost[EXACT_CROSSINGS],
        -by_words,
        cost[STEM_CROSSINGS],
        cost[LEFT] - by_words,
        cost[CROSSINGS],
        cost[CHUNKS],
    )
    return ranks, proved


def text(letters: str, longest: int) -> st.SearchStrategy[str]:
    return st.text(letters, max_size=longest)


@settings(max_examples=100)
@given(text(LETTERS, 5), text(LETTERS, 6))
def test_the_best_of_all_alignments(hyp: str, ref: str) -> None:
    assert best_rank(hyp, ref) == (naive.best_rank(hyp, ref, module), True)


@settings(max_examples=60)
@given(text("ab", 6), text("ab", 6))
def test_words_that_come_again(hyp: str, ref: str) -> None:
    assert best_rank(hyp, ref) == (naive.best_rank(hyp, ref, module), True)


@settings(max_examples=60)
@given(text("abABx", 5), text("abAByz", 5))
def test_a_beam_that_is_too_narrow_is_widened(hyp: str, ref: str) -> None:
    assert best_rank(hyp, ref, beam=1) == (naive.best_rank(hyp, ref, module), True)


@pytest.mark.parametrize(
    ("hyp", "ref", "rank"),
    [
        ("", "", (0, 0, 0, 0, 0, 0, 0)),
        ("", "ab", (0, 0, 0, 0, 0, 0, 0)),
        ("ab", "", (0, 0, 0, 0, 0, 0, 0)),
        ("ab", "ba", (-2, 1, -2, 1, -2, 1, 2)),
        # of two places without a crossing the one beside the next word
        ("ab", "acab", (-2, 0, -2, 0, -2, 0, 1)),
        # the fewest crossings come before the fewest chunks
        ("abc", "cxab", (-3, 2, -3, 2, -3, 2, 2)),
        ("abca", "cabxa", (-4, 2, -4, 2, -4, 2, 3)),
        ("aA", "Aa", (-2, 1, -2, 1, -2, 1, 2)),
        ("aa", "aA", (-1, 0, -2, 0, -2, 0, 1)),
    ],
)
def test_by_hand(hyp: str, ref: str, rank: tuple[int, ...]) -> None:
    assert naive.best_rank(hyp, ref, module) == rank
    assert best_rank(hyp, ref)[0] == rank


@pytest.mark.skipif(interpreted, reason="takes a minute and more interpreted")
def test_long_texts_that_say_little() -> None:
    """More choices than states: matches are as many as ever, and the end comes."""
    rng = np.random.default_rng(2)
    for n_hyp, n_ref in ((60, 40), (40, 60)):
        hyp = "".join(rng.choice(list("abc"), n_hyp))
        ref = "".join(rng.choice(list("abc"), n_ref))
        ranks, _ = best_rank(hyp, ref)
        assert -ranks[0] == sum(min(hyp.count(c), ref.count(c)) for c in "abc")
    assert best_rank("a" * 50, "a" * 25) == ((-25, 0, -25, 0, -25, 0, 1), True)
