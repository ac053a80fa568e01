"""The trie of source phrases."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from campanula.formats.model.phrase_trie import build_trie
from campanula.formats.moses.phrase_table import WordSequences


def test_a_trie_finds_its_phrases() -> None:
    phrases = WordSequences(np.array([1, 2, 1, 2, 3, 2, 1], np.int32), np.array([0, 2, 5, 6, 7]))
    trie, node, n_nodes, longest = build_trie(phrases)
    assert longest == 3
    assert n_nodes == 5  # the root, 1, 2, 1 2, 1 2 3
    edges = {(s, w): t for s, w, t, _ in trie.tolist() if s >= 0}
    assert edges[edges[0, 1], 2] == node[0]
    assert edges[node[0], 3] == node[1]
    assert (edges[0, 2], edges[0, 1]) == (node[2], node[3])


@given(st.sets(st.lists(st.integers(0, 3), min_size=1, max_size=4).map(tuple), max_size=12))
def test_phrases_share_a_node_for_each_of_their_beginnings(distinct: set[tuple[int, ...]]) -> None:
    phrases = sorted(distinct)
    offset = np.cumsum([0, *map(len, phrases)])
    word = np.array([w for phrase in phrases for w in phrase], np.int32)
    trie, node, n_nodes, longest = build_trie(WordSequences(word, offset))
    edges = {(s, w): t for s, w, t, _ in trie.tolist() if s >= 0}
    for phrase, expected in zip(phrases, node.tolist(), strict=True):
        here = 0
        for w in phrase:
            here = edges[here, w]
        assert here == expected
    assert n_nodes == 1 + len({phrase[:k] for phrase in phrases for k in range(1, len(phrase) + 1)})
    assert longest == max(map(len, phrases), default=0)
