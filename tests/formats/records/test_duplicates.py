"""Duplicates of a list: texts as bytes, features by name and value."""

from __future__ import annotations

import numpy as np
import pytest

from campanula.formats.records.duplicates import first_occurrences, n_different
from campanula.formats.records.features import Features
from campanula.formats.records.kbest import KBest
from campanula.formats.records.names import Names
from campanula.formats.records.texts import Texts
from tests.examples import random_lists


def kbest(texts: list[str], rows: list[dict[str, float]]) -> KBest:
    names = Names()
    return KBest(0, Texts.of(texts), Features.of(rows, names), names)


def test_a_text_counts_once() -> None:
    assert n_different(Texts.of(["a", "b", "a", "", "ab", ""])) == 4
    assert n_different(Texts.of(["b"]).take(np.array([0, 0]))) == 1


def test_a_value_of_0_is_as_good_as_none_and_minus_0_is_0() -> None:
    rows = [{"x": 0.0, "y": 1.0}, {"y": 1.0}, {"x": -0.0, "y": 1.0}, {"x": 2.0, "y": 1.0}]
    assert first_occurrences(kbest(["t"] * 4, rows)).tolist() == [0, 3]


@pytest.mark.parametrize("seed", range(4))
def test_what_stands_twice_is_found_once(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for one in random_lists(seed, n_lists=6)[0]:
        places = np.concatenate([np.arange(len(one)), rng.integers(0, len(one), 3)])
        assert first_occurrences(one.take(places)).tolist() == list(range(len(one)))
