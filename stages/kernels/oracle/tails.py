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
from campanula.stages.kernels.oracle.ngrams import context_of, longest_match
from campanula.stages.kernels.oracle.records import NGrams, OptionClasses, Tails
from campanula.stages.kernels.wide import wide


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
    """The best ends from the place at hand: value (longest + 1, n_nodes) by context before.

    value has a row for each of the places that a span may lead to, place i in row i modulo their
    number; choice (n_nodes,) the class after each context, resolved (n_nodes,) that which an entry
    has or leads to; gap_class (n, longest) the best class of each span, -1 without one.
    """

    value: Floats
    choice: Ints
    resolved: Ints
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
def tails(classes: OptionClasses, ngrams: NGrams, n_types: int, weight: Floats) -> Tails:
    """What comes next in the best end from each place, after each context; weight as in Worth."""
    n, longest = classes.first.shape
    n_nodes = len(ngrams.letter)
    start, context_before = contexts_before(ngrams, n_types)
    worth = Worth(ngrams, weight, start, context_before)
    gap_class = np.full((n, longest), -1, np.int32)
    value = np.zeros((longest + 1, n_nodes))
    chosen = np.full((2, n_nodes), -1, np.int64)
    ends = Ends(value, chosen[0], chosen[1], gap_class)
    order = np.argsort(ngrams.depth, kind="mergesort")
    bounds = np.zeros((n, 2), np.int64)
    context, choice = np.empty(1024, np.int32), np.empty(1024, np.int32)
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
    """Choose the classes of span (i, k + 1 words) that are better ends from place i on, in place.

    A class that makes no n-gram with the context before is tried after context 0 alone, for all.
    """
    word, then = classes.word, i + k + 1
    best, following = ends.value[i % len(ends.value)], ends.value[then % len(ends.value)]
    span_best = -np.inf
    first = np.int64(classes.first[i, k])
    for c in range(first, first + classes.n_classes[i, k]):
        start, stop = classes.start[c], classes.start[c + 1]
        own, after = worth_of(worth, 0, word, start, stop)
        if own > span_best:
            span_best = own
            ends.gap_class[i, k] = c
        choose(own + following[after], 0, c, best, ends.choice)
        if start == stop:
            for v in range(1, len(best)):
                choose(following[v], v, c, best, ends.choice)
        elif word[start] >= 0:
            for x in range(worth.start[word[start]], worth.start[word[start] + 1]):
                u = wide(worth.context[x])
                own, after = worth_of(worth, u, word, start, stop)
                choose(own + following[after], u, c, best, ends.choice)


@njit(**LEAN)
def choose(value: float, u: int, c: int, best: Floats, choice: Ints) -> None:
    """Let class c, and what follows it, come after context u if that is worth more."""
    if value > best[u]:
        best[u] = value
        choice[u] = c


@njit(**LEAN)
def add_entries(
    i: int, ends: Ends, ngrams: NGrams, order: Ints, context: Ids, choice: Ids, filled: int
) -> int:
    """Write the entries of place i (records.Tails) from `filled` on: where they end.

    A context that gains nothing has the choice of context 0.  No more matches after a longer
    context than after its end can make the choice worse, so what is left out is found there.
    """
    best, resolved = ends.value[i % len(ends.value)], ends.resolved
    resolved[0] = ends.choice[0]
    for u in order[1:]:
        if best[u] > best[0]:
            resolved[u] = ends.choice[u]
        else:
            best[u] = best[0]
            resolved[u] = resolved[ngrams.link[u]]
    for u in range(len(best)):
        if u == 0 or resolved[u] != resolved[ngrams.link[u]]:
            context[filled] = u
            choice[filled] = resolved[u]
            filled += 1
    return filled


@njit(**LEAN)
def choice_after(tails: Tails, ngrams: NGrams, i: int, u: int) -> int:
    """The class that comes next from place i on after context u (records.Tails)."""
    context = tails.context
    low, high = tails.bounds[i, 0], tails.bounds[i, 1]
    while u > 0:
        below, above = low, high
        while below < above:
            middle = (below + above) >> 1
            if context[middle] < u:
                below = middle + 1
            else:
                above = middle
        if below < high and context[below] == u:
            return wide(tails.choice[below])
        u = wide(ngrams.link[u])
    return wide(tails.choice[low])
