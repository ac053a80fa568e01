"""Whole oracle searches are in test_block_oracles, by enumeration; here what they add up from."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from campanula.formats.arrays.types import Ids, Ints
from campanula.stages.kernels.graph import kbest as paths
from campanula.stages.kernels.oracle import (
    classes as oracle_classes,
)
from campanula.stages.kernels.oracle import (
    search as oracle,
)
from campanula.stages.kernels.oracle.records import Limits
from campanula.stages.kernels.records import LENGTH, OPTION, PLACE
from tests.naive import bleu


def flat(parts: list[Ints]) -> tuple[Ids, Ints]:
    end = np.cumsum([0, *map(len, parts)])
    return np.concatenate([np.zeros(0), *parts]).astype(np.int32), end


def monotone(n: int, count: Ids, parts: list[list[int]]) -> list[tuple[int, ...]]:
    """Sequences of options of all monotone translations."""
    offset = np.cumsum([0, *count.ravel()]).reshape(-1)
    found: list[tuple[int, ...]] = []

    def go_on(i: int, chosen: tuple[int, ...]) -> None:
        if i == n:
            found.append(chosen)
        for k in range(min(count.shape[1], n - i)):
            first = offset[i * count.shape[1] + k]
            for x in range(first, first + count[i, k]):
                go_on(i + k + 1, (*chosen, int(x)))

    go_on(0, ())
    return found


@pytest.mark.parametrize("seed", range(6))
def test_an_unpruned_search_finds_the_highest_gains(seed: int) -> None:
    """The k best derivations have the k highest values of BLEU+1, and of these fewest blocks."""
    rng = np.random.default_rng(seed)
    n, n_types = 4, 3
    count = rng.integers(3, size=(n, 2)).astype(np.int32)
    count[:, 0], count[-1, 1] = count[:, 0] + 1, 0
    parts = [
        rng.integers(-1, n_types, size=rng.integers(1, 3)).tolist() for _ in range(count.sum())
    ]
    refs = [rng.integers(n_types, size=rng.integers(1, 6)) for _ in range(2)]
    word, end = flat([np.array(part) for part in parts])
    classes = oracle_classes.classes_of(count, np.arange(len(parts), dtype=np.int32), word, end)
    weight = np.array([0, 1, 2, 3, 4, 1.0])
    limits = Limits(swap=False, beam=1 << 40, n_best=5)
    graph = oracle.search(oracle.task_of(classes, *flat(refs), n_types, weight, limits))

    texts = [" ".join(map(str, ref)) for ref in refs]

    def rank(chosen: tuple[int, ...]) -> tuple[float, int]:
        text = " ".join(str(t) for x in chosen for t in parts[x])
        gain = bleu.bleu_plus_one(bleu.statistics(text, texts))
        return -round(gain, 9), len(chosen)

    info = np.zeros((len(parts), 6), np.int32)
    info[:, LENGTH], info[:, PLACE] = np.diff(end), end[:-1]
    offset, arc = paths.kbest(graph, info, word, 5, False)
    option = graph.link[arc, OPTION]
    found = [rank(tuple(option[a:b].tolist())) for a, b in pairwise(offset)]
    assert found == sorted(map(rank, monotone(n, count, parts)))[:5]
