"""k-best of a search graph against all of its paths."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from campanula.stages.kernels.graph.kbest import kbest
from campanula.stages.kernels.records import LENGTH, NEXT, OPTION, PLACE, ROW, Graph

N_OPTIONS = 6


def random_graph(rng, n_nodes, n_arcs, ties=False):
    """Graph with random arcs, each node reached; option o says `o % 4` words of two kinds."""
    pairs = [(int(rng.integers(0, v)), v) for v in range(1, n_nodes)]
    for _ in range(n_arcs):
        u = int(rng.integers(0, n_nodes - 1))
        pairs.append((u, int(rng.integers(u + 1, n_nodes))))
    pairs.sort(key=lambda pair: pair[1])
    gain = [float(rng.integers(0, 3)) if ties else rng.random() for _ in pairs]
    best, first = np.full(n_nodes, -np.inf), np.full(n_nodes, -1, np.int32)
    best[0] = 0.0
    link, value = np.zeros((len(pairs), 5), np.int32), np.zeros((len(pairs), 2))
    for a, (u, v) in enumerate(pairs):
        link[a] = u, rng.integers(0, N_OPTIONS), a, a + 1, first[v]
        value[a] = best[u] + gain[a], 0.0
        first[v], best[v] = a, max(best[v], value[a, 0])
    return Graph(best, first, link, value), gain


def random_options(rng):
    """Options (info, words): option o has o % 3 words out of two."""
    info = np.zeros((N_OPTIONS, 6), np.int32)
    for o in range(N_OPTIONS):
        info[o, ROW], info[o, LENGTH], info[o, PLACE] = o, o % 3, 3 * o
    return info, rng.integers(0, 2, 3 * N_OPTIONS).astype(np.int32)


def all_paths(graph, gain):
    """Every path to the last node: (score, arcs), best first."""
    arcs_of: dict = {}
    for a, row in enumerate(graph.link):
        arcs_of.setdefault(int(row[0]), []).append(a)
    head = {}
    for v, a in enumerate(graph.first_arc.tolist()):
        while a >= 0:
            head[a] = v
            a = int(graph.link[a, NEXT])

    def paths(node):
        if node == len(graph.first_arc) - 1:
            yield 0.0, ()
        for a in arcs_of.get(node, []):
            for score, arcs in paths(head[a]):
                yield gain[a] + score, (a, *arcs)

    return sorted(paths(0), key=lambda item: -item[0])


def words_of(arcs, graph, info, word):
    return tuple(
        int(w)
        for a in arcs
        for w in word[info[graph.link[a, OPTION], PLACE] :][: info[graph.link[a, OPTION], LENGTH]]
    )


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_kbest_is_exact(seed, ties):
    rng = np.random.default_rng(seed)
    graph, gain = random_graph(rng, int(rng.integers(2, 8)), int(rng.integers(0, 14)), ties)
    info, word = random_options(rng)
    expected = all_paths(graph, gain)
    for k in (1, 3, len(expected), len(expected) + 3):
        offset, arc = kbest(graph, info, word, k, False)
        assert len(offset) - 1 == min(k, len(expected))
        found = [tuple(arc[a:b].tolist()) for a, b in itertools.pairwise(offset)]
        assert len(set(found)) == len(found)
        assert set(found) <= {arcs for _, arcs in expected}
        scores = [sum(gain[a] for a in arcs) for arcs in found]
        np.testing.assert_allclose(scores, [score for score, _ in expected[: len(found)]])


@pytest.mark.parametrize("seed", range(8))
def test_distinct_kbest_is_exact(seed):
    rng = np.random.default_rng(seed)
    graph, gain = random_graph(rng, int(rng.integers(2, 8)), int(rng.integers(0, 14)))
    info, word = random_options(rng)
    best: dict = {}
    for score, arcs in all_paths(graph, gain):
        best.setdefault(words_of(arcs, graph, info, word), (score, arcs))
    for k in (1, 2, len(best) + 3):
        offset, arc = kbest(graph, info, word, k, True)
        found = [tuple(arc[a:b].tolist()) for a, b in itertools.pairwise(offset)]
        assert found == [arcs for _, arcs in list(best.values())[:k]]


def test_long_lists_outgrow_the_first_arrays():
    rng = np.random.default_rng(1)
    graph, gain = random_graph(rng, 12, 60)
    info, word = random_options(rng)
    expected = [score for score, _ in all_paths(graph, gain)[:3000]]
    offset, arc = kbest(graph, info, word, 3000, False)
    found = [sum(gain[a] for a in arc[i:j]) for i, j in itertools.pairwise(offset)]
    np.testing.assert_allclose(found, expected)


def test_long_lists_of_strings_outgrow_the_first_table():
    """Where every arc has a word of its own, all strings differ, and lists are the same."""
    graph, _ = random_graph(np.random.default_rng(1), 12, 60)
    n_arcs = len(graph.link)
    graph.link[:, OPTION] = np.arange(n_arcs)
    info = np.zeros((n_arcs, 6), np.int32)
    info[:, LENGTH] = 1
    info[:, PLACE] = np.arange(n_arcs)
    word = np.arange(n_arcs, dtype=np.int32)
    plain, distinct = (kbest(graph, info, word, 5000, distinct) for distinct in (False, True))
    assert len(plain.offset) > 3000
    assert distinct.offset.tolist() == plain.offset.tolist()
    assert distinct.arc.tolist() == plain.arc.tolist()
