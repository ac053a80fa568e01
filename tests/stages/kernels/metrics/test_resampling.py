"""Resampling against enumeration, sacrebleu's draws, and the counts that must come out."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from campanula.stages.kernels.metrics import resampling


@pytest.mark.parametrize(("n", "chosen"), [(2, 1), (5, 2), (4, 4), (3, 0), (1, 1)])
def test_every_choice_is_as_likely(n: int, chosen: int) -> None:
    taken = resampling.deal(n, chosen, 20000, np.random.default_rng(1))
    assert taken.shape == (20000, n)
    assert (taken.sum(axis=1) == chosen).all()
    found, counts = np.unique(taken, axis=0, return_counts=True)
    ways = len(list(itertools.combinations(range(n), chosen)))
    assert len(found) == ways
    assert counts / 20000 == pytest.approx(np.full(ways, 1 / ways), abs=0.015)


@pytest.mark.parametrize(("first", "second"), [(1, 1), (2, 1), (1, 3), (2, 2)])
def test_all_sums_are_those_of_all_choices(first: int, second: int) -> None:
    pool = np.random.default_rng(3).integers(1, 9, (3, first + second, 2))
    places = list(itertools.combinations(range(first + second), first))
    expected = [
        sum(rows[list(chosen)].sum(axis=0) for rows, chosen in zip(pool, choice, strict=True))
        for choice in itertools.product(places, repeat=3)
    ]
    found = resampling.all_sums(pool, first)
    assert found.tolist() == np.array(expected).tolist()
    assert len(found) == resampling.ways(3, first + second, first)
    assert found[0].tolist() == pool[:, :first].sum(axis=(0, 1)).tolist()


@pytest.mark.parametrize(("outputs", "first", "sentences"), [(2, 1, 13), (6, 3, 2), (14, 7, 1)])
def test_dealt_sums_are_spread_as_all_sums(outputs: int, first: int, sentences: int) -> None:
    rng = np.random.default_rng(4)
    pool = rng.integers(0, 50, (sentences, outputs, 2))
    groups = resampling.groups(pool, first)
    assert np.concatenate(groups).tolist() == pool.tolist()
    dealt = resampling.dealt_sums(groups, first, 20000, rng)
    every = resampling.all_sums(pool, first)
    assert dealt.mean(axis=0) == pytest.approx(every.mean(axis=0), rel=0.02)
    assert dealt.std(axis=0) == pytest.approx(every.std(axis=0), rel=0.03)
    known = {tuple(row) for row in every.tolist()}
    assert {tuple(row) for row in dealt.tolist()} <= known


def test_nothing_to_deal() -> None:
    nothing = np.zeros((0, 2, 3), np.int64)
    assert resampling.groups(nothing, 1) == []
    assert resampling.all_sums(nothing, 1).tolist() == [[0, 0, 0]]
    assert resampling.dealt_sums([], 1, 10, np.random.default_rng(1)).shape == (10, 0)


def test_sentences_differ_where_any_output_does() -> None:
    pool = np.zeros((4, 3, 2), np.int64)
    pool[1, 2, 1] = 1
    pool[3, 0, 0] = 1
    assert resampling.differing(pool).tolist() == [1, 3]


@pytest.mark.parametrize("largest", [1, 1 << 50])
def test_samples_are_sacrebleus_draws(largest: int, monkeypatch: pytest.MonkeyPatch) -> None:
    stats = np.arange(14).reshape(7, 2) ** 2 * largest
    drawn = np.random.default_rng(5).choice(7, size=(9, 7), replace=True)
    expected = stats[drawn].sum(axis=1).tolist()
    for block in (resampling.DRAWN, 7, 20, 1):
        monkeypatch.setattr(resampling, "DRAWN", block)
        sums = list(resampling.bootstrap_sums(stats, 9, np.random.default_rng(5)))
        assert np.concatenate(sums).tolist() == expected


def test_equal_differences_count_in_spite_of_rounding() -> None:
    chance = np.array([0.3, -0.3, 0.1 + 0.2, -(0.1 + 0.2), 0.29, 0.5])
    assert resampling.as_large(chance, 0.3) == 5
    assert resampling.as_large(chance, -(0.1 + 0.2)) == 5
    assert resampling.as_large(chance * 1e5, 3e4, scale=1e5) == 5
    assert resampling.as_large(chance, 0.0) == 6
