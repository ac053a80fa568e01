r"""The best end of a sentence from each place on, by a linear estimate of BLEU.

BLEU does not add up over blocks, but to first order log BLEU+1 does (cf. Tromble et al. 2008;
Sokolov et al. 2012, on lattices):

    d log BLEU^4 = sum_n d match_n / match_n - d length sum_n 1 / total_n

so an end of the sentence is worth `sum_n w_n match_n - cost length`, and the best end after each
n-gram is found by dynamic programming from right to left.  Here an n-gram may match any number of
times; the search then counts only those matches of an end that are not clipped.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from campanula.formats.arrays.types import Floats, Ids, Ints
from campanula.stages.kernels.binary_search import find
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.memory import ROOM, grown
from campanula.stages.kernels.metrics.reference_trie import BLEU_ORDER
from campanula.stages.kernels.oracle.ngrams import context_of, longest_match
from campanula.stages.kernels.oracle.records import NGrams, OptionClasses, Tails
from campanula.stages.kernels.wide import wide


class Worth(NamedTuple):
    """The references' n-grams, and what matching them is worth.

    weight (6,): of a word that ends a match of order d, and so of all lower orders, by d; last the
    cost of a word.  Contexts that make an n-gram with type t after them are
    context[start[t]:start[t + 1]].
    """

    ngrams: NGrams
    weight: Floats
    start: Ints
    context: Ids


class Ends(NamedTuple):
    """The best ends from the place at hand: value (longest + 1, n_nodes) by context before.

    value has place i in row i modulo longest + 1, as many places as a span may lead to; choice
    (n_nodes,): the best class after each context itself; resolved (n_nodes,): the class after each
    context or the suffix whose choice it has; gap_class (n, longest) as in records.Tails.
    """

    value: Floats
    choice: Ints
    resolved: Ints
    gap_class: Ids


@njit(cache=True, nogil=True)
def contexts_before(ngrams: NGrams, n_types: int) -> tuple[Ints, Ids]:
    """Return the contexts that make an n-gram with each type after them, as Worth has them."""
    first_child, sibling, letter = ngrams.first_child, ngrams.sibling, ngrams.letter
    # counted two places on: after the sums start[t + 1] is the first place of t, and after the
    # second loop, which moves it on, the place behind the last
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
    """Return what types word[begin:end] are worth after context u, and the context after them."""
    ngrams, weight = worth.ngrams, worth.weight
    value = -weight[BLEU_ORDER + 1] * (end - begin)
    for k in range(begin, end):
        v = longest_match(ngrams, u, word[k])
        value += weight[ngrams.depth[v]]
        u = context_of(ngrams, v)
    return float(value), int(u)


@njit(cache=True, nogil=True)
def tails(classes: OptionClasses, ngrams: NGrams, n_types: int, weight: Floats) -> Tails:
    """Return the best end from each place after each context; weight as in Worth."""
    n, longest = classes.first.shape
    n_nodes = len(ngrams.letter)
    start, context_before = contexts_before(ngrams, n_types)
    worth = Worth(ngrams, weight, start, context_before)
    gap_class = np.full((n, longest), -1, np.int32)
    value = np.zeros((longest + 1, n_nodes))  # the end of the sentence is worth 0
    chosen = np.full((2, n_nodes), -1, np.int64)
    ends = Ends(value, chosen[0], chosen[1], gap_class)
    order = np.argsort(ngrams.depth, kind="mergesort")  # a context after all of its suffixes
    bounds = np.zeros((n, 2), np.int64)
    context, choice = np.empty(ROOM, np.int32), np.empty(ROOM, np.int32)
    behind = np.zeros(len(classes.start) - 1, np.int32)
    filled = 0
    for i in range(n - 1, -1, -1):
        value[i % len(value)] = -np.inf
        for k in range(min(longest, n - i)):
            best_in_span(i, k, classes, worth, ends)
            first = classes.first[i, k]
            behind[first : first + classes.n_classes[i, k]] = i + k + 1
        context, choice = grown(context, filled + n_nodes), grown(choice, filled + n_nodes)
        bounds[i, 0] = filled
        filled = add_entries(i, ends, ngrams, order, context, choice, filled)
        bounds[i, 1] = filled
    return Tails(bounds, context[:filled].copy(), choice[:filled].copy(), behind, gap_class)


@njit(**LEAN)
def best_in_span(i: int, k: int, classes: OptionClasses, worth: Worth, ends: Ends) -> None:
    """Choose classes of span (i, k + 1 words) where they begin better ends from place i on.

    Writes ends.value, ends.choice and ends.gap_class.  A class is tried after context 0, and after
    each context that makes an n-gram with its first word; after other contexts it is worth the same
    as after context 0.
    """
    word = classes.word
    then = i + k + 1
    best, following = ends.value[i % len(ends.value)], ends.value[then % len(ends.value)]
    span_best = -np.inf
    first = wide(classes.first[i, k])
    for c in range(first, first + classes.n_classes[i, k]):
        start, stop = classes.start[c], classes.start[c + 1]
        own, after = worth_of(worth, 0, word, start, stop)
        if own > span_best:
            span_best = own
            ends.gap_class[i, k] = c
        choose(own + following[after], 0, c, best, ends.choice)
        if start == stop:  # a block without words leaves every context as it is
            for v in range(1, len(best)):
                choose(following[v], v, c, best, ends.choice)
        elif word[start] >= 0:
            for x in range(worth.start[word[start]], worth.start[word[start] + 1]):
                u = wide(worth.context[x])
                own, after = worth_of(worth, u, word, start, stop)
                choose(own + following[after], u, c, best, ends.choice)


@njit(**LEAN)
def choose(value: float, u: int, c: int, best: Floats, choice: Ints) -> None:
    """Make class c the choice after context u if it, with its best end, is worth more."""
    if value > best[u]:
        best[u] = value
        choice[u] = c


@njit(**LEAN)
def add_entries(
    i: int, ends: Ends, ngrams: NGrams, order: Ints, context: Ids, choice: Ids, filled: int
) -> int:
    """Write the entries of place i (records.Tails) from `filled` on, and return where they end.

    A context that no class gains from has the choice of its longest suffix that has one: a longer
    context never matches less than its suffix, so that choice is worth as much or more after it.
    """
    best = ends.value[i % len(ends.value)]
    resolved = ends.resolved
    resolved[0] = ends.choice[0]
    for u in order[1:]:
        if best[u] > best[0]:
            resolved[u] = ends.choice[u]
        else:
            best[u] = best[0]
            resolved[u] = resolved[ngrams.link[u]]
    # what the entry of its suffix says already needs no entry
    for u in range(len(best)):
        if u == 0 or resolved[u] != resolved[ngrams.link[u]]:
            context[filled] = u
            choice[filled] = resolved[u]
            filled += 1
    return filled


@njit(**LEAN)
def choice_after(tails: Tails, ngrams: NGrams, i: int, u: int) -> int:
    """Return the class that comes next from place i on after context u (records.Tails)."""
    low, high = tails.bounds[i, 0], tails.bounds[i, 1]
    while u > 0:
        place = find(tails.context, low, high, u)
        if place >= 0:
            return wide(tails.choice[place])
        u = wide(ngrams.link[u])
    return wide(tails.choice[low])  # context 0 is the lowest
