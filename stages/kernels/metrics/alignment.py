r"""The alignment of METEOR: which words of a hypothesis are mapped to which words of a reference.

A word is mapped to at most one word of the other text.  Modules follow each other (Banerjee and
Lavie 2005, section 2): the exact module maps equal words, the next equal stems, the third synonyms,
each only words that the modules before have left.  A module takes the most mappings, and of several
such sets the one with the fewest crossings: mappings (i, j) and (k, l) cross where i < k and j > l.

Here crossings are counted among the mappings of the module and those before it.  The paper leaves
open which of equally good sets a module takes; here later modules decide.  The best alignment has

    the most exact matches, their fewest crossings, the most stem matches, the fewest crossings of
    both, the most synonyms, the fewest crossings of all, the fewest chunks,

in this order, and so matches and chunks depend on the texts alone.  A chunk is a run of neighbours
mapped to neighbours.

The search goes from word to word of the hypothesis.  A state says which module has taken each word
of the reference: later crossings depend on nothing else.  Of equal states the cheapest is kept, so
the search is exact.  A crossing costs as soon as it is certain: if a reference has no more
occurrences of a word than the hypothesis, all of them will be taken.  The numbers of exact and stem
matches follow from counts of words, so that a state is entered only if it can still reach them.  A
beam of BEAM states is tried first; where it is too narrow, its alignment is a bound for a search of
up to WIDEST states a word, fewer for texts of hundreds of words.  Only where this search drops
states, too, is an alignment not proved to be the best.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from campanula.formats.arrays.types import Bytes, Flags, Ids, Ints
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.metrics.alignment_states import (
    CHUNKS,
    CROSSINGS,
    EXACT_CROSSINGS,
    LEFT,
    N_COSTS,
    SIZE,
    STEM_CROSSINGS,
    WAS_CUT,
    WIDTH,
    GrowingState,
    Layer,
    add,
    cheaper,
    clear,
    copy,
    cut,
    new_layer,
)
from campanula.stages.kernels.wide import wide

FREE, EXACT, STEM, SYNONYM = range(4)  # module that has taken a word; kinds of likeness of types

BEAM, WIDEST = 16, 4096
MOST_WORK = 1 << 25  # states times words times words, a fraction of a second
NOWHERE = -2  # place of a word that is mapped to none; not -1, to which place 0 would be next


class Pair(NamedTuple):
    """Hypothesis and reference, and how many of their words each module leaves.

    hyp (n,) and ref (m,) are word types; kind (n_types, n_ref_types) says how alike types are; stem
    (n_types,) numbers their stems.  exact (n_types,): exact matches of a type.  later (n,): how
    often the word occurs again behind this place; before (n,): words before it of the same stem.
    unmatched and unused (n_stems,): words of a stem, of the hypothesis and of the reference, that
    the first two modules leave.  sure (m,): which words of the reference get an exact match in
    every best alignment.
    """

    hyp: Ids
    ref: Ids
    kind: Bytes
    stem: Ids
    exact: Ints
    later: Ints
    before: Ints
    unmatched: Ints
    unused: Ints
    sure: Flags


class AlignmentMove(NamedTuple):
    """From a state, word i of the hypothesis is mapped to word j of the reference by a module."""

    state: int
    i: int
    j: int
    module: int


@njit(cache=True, nogil=True)
def pair_of(hyp: Ids, ref: Ids, kind: Bytes, stem: Ids, n_stems: int) -> Pair:
    """Return a hypothesis and a reference with their counts; arguments as the fields of Pair."""
    n_types = len(stem)
    in_hyp, in_ref = np.zeros(n_types, np.int64), np.zeros(n_types, np.int64)
    stems_before = np.zeros(n_stems, np.int64)
    later, before = np.empty(len(hyp), np.int64), np.empty(len(hyp), np.int64)
    for i in range(len(hyp)):
        before[i] = stems_before[stem[hyp[i]]]
        stems_before[stem[hyp[i]]] += 1
    for i in range(len(hyp) - 1, -1, -1):
        later[i] = in_hyp[hyp[i]]
        in_hyp[hyp[i]] += 1
    for j in range(len(ref)):
        in_ref[ref[j]] += 1
    exact = np.minimum(in_hyp, in_ref)
    unmatched, unused = np.zeros(n_stems, np.int64), np.zeros(n_stems, np.int64)
    for t in range(n_types):
        unmatched[stem[t]] += in_hyp[t] - exact[t]
        unused[stem[t]] += in_ref[t] - exact[t]
    # the stem module maps as many words of a stem as the exact one has left in both texts
    by_stem = np.minimum(unmatched, unused)
    unmatched -= by_stem
    unused -= by_stem
    sure = np.empty(len(ref), np.bool_)
    for j in range(len(ref)):
        sure[j] = in_ref[ref[j]] == exact[ref[j]]
    return Pair(hyp, ref, kind, stem, exact, later, before, unmatched, unused, sure)


@njit(**LEAN)
def matches_by_words(pair: Pair) -> int:
    """Return how many words of the hypothesis the first two modules map."""
    left = 0
    for stem in range(len(pair.unmatched)):
        left += pair.unmatched[stem]
    return len(pair.hyp) - left


@njit(**LEAN)
def _taken_of_stem(pair: Pair, taken: Bytes, stem: int, first: int, last: int) -> int:
    """Return how many words of a stem the modules first to last have taken in the reference."""
    count = 0
    for j in range(len(taken)):
        if first <= taken[j] <= last and pair.stem[pair.ref[j]] == stem:
            count += 1
    return count


@njit(**LEAN)
def _exact_places(pair: Pair, taken: Bytes, word: int) -> tuple[int, int, int]:
    """Return a word's exact matches to come, their first place, and the free places from there."""
    needed = pair.exact[word]
    first = 0
    free = 0
    for j in range(len(taken)):
        # mappings of one type never cross in a best alignment: the next place is behind the last
        if pair.ref[j] == word and taken[j] == EXACT:
            needed -= 1
            first = j + 1
            free = 0
        elif pair.ref[j] == word and taken[j] == FREE:
            free += 1
    return needed, first, free


