r"""What the rest of a sentence may add to BLEU: the oracle search's outlook.

BLEU does not add up over blocks, but to first order log BLEU+1 does (cf. Tromble et al. 2008;
Sokolov et al. 2012, on lattices):

    d log BLEU^4 = sum_n d match_n / match_n - d length sum_n 1 / total_n

so an end of the sentence is worth `sum_n w_n match_n - cost length`, and the best end after each
n-gram is found by dynamic programming from right to left.  Here an n-gram may match any number of
times; the search takes of an end only the matches that are still free.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from campanula.formats.arrays.types import Floats, Ids, Ints
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.memory import grown
from campanula.stages.kernels.metrics.reference_trie import BLEU_ORDER
from campanula.stages.kernels.oracle.ngrams import DOWN, UP, context_of, longest_match, read
from campanula.stages.kernels.oracle.records import Classes, NGrams, Tails
from campanula.stages.kernels.wide import wide

CLASS, THEN = range(2)  # columns of Ends.choice


class Worth(NamedTuple):
    """What the search looks for: the references' ngrams, and what their matches are worth.

    weight (6,): of a match at depth d and all below it, and last the cost of a word.  Contexts that
    make an n-gram with type t after them are context[start[t]:start[t + 1]].
    """

    ngrams: NGrams
    weight: Floats
    start: Ints
    context: Ids


class Ends(NamedTuple):
    """The best ends found so far: value (n + 1, n_nodes) by place and context before.

    choice (n_nodes, 2) by context: CLASS, and the place THEN after it, of the place at hand;
    gap_class (n, longest) the best class of each span, -1 without one.
    """

    value: Floats
    choice: Ints
    gap_class: Ids


@njit(cache=True, nogil=True)
def contexts_before(ngrams: NGrams, n_types: int) -> tuple[Ints, Ids]:
    """The contexts that make an n-gram with the type after them: start and context of Worth."""
    first_child, sibling, letter = ngrams.first_child, ngrams.sibling, ngrams.letter
    start = np.zeros(n_types + 2, np.int64)
    for v in range(1, len(letter)):
        if ngrams.depth[v] < BLEU_ORDER:
            child = first_child[letter[v] + 1]
            while child >= 0:
                start[letter[child] + 2] += 1
                child = sibling[child]
    for t in range(n_types):
        start[t + 2] += start[t + 1]
    context = np.empty(start[n_types + 1], np.int32)
    for v in range(1, len(letter)):
        if ngrams.depth[v] < BLEU_ORDER:
            child = first_child[letter[v] + 1]
            while child >= 0:
                t = letter[child]
                context[start[t + 1]] = v
                start[t + 1] += 1
                child = sibling[child]
    return start[: n_types + 1], context


@njit(**LEAN)
def worth_of(worth: Worth, u: int, word: Ids, begin: int, end: int) -> tuple[float, int]:
    """Worth of types after context u, and the context after them."""
    ngrams, weight = worth.ngrams, worth.weight
    value = -weight[BLEU_ORDER + 1] * (end - begin)
    for k in range(begin, end):
        v = longest_match(ngrams, u, word[k])
        value += weight[ngrams.depth[v]]
        u = context_of(ngrams, v)
    return float(value), int(u)


@njit(cache=True, nogil=True)
def tails(classes: Classes, ngrams: NGrams, n_types: int, weight: Floats) -> Tails:
    """The best end of the sentence from each place, after each context; weight as in Worth."""
    n, longest = classes.first.shape
    n_nodes = len(ngrams.letter)
    start, context = contexts_before(ngrams, n_types)
    worth = Worth(ngrams, weight, start, context)
    gap_class = np.full((n, longest), -1, np.int32)
    ends = Ends(np.zeros((n + 1, n_nodes)), np.empty((n_nodes, 2), np.int64), gap_class)
    row = np.zeros((n + 1, n_nodes), np.int32)
    bits = np.zeros((256, ngrams.base[BLEU_ORDER]), np.int64)
    length = np.zeros(256, np.int64)
    n_rows = 1  # row 0: nothing follows
    for i in range(n - 1, -1, -1):
        ends.value[i] = -np.inf
        for k in range(min(longest, n - i)):
            best_in_span(i, k, classes, worth, ends)
        bits = grown(bits, n_rows + n_nodes)
        length = grown(length, n_rows + n_nodes)
        found = Tails(row, bits, length, gap_class)
        n_rows = add_tails(i, ends, classes, ngrams, found, n_rows)
    return Tails(row, bits[:n_rows].copy(), length[:n_rows].copy(), gap_class)


@njit(**LEAN)
def best_in_span(i: int, k: int, classes: Classes, worth: Worth, ends: Ends) -> None:
    """Choose the classes of span (i, k + 1 words) that are better ends from place i on, in place.

    A class that makes no n-gram with the context before is tried after context 0 alone, for all.
    """
    word, then = classes.word, i + k + 1
    best, following = ends.value[i], ends.value[then]
    span_best = -np.inf
    first = np.int64(classes.first[i, k])
    for c in range(first, first + classes.n_classes[i, k]):
        start, stop = classes.start[c], classes.start[c + 1]
        own, after = worth_of(worth, 0, word, start, stop)
        if own > span_best:
            span_best = own
            ends.gap_class[i, k] = c
        choose(own + following[after], 0, c, then, best, ends.choice)
        if start == stop:
            for v in range(1, len(best)):
                choose(following[v], v, c, then, best, ends.choice)
        elif word[start] >= 0:
            for x in range(worth.start[word[start]], worth.start[word[start] + 1]):
                u = wide(worth.context[x])
                own, after = worth_of(worth, u, word, start, stop)
                choose(own + following[after], u, c, then, best, ends.choice)


@njit(**LEAN)
def choose(value: float, u: int, c: int, then: int, best: Floats, choice: Ints) -> None:
    """Let class c, and what follows place `then`, come after context u if that is worth more."""
    if value > best[u]:
        best[u] = value
        choice[u, CLASS] = c
        choice[u, THEN] = then


@njit(**LEAN)
def add_tails(
    i: int, ends: Ends, classes: Classes, ngrams: NGrams, tails: Tails, n_rows: int
) -> int:
    """Write the ends chosen from place i on, after each context: how many ends there are then.

    After a context that gains nothing the end is that after context 0.
    """
    start, word = classes.start, classes.word
    best, row = ends.value[i], tails.row
    for u in range(len(best)):
        if u > 0 and best[u] <= best[0]:
            best[u] = best[0]
            row[i, u] = row[i, 0]
            continue
        c, then = ends.choice[u, CLASS], ends.choice[u, THEN]
        slots = tails.bits[n_rows]
        slots[:] = 0
        after = read(ngrams, u, word, start[c], start[c + 1], slots, UP)
        tail = row[then, after]
        for k in range(len(slots)):
            slots[k] = tails.bits[tail, k]
        read(ngrams, u, word, start[c], start[c + 1], slots, DOWN)
        tails.length[n_rows] = tails.length[tail] + start[c + 1] - start[c]
        row[i, u] = n_rows
        n_rows += 1
    return int(n_rows)
