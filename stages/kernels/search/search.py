"""Beam search over blocks: the pruned search graph of one sentence.

A hypothesis covers some source words.  Hypotheses that share a state are one node of the graph,

    state = (coverage, end of the last phrase, its start if a swap can follow,
             language model state, forward reordering scores of the last phrase,
             what sparse features of neighbours still need: sparse/seams.py)

and each way into it is an arc (node before, option, span).  Stack t holds the nodes with t covered
words.  It is filled by cube pruning (Huang and Chiang 2007): nodes of earlier stacks that differ
only in language model state and reordering scores are a group; a group and a span make a grid of
candidates; and from one heap over all grids candidates are drawn, best estimate first:

    estimate = score(node) + score(option) + cost of the jump + rest(coverage)

`rest` is the best estimate of the cost of the uncovered words, with the jumps that they force
(Moore and Quirk 2007).  The language model is asked only about candidates that are drawn.

Coverage is (gap, mask): every word before `gap` is covered, bit k of mask says whether gap + k is.
"""

from __future__ import annotations

from campanula.stages.kernels.compiled import njit
from campanula.stages.kernels.records import Graph, Sentence
from campanula.stages.kernels.search.cubes import make_cubes, n_candidates
from campanula.stages.kernels.search.hypotheses import (
    empty_hypothesis,
    finished,
    with_arc_room,
    with_node_room,
)
from campanula.stages.kernels.search.pruning import lay_out
from campanula.stages.kernels.search.records import GROUPS
from campanula.stages.kernels.search.room import room_to_work, with_more_cubes, with_room_for
from campanula.stages.kernels.search.stacks import fill_stack


@njit(cache=True, nogil=True)
def search(sentence: Sentence) -> Graph:
    """Return the search graph of a sentence of at least one word, each with an option of its own.

    Such options make sure that the last stack is never empty.
    """
    settings = sentence.settings
    seamed = sentence.seams.active != 0
    hypotheses = empty_hypothesis(sentence)
    work = room_to_work(sentence)
    for t in range(1, sentence.n_words + 1):
        n_cubes = make_cubes(t, sentence, hypotheses, work.cubes)
        while n_cubes < 0:  # no room: kernels that fill arrays cannot replace them
            work = with_more_cubes(work)
            n_cubes = make_cubes(t, sentence, hypotheses, work.cubes)
        most = min(n_candidates(n_cubes, work.cubes), settings.pop_limit)
        if most > 0:  # 0: all nodes before must fill a gap that leads past this stack
            hypotheses = with_arc_room(hypotheses, most, seamed)
            work = with_room_for(most, n_cubes, sentence, work)
            fill_stack(t == sentence.n_words, most, n_cubes, sentence, hypotheses, work)
            # only now: how many nodes the stack's candidates make is not known before
            hypotheses = with_node_room(hypotheses, work.stack)
            lay_out(work.stack, sentence, hypotheses)
        hypotheses.stack_group[t + 1] = hypotheses.size[GROUPS]
    return finished(hypotheses)