@njit(**LEAN)
def _spare(pair: Pair, taken: Bytes, j: int, module: int) -> bool:
    """Whether a module after the exact one may take word j of the reference.

    The word's exact matches to come, and for a synonym its stem's matches, must still find enough
    words.
    """
    needed, first, free = _exact_places(pair, taken, pair.ref[j])
    if j >= first and free <= needed:
        return False
    if module == STEM:
        return True
    stem = pair.stem[pair.ref[j]]
    return bool(_taken_of_stem(pair, taken, stem, SYNONYM, SYNONYM) < pair.unused[stem])


@njit(**LEAN)
def _map(pair: Pair, old: Layer, move: AlignmentMove, step: GrowingState, new: Layer) -> None:
    """Add to a layer the state in which a module maps word i to word j, or (FREE) none maps it."""
    _, i, j, module = move
    n_ref = len(pair.ref)
    taken, cost = step.taken, step.cost
    copy(old, move.state, step, n_ref)
    goes_on = False
    if module != FREE:
        for k in range(n_ref):
            # a crossing is counted once, at the first of its mappings if the other one is certain:
            # the second mapping therefore passes over a word j that was certain
            to_come = k < j and taken[k] == FREE and pair.sure[k]
            there = k > j and taken[k] != FREE and not pair.sure[j]
            if to_come or there:
                later = max(taken[k], module)
                cost[CROSSINGS] += 1
                cost[STEM_CROSSINGS] += later <= STEM
                cost[EXACT_CROSSINGS] += later == EXACT
        cost[LEFT] -= module == SYNONYM
        cost[CHUNKS] += old.last[move.state] != j - 1
        taken[j] = module
        # where the next word cannot continue the chunk, NOWHERE makes more states equal
        if i + 1 < len(pair.hyp) and j + 1 < n_ref and taken[j + 1] == FREE:
            goes_on = pair.kind[pair.hyp[i + 1], pair.ref[j + 1]] != FREE
    add(new, step, n_ref, j if goes_on else NOWHERE)


