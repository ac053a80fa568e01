"""The search against enumeration: without pruning, best and k-best are those of all derivations."""

from __future__ import annotations

import random

import numpy as np
import pytest

from tests.naive import decoder as naive
from tests.present import present
from tests.small_models import (
    SOURCE,
    UNPRUNED,
    Unpruned,
    check_list,
    decode,
    random_model,
    random_tillmann_zhang_model,
)

TWO = ("word", "phrase")
HIERARCHICAL = ("hierarchical",)
MIXED = ("hierarchical", "word", "hierarchical")


@pytest.mark.parametrize("reordering", ["monotone", "swap", "distance"])
@pytest.mark.parametrize(
    ("order", "lexical"),
    [
        (0, False),
        (0, True),
        (1, True),
        (2, False),
        (3, True),
        (4, True),
        (2, TWO),
        (0, HIERARCHICAL),
        (2, MIXED),
    ],
)
def test_unpruned_search_equals_enumeration(tmp_path, reordering, order, lexical):
    for seed in range(12):
        rng = random.Random(f"{reordering} {order} {lexical} {seed}")
        model = (random_tillmann_zhang_model if seed > 5 else random_model)(rng, order, lexical)
        model.reordering, model.limit = reordering, rng.choice([0, 1, 2, 3, 6])
        sentence = [rng.choice([*SOURCE, "ü"]) for _ in range(rng.choice([1, 2, 3, 4, 4]))]
        expected = naive.decode(model, tuple(sentence))
        folder = tmp_path / str(seed)
        folder.mkdir()
        record = decode(model, folder, sentence, k=len(expected) + 5, **UNPRUNED)
        assert len(record) == len(expected)
        check_list(record, expected)
        best: dict = {}
        for item in expected:
            best.setdefault(item[1], item)
        distinct = decode(model, folder, sentence, k=len(best) + 5, distinct=True, **UNPRUNED)
        assert sorted(distinct.text) == sorted(best)
        check_list(distinct, list(best.values()))


def test_pruned_lists_are_valid_and_sorted(tmp_path):
    rng = random.Random(5)
    model = random_model(rng, 3, True)
    sentence = [rng.choice(SOURCE) for _ in range(5)]
    expected = naive.decode(model, tuple(sentence))
    for pops in (1, 2, 10, 100):
        record = decode(model, tmp_path, sentence, k=50, pop_limit=pops, stack=pops)
        scores = present(record.score)
        assert scores[0] <= expected[0][0] + 1e-6
        assert (np.diff(scores) <= 1e-9).all()
        theta = np.array([model.weights[name] for name in model.features_on])
        np.testing.assert_allclose(scores, theta @ record.features.dense, atol=1e-9)
        for text, score in zip(record.text, scores.tolist(), strict=True):
            assert min(abs(score - s) for s, t, _ in expected if t == text) < 1e-5


def test_the_best_string_with_and_without_pruning_rises_with_the_beam(tmp_path):
    rng = random.Random(11)
    model = random_model(rng, 3, True)
    sentence = [rng.choice(SOURCE) for _ in range(6)]
    scores = [
        present(decode(model, tmp_path, sentence, k=1, pop_limit=pops, stack=pops).score)[0]
        for pops in (1, 1000)
    ]
    assert scores[0] <= scores[1]
    exact = decode(model, tmp_path, sentence, k=1, table_limit=100, **UNPRUNED).score
    assert scores[1] <= present(exact)[0] + 1e-12


@pytest.mark.parametrize("factor", [1e308, -1e308, np.inf, -np.inf, np.nan])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_scores_that_are_not_finite_still_make_derivations(tmp_path, factor):
    model = random_model(random.Random(3), 3, True)
    model.weights["LM0"] = factor
    sentence = ["a", "b", "c", "d", "a"]
    narrow: Unpruned = {**UNPRUNED, "pop_limit": 5, "stack": 2}
    for number, settings in enumerate([UNPRUNED, narrow]):
        folder = tmp_path / str(number)
        folder.mkdir()
        record = decode(model, folder, sentence, k=5, **settings)
        assert len(record) > 0
        words = record.features.dense[model.features_on.index("PhrasePenalty0")]
        assert (words >= 2).all()  # phrases of at most three words cover five
