r"""What the rest of a sentence may add to BLEU: the oracle search's outlook.

BLEU does not add up over blocks, but to first order log BLEU+1 does (cf. Tromble et al. 2008;
Sokolov et al. 2012, on lattices):

    d log BLEU^4 = sum_n d match_n / match_n - d length sum_n 1 / total_n

so an end of the sentence is worth `sum_n w_n match_n - cost length`, and the best end after each
n-gram is found by dynamic programming from right to left.  Here an n-gram may match any number of
times; the search takes of an end only the matches that are still free.
"""

from __future__ import annotations

import numpy as np

from stages.kernels.compiled import njit
from stages.kernels.oracle_ngrams import ORDER, longest_match, read, read_back
from stages.kernels.oracle_records import Classes, NGrams, Tails
from stages.kernels.search_kbest import grown, grown_rows
from stages.kernels.search_records import F64, I32, I64


@njit(cache=True, nogil=True)
def contexts_before(ngrams: NGrams, n_types: int) -> tuple[I64, I32]:
    """Contexts that make an n-gram with the type after them: those of type t are
    context[start[t]:start[t + 1]].
    """
    first_child, sibling, letter = ngrams.first_child, ngrams.sibling, ngrams.letter
    start = np.zeros(n_types + 2, np.int64)
    for v in range(1, len(letter)):
        if ngrams.depth[v] < ORDER:
            child = first_child[letter[v] + 1]
            while child >= 0:
                start[letter[child] + 2] += 1
                child = sibling[child]
    for t in range(n_types):
        start[t + 2] += start[t + 1]
    context = np.empty(start[n_types + 1], np.int32)
    for v in range(1, len(letter)):
        if ngrams.depth[v] < ORDER:
            child = first_child[letter[v] + 1]
            while child >= 0:
                t = letter[child]
                context[start[t + 1]] = v
                start[t + 1] += 1
                child = sibling[child]
    return start[: n_types + 1], context


@njit(cache=True, nogil=True)
def worth(
    ngrams: NGrams, u: int, word: I32, begin: int, end: int, weight: F64
) -> tuple[float, int]:
    """Worth of types after context u, and the context after them.

    weight (6,): of a match at depth d and all below it, and last the cost of a word.
    """
    first_child, sibling, letter = ngrams.first_child, ngrams.sibling, ngrams.letter
    link, depth = ngrams.link, ngrams.depth
    value = -weight[ORDER + 1] * (end - begin)
    for k in range(begin, end):
        v = longest_match(first_child, sibling, letter, link, u, word[k])
        value += weight[depth[v]]
        u = int(np.int64(link[v])) if depth[v] == ORDER else v
    return float(value), int(u)


@njit(cache=True, nogil=True)
def tails(n: int, classes: Classes, ngrams: NGrams, n_types: int, weight: F64) -> Tails:
    """The best end of the sentence from each place, after each context."""
    first, count, start, word = classes.first, classes.n_classes, classes.start, classes.word
    n_nodes, longest = len(ngrams.letter), first.shape[1]
    before_start, before = contexts_before(ngrams, n_types)
    value = np.zeros((n + 1, n_nodes))
    row = np.zeros((n + 1, n_nodes), np.int32)
    bits = np.zeros((256, ngrams.base[ORDER]), np.int64)
    length = np.zeros(256, np.int64)
    gap_class = np.full((n, longest), -1, np.int32)
    n_rows = 1  # row 0: nothing follows
    choice, choice_end = np.empty(n_nodes, np.int64), np.empty(n_nodes, np.int64)
    for i in range(n - 1, -1, -1):
        best = value[i]
        best[:] = -np.inf
        for k in range(min(longest, n - i)):
            end, span_best = i + k + 1, -np.inf
            for c in range(first[i, k], first[i, k] + count[i, k]):
                own, after = worth(ngrams, 0, word, start[c], start[c + 1], weight)
                if own > span_best:
                    span_best, gap_class[i, k] = own, c
                if own + value[end, after] > best[0]:
                    best[0], choice[0], choice_end[0] = own + value[end, after], c, end
                if start[c] == start[c + 1]:
                    for u in range(1, n_nodes):
                        if value[end, u] > best[u]:
                            best[u], choice[u], choice_end[u] = value[end, u], c, end
                elif word[start[c]] >= 0:
                    t = word[start[c]]
                    for x in range(before_start[t], before_start[t + 1]):
                        u = before[x]
                        own, after = worth(ngrams, u, word, start[c], start[c + 1], weight)
                        if own + value[end, after] > best[u]:
                            best[u], choice[u] = own + value[end, after], c
                            choice_end[u] = end
        for u in range(n_nodes):
            if u > 0 and best[u] <= best[0]:
                best[u], row[i, u] = best[0], row[i, 0]
                continue
            c, end = choice[u], choice_end[u]
            bits, length = grown_rows(bits, n_rows + 1), grown(length, n_rows + 1)
            bits[n_rows] = 0
            after = read(ngrams, u, word, start[c], start[c + 1], bits[n_rows])
            tail = row[end, after]
            bits[n_rows] = bits[tail]
            read_back(ngrams, u, word, start[c], start[c + 1], bits[n_rows])
            length[n_rows] = length[tail] + start[c + 1] - start[c]
            row[i, u] = n_rows
            n_rows += 1
    return Tails(row, bits[:n_rows].copy(), length[:n_rows].copy(), gap_class)