@njit(**LEAN)
def _go_on(pair: Pair, i: int, old: Layer, state: int, step: GrowingState, new: Layer) -> None:
    """Add to the layer of word i the states that follow from one of the layer before."""
    word = pair.hyp[i]
    taken = old.taken[state, : len(pair.ref)]
    needed, first, free = _exact_places(pair, taken, word)
    # another module may have the word only if its later occurrences are enough for the exact one
    not_exact = pair.later[i] >= needed
    left = pair.before[i] - _taken_of_stem(pair, taken, pair.stem[word], EXACT, STEM)
    not_stem = not_exact and left < pair.unmatched[pair.stem[word]]
    for j in range(len(taken) + 1):
        module = FREE
        possible = not_stem
        if j < len(taken):
            module = wide(pair.kind[word, pair.ref[j]])
            possible = False
            if module == FREE or taken[j] != FREE:
                continue
            if module == EXACT and j >= first and needed > 0:
                # places skipped here are lost to the exact matches to come
                free -= 1
                possible = free >= needed - 1
            elif (module == STEM and not_exact) or (module == SYNONYM and not_stem):
                possible = _spare(pair, taken, j, module)
        if possible:
            _map(pair, old, AlignmentMove(state, i, j, module), step, new)


@njit(cache=True, nogil=True)
def _search(pair: Pair, one: Layer, two: Layer, step: GrowingState) -> bool:
    """Search all layers; write the lowest cost to the step's bound.  False if states were cut."""
    clear(one)
    one.taken[0] = FREE
    one.cost[0] = 0
    one.last[0] = NOWHERE
    one.size[SIZE] = 1
    one.size[WAS_CUT] = 0
    two.size[WAS_CUT] = 0
    n_ref = len(pair.ref)
    for i in range(len(pair.hyp)):
        clear(two)
        for state in range(one.size[SIZE] + 1):
            # one turn more than states, to cut the finished layer; before, only when it is full
            last = state == one.size[SIZE]
            if two.size[SIZE] > (two.size[WIDTH] if last else len(two.taken) - n_ref - 1):
                cut(two, n_ref)
            if not last:
                _go_on(pair, i, one, state, step, two)
        one, two = two, one
    for state in range(one.size[SIZE]):
        if state == 0 or cheaper(one.cost[state], step.bound, N_COSTS):
            step.bound[:] = one.cost[state]
    return bool(one.size[WAS_CUT] + two.size[WAS_CUT] == 0)


@njit(**LEAN)
def _has_synonyms(pair: Pair) -> bool:
    for i in range(len(pair.hyp)):
        for j in range(len(pair.ref)):
            if pair.kind[pair.hyp[i], pair.ref[j]] == SYNONYM:
                return True
    return False


@njit(cache=True, nogil=True)
def least_cost(pair: Pair, one: Layer, two: Layer, step: GrowingState) -> bool:
    """Write the cost of the best alignment to step.bound; False if it may not be the least.

    one and two are layers of BEAM states, and step is working memory, all three for references of
    at least this length.
    """
    n_ref = len(pair.ref)
    step.bounded[0] = 0
    for attempt in range(2):
        if attempt == 1:
            # a synonym to come lowers the cost LEFT, so that from there on nothing is a bound
            step.bounded[0] = LEFT if _has_synonyms(pair) else N_COSTS
            width = max(BEAM, min(WIDEST, MOST_WORK // (len(pair.hyp) * n_ref)))
            one, two = new_layer(width, n_ref), new_layer(width, n_ref)
        if _search(pair, one, two, step):
            return True
    return False
