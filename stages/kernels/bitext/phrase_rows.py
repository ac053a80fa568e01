"""Look phrases of a text up in a phrase table: keys, trie nodes of source phrases, and rows.

The key of a target phrase is a hash of its words (kernels/sparse/weights.py).
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.columns import STATE, TARGET
from campanula.formats.arrays.types import Bytes, Ids, Ints
from campanula.stages.kernels.binary_search import find
from campanula.stages.kernels.compiled import njit
from campanula.stages.kernels.memory import find_transition
from campanula.stages.kernels.sparse.weights import phrase_key
from campanula.stages.kernels.wide import wide


@njit(cache=True, nogil=True)
def row_keys(row: Ints, target_start: Ints, target_word: Ids) -> Ints:
    """Return keys (n,) of the target phrases of rows (n,)."""
    key = np.empty(len(row), dtype=np.int64)
    for i in range(len(row)):
        key[i] = phrase_key(target_word, target_start[row[i]], target_start[row[i] + 1])
    return key


@njit(cache=True, nogil=True)
def text_keys(word: Ids, at: Ids, length: Bytes) -> Ints:
    """Return keys (n,) of phrases word[at[i]:at[i] + length[i]]; -1 for one with a word of -1."""
    key = np.empty(len(at), dtype=np.int64)
    for i in range(len(at)):
        begin = wide(at[i])
        end = begin + wide(length[i])
        key[i] = phrase_key(word, begin, end)
        for place in range(begin, end):
            if word[place] < 0:
                key[i] = -1
    return key


@njit(cache=True, nogil=True)
def text_nodes(word: Ids, at: Ids, length: Bytes, trie: Ids, bits: int) -> Ints:
    """Return trie nodes (n,) of phrases of a text, 0 for one that the trie lacks.

    trie: the transitions of formats/model/phrase_trie.py, in a table with 2^bits homes.
    """
    # 0 is the root, which no phrase ends at: it can stand for a missing one
    node = np.zeros(len(at), dtype=np.int64)
    for i in range(len(at)):
        state = wide(0)
        begin = wide(at[i])
        for place in range(begin, begin + wide(length[i])):
            if word[place] < 0:  # a word that no phrase of the trie has
                state = wide(0)
                break
            slot = find_transition(trie, bits, state, wide(word[place]))
            if trie[slot, STATE] < 0:
                state = wide(0)
                break
            state = wide(trie[slot, TARGET])
        node[i] = state
    return node


@njit(cache=True, nogil=True)
def rows_of(node: Ints, key: Ints, row_start: Ints, row_key: Ints, key_row: Ints) -> Ints:
    """Return rows (n,) of blocks by node (n,) and key (n,) of target phrase; -1 for none.

    row_key: the keys of the rows of each node, ascending; key_row: those rows.
    """
    row = np.full(len(node), -1, dtype=np.int64)
    for i in range(len(node)):
        place = find(row_key, row_start[node[i]], row_start[node[i] + 1], key[i])
        if place >= 0:
            row[i] = key_row[place]
    return row
