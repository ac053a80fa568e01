"""The trie of source phrases by which a model finds its rows."""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Ids, Ints
from campanula.formats.model.hash_table import transition_table
from campanula.formats.moses.phrase_table import WordSequences


def build_trie(
    phrases: WordSequences,
) -> tuple[Ids, Ints, int, int]:
    """Trie of distinct phrases: (transitions, node of each phrase, nodes, longest phrase)."""
    length = np.diff(phrases.offset)
    node = np.zeros(len(phrases), dtype=np.int64)
    edges: list[Ints] = [np.zeros((0, 3), np.int64)]
    n_nodes = 1
    longest = int(length.max(initial=0))
    for k in range(longest):
        here = np.flatnonzero(length > k)
        key = node[here] << 32 | phrases.word[phrases.offset[here] + k]
        new, inverse = np.unique(key, return_inverse=True)
        number = n_nodes + np.arange(len(new))
        edges.append(np.stack([new >> 32, new & 0xFFFFFFFF, number], axis=1))
        node[here] = number[inverse.reshape(-1)]
        n_nodes += len(new)
    edge = np.concatenate(edges)
    return transition_table(edge[:, 0], edge[:, 1], edge[:, 2]), node, n_nodes, longest
