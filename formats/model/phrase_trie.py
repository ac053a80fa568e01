"""The trie of source phrases, through which a model finds the rows of its phrase table."""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Ids, Ints
from campanula.formats.model.hash_table import transition_table
from campanula.formats.moses.phrase_table import WordSequences


def build_trie(
    phrases: WordSequences,
) -> tuple[Ids, Ints, int, int]:
    """Build the trie of distinct phrases, all phrases one word further at a time.

    Return (table of transitions, node of each phrase (n,), number of nodes, words of the longest).
    """
    length = np.diff(phrases.offset)
    node = np.zeros(len(phrases), dtype=np.int64)
    edges: list[Ints] = [np.zeros((0, 3), np.int64)]
    n_nodes = 1
    longest = int(length.max(initial=0))
    for k in range(longest):
        longer = np.flatnonzero(length > k)
        key = node[longer] << 32 | phrases.word[phrases.offset[longer] + k]
        new, inverse = np.unique(key, return_inverse=True)
        number = n_nodes + np.arange(len(new))
        edges.append(np.stack([new >> 32, new & 0xFFFFFFFF, number], axis=1))
        # reshaped: NumPy 2.0 gave the inverse another shape
        node[longer] = number[inverse.reshape(-1)]
        n_nodes += len(new)
    edge = np.concatenate(edges)
    return transition_table(edge[:, 0], edge[:, 1], edge[:, 2]), node, n_nodes, longest
