"""Translation options: the best rows of a source phrase, with what the search asks of them.

    score(row) = theta . (phrase scores, word penalty, phrase penalty)
                 + theta_LM * log p(words | nothing before them)

The best `limit` rows of a source phrase by that score are its options, as in Moses; ties keep the
table's order.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

LOW31 = 0x7FFFFFFF


class Table(NamedTuple):
    """A phrase table whose rows are sorted by source phrase (a node of the trie of them).

    row_start (n_nodes + 1,); target_start (n_rows + 1,) places of target_word (numbers in the target
    vocabulary); score (n_rows, n_scores); reordering (n_rows, 6) or (0, 6); kind (n_rows,) class of
    the forward reordering scores; to_lm (n_words,) the number of a word in the language model.
    """

    row_start: NDArray[np.int64]
    target_start: NDArray[np.int64]
    target_word: NDArray[np.int32]
    score: NDArray[np.float32]
    reordering: NDArray[np.float32]
    kind: NDArray[np.int32]
    to_lm: NDArray[np.int32]


@njit(cache=True, nogil=True)
def lm_step(lm, state, word):
    """Read a word in a state: its log probability and the state after it."""
    total = 0.0
    while state != 0:
        mixed = state * 0x5851F42D + word * 0x2545F491
        mixed ^= mixed >> 29
        slot = (((mixed & LOW31) * 0x6C8E9CF5) & LOW31) >> (31 - lm.bits)
        while lm.table[slot, 0] >= 0:
            if lm.table[slot, 0] == state and lm.table[slot, 1] == word:
                return total + lm.prob[slot, 3], int(lm.table[slot, 2])
            slot += 1
        total += lm.backoff[state]
        state = int(lm.lower[state])
    return total + lm.unigram_prob[word], int(lm.unigram_next[word])


@njit(cache=True, nogil=True)
def row_score(row, table, lm, weights):
    """Score of a row, without the language model and with it: weights are (LM, word, phrase, scores).

    The word penalty counts -1 a word.
    """
    begin, end = table.target_start[row], table.target_start[row + 1]
    plain = weights[2] - weights[1] * (end - begin)
    for k in range(table.score.shape[1]):
        plain += weights[3 + k] * table.score[row, k]
    state, total = 0, 0.0
    for place in range(begin, end):
        step, state = lm_step(lm, state, int(table.to_lm[table.target_word[place]]))
        total += step
    return plain, plain + weights[0] * total


@njit(cache=True, nogil=True)
def choose_rows(nodes, table, lm, weights, limit):
    """Best rows of each node: start (n_nodes + 1,) and row (start[-1],), best first."""
    start = np.zeros(len(nodes) + 1, dtype=np.int64)
    for i in range(len(nodes)):
        rows = table.row_start[nodes[i] + 1] - table.row_start[nodes[i]]
        start[i + 1] = start[i] + min(rows, limit)
    row = np.empty(start[-1], dtype=np.int64)
    score = np.empty(start[-1])
    for i in range(len(nodes)):
        begin, end, filled = start[i], start[i + 1], start[i]
        for r in range(table.row_start[nodes[i]], table.row_start[nodes[i] + 1]):
            value = row_score(r, table, lm, weights)[1]
            if filled < end:
                filled += 1
            elif value <= score[end - 1]:
                continue
            place = filled - 1
            while place > begin and score[place - 1] < value:
                score[place], row[place] = score[place - 1], row[place - 1]
                place -= 1
            score[place], row[place] = value, r
    return start, row


@njit(cache=True, nogil=True)
def describe_rows(row, table, lm, weights, reordering_weight):
    """What the search needs of each row (search.Options), and the words' numbers.

    Returns score (n, 8), info (n, 6), word, lm_word, rest (places,).  Places count from 0.
    """
    n, places = len(row), 0
    for i in range(n):
        places += table.target_start[row[i] + 1] - table.target_start[row[i]] + 1
    score = np.zeros((n, 8))
    info = np.zeros((n, 6), dtype=np.int32)
    word = np.zeros(places, dtype=np.int32)
    lm_word = np.zeros(places, dtype=np.int32)
    rest = np.zeros(places)
    lexical = table.reordering.shape[0] > 0
    forward = np.any(reordering_weight[3:] != 0.0)
    first = 0
    for i in range(n):
        r = row[i]
        begin, length = table.target_start[r], table.target_start[r + 1] - table.target_start[r]
        score[i, 0], score[i, 1] = row_score(r, table, lm, weights)
        info[i, 0], info[i, 1], info[i, 2] = r, length, first
        state = 0
        for k in range(length):
            word[first + k] = table.target_word[begin + k]
            lm_word[first + k] = table.to_lm[word[first + k]]
            rest[first + k], state = lm_step(lm, state, int(lm_word[first + k]))
        for k in range(length - 1, -1, -1):
            rest[first + k] += rest[first + k + 1]
        info[i, 4] = state
        if lexical:
            for k in range(6):
                score[i, 2 + k] = reordering_weight[k] * table.reordering[r, k]
            if forward:
                info[i, 3] = table.kind[r]
        first += length + 1
    return score, info, word, lm_word, rest


@njit(cache=True, nogil=True)
def phrase_nodes(words, trie, bits, longest):
    """Trie node of every span of a sentence: (n, longest), by start and length - 1; 0 is none.

    `words` (n,) are numbers in the source vocabulary, -1 for a word it lacks.
    """
    n = len(words)
    node = np.zeros((n, longest), dtype=np.int64)
    for i in range(n):
        state = 0
        for k in range(min(longest, n - i)):
            word = words[i + k]
            mixed = state * 0x5851F42D + word * 0x2545F491
            mixed ^= mixed >> 29
            slot = (((mixed & LOW31) * 0x6C8E9CF5) & LOW31) >> (31 - bits)
            while trie[slot, 0] >= 0 and (trie[slot, 0] != state or trie[slot, 1] != word):
                slot += 1
            if word < 0 or trie[slot, 0] < 0:
                break
            state = int(trie[slot, 2])
            node[i, k] = state
    return node
