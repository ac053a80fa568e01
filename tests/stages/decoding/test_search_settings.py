"""Settings of the search, as the kernels take them."""

from __future__ import annotations

import numpy as np
import pytest

from campanula.stages.decoding.search_settings import (
    EVERYTHING,
    REORDERING,
    SearchSettings,
    settings_of_moses,
)
from campanula.stages.decoding.written_features import SearchWeights
from campanula.stages.kernels.records import DISTANCE_ORDER, MONOTONE_ORDER, SWAP_ORDER


def weights(first: float = 0.0) -> SearchWeights:
    return SearchWeights(np.array([0.5, 0.25]), first, np.array([0.5]), 0.25, np.zeros(0))


def test_modes_are_numbers_and_flags_0_or_1() -> None:
    settings = SearchSettings(reordering="swap", distortion_limit=4, pop_limit=7, stack=8)
    found = settings.for_kernels(weights(), split=False, lexical=True)
    assert found._asdict() == {
        "lm_weight": 0.5,
        "first_weight": 0.0,
        "split": 0,
        "reordering": SWAP_ORDER,
        "limit": 4,
        "lexical": 1,
        "pop_limit": 7,
        "stack": 8,
        "threshold": np.inf,
    }
    assert list(REORDERING.values()) == [MONOTONE_ORDER, SWAP_ORDER, DISTANCE_ORDER]


@pytest.mark.parametrize(("first", "split"), [(0.0, True), (0.5, False)])
def test_first_words_are_apart_where_they_are_written_or_weigh_more(
    first: float, split: bool
) -> None:
    assert SearchSettings().for_kernels(weights(first), split, lexical=False).split == 1


def test_a_moses_ini_alone_gives_settings() -> None:
    assert settings_of_moses({}) == SearchSettings()
    found = settings_of_moses({"stack": float("inf"), "distortion-limit": 4, "jobs": 3})
    assert (found.stack, found.distortion_limit, found.k) == (EVERYTHING, 4, 500)
