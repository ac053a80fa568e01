"""The sparse features that fire in derivations, a row each: their parts, and their keys.

A feature fires at a step, which is a block at its place in a derivation.  All features that are
local to a block come first, step by step, then those of orientations, jumps, neighbouring phrases,
and of the words on both sides of a seam.  So new features are numbered in an order that depends on
the derivations alone.
"""

from __future__ import annotations

from campanula.formats.arrays.types import Flags, Ids, Ints
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.hierarchical import BACK, FORTH, exact_turns, search_turns
from campanula.stages.kernels.orientation import orientation
from campanula.stages.kernels.sparse.local import fire_block, n_local
from campanula.stages.kernels.sparse.steps import (
    DerivationSteps,
    FiredRows,
    is_first,
    no_fired,
    place_before,
    put,
    source_phrase,
    target_phrase,
    words_of,
)
from campanula.stages.kernels.sparse.weights import (
    BACKWARD,
    BOUNDARY,
    FORWARD,
    H_BACKWARD,
    H_FORWARD,
    HEADLESS,
    JUMP,
    ORIENTATION,
    SOURCE_PHRASES,
    TARGET_PHRASES,
    TEXT_BIGRAM,
    TEXT_TRIGRAM,
    key_of,
    number_key,
    phrases_key,
)
from campanula.stages.kernels.wide import wide

NO_WORD = -1
# Features of a step beyond local ones: 3 turns, 2 hierarchical, 1 jump, 2 phrases, 4 words.
BEYOND = 3 + 2 + 1 + 2 + 4


@njit(cache=True, nogil=True)
def fired_features(steps: DerivationSteps, on: Flags, exact: bool) -> tuple[Ints, Ids]:
    """Return key (n,) and row (n, 5), as in FiredRows, of the features of the kinds on (n_kinds,).

    exact: hierarchical orientations are those of the definition, not the search's.
    """
    fired = no_fired(n_features(steps, on))
    n_steps = len(steps.hyp)
    for step in range(n_steps):
        fire_block(fired, step, steps, on)
    # a loop for each kind: the order of features is kind by kind, not step by step
    for step in range(n_steps):
        fire_turn(fired, step, steps, on)
    for step in range(n_steps):
        fire_turn_after(fired, step, steps, on)
    if on[H_BACKWARD] or on[H_FORWARD]:
        fire_hierarchical(fired, steps, on, exact)
    for step in range(n_steps):
        if on[JUMP]:
            jump = steps.start[step] - place_before(step, steps)[1]
            put(fired, number_key(JUMP, jump), JUMP, step, jump, 0, 0)
    for step in range(n_steps):
        fire_phrases(fired, step, steps, on)
    fire_words(fired, steps, on)
    return fired.key[: fired.size[0]], fired.row[: fired.size[0]]


@njit(**LEAN)
def n_features(steps: DerivationSteps, on: Flags) -> int:
    """Return the number of features that fire, at most."""
    total = 0
    for step in range(len(steps.hyp)):
        total += BEYOND + n_local(step, steps, on)
    return int(total)


@njit(**LEAN)
def fire_turn(fired: FiredRows, step: int, steps: DerivationSteps, on: Flags) -> None:
    """Add the features of a block's orientation relative to the block before."""
    start, end = place_before(step, steps)
    turn = orientation(steps.start[step], steps.end[step], start, end)
    if on[ORIENTATION]:
        put(fired, number_key(ORIENTATION, turn), ORIENTATION, step, turn, 0, 0)
    if on[BACKWARD]:
        key = phrases_key(BACKWARD, turn, source_phrase(step, steps), target_phrase(step, steps))
        put(fired, key, BACKWARD, step, turn, 0, 0)


@njit(**LEAN)
def fire_turn_after(fired: FiredRows, step: int, steps: DerivationSteps, on: Flags) -> None:
    """Add the forward orientation of the block before, if there is one."""
    # it fires at this step, where it is known: the next block decides it
    if on[FORWARD] and not is_first(step, steps):
        start, end = place_before(step, steps)
        turn = orientation(steps.start[step], steps.end[step], start, end)
        source, target = source_phrase(step - 1, steps), target_phrase(step - 1, steps)
        put(fired, phrases_key(FORWARD, turn, source, target), FORWARD, step, turn, 0, 0)


@njit(cache=True, nogil=True)
def fire_hierarchical(fired: FiredRows, steps: DerivationSteps, on: Flags, exact: bool) -> None:
    """Add the backward hierarchical orientations of all blocks, then the forward ones."""
    if exact:
        turns = exact_turns(steps.hyp, steps.start, steps.end)
    else:
        turns = search_turns(steps.hyp, steps.start, steps.end)
    for side, kind in ((BACK, H_BACKWARD), (FORTH, H_FORWARD)):
        for step in range(len(steps.hyp)):
            # FORTH (1) is the orientation of the block before; -1 where there is no such block
            turn, block = turns[step, side], step - side
            if on[kind] and turn >= 0:
                source, target = source_phrase(block, steps), target_phrase(block, steps)
                put(fired, phrases_key(kind, turn, source, target), kind, step, turn, 0, 0)


@njit(**LEAN)
def fire_phrases(fired: FiredRows, step: int, steps: DerivationSteps, on: Flags) -> None:
    """Add a block's phrases with those of the block before, if there is one."""
    if is_first(step, steps):
        return
    if on[TARGET_PHRASES]:
        a, b = target_phrase(step - 1, steps), target_phrase(step, steps)
        put(fired, phrases_key(TARGET_PHRASES, HEADLESS, a, b), TARGET_PHRASES, step, 0, 0, 0)
    if on[SOURCE_PHRASES]:
        a, b = source_phrase(step - 1, steps), source_phrase(step, steps)
        put(fired, phrases_key(SOURCE_PHRASES, HEADLESS, a, b), SOURCE_PHRASES, step, 0, 0, 0)


@njit(**LEAN)
def fire_words(fired: FiredRows, steps: DerivationSteps, on: Flags) -> None:
    """Add the features of the words on both sides of the seams of all derivations."""
    # `last` and `before` may be words of several steps back: a step may have no words
    last, before = wide(NO_WORD), wide(NO_WORD)
    for step in range(len(steps.hyp)):
        if is_first(step, steps):
            last, before = wide(NO_WORD), wide(NO_WORD)
        begin, end = words_of(step, steps)
        if last != NO_WORD and end > begin:
            fire_seam(fired, step, last, before, steps, on)
        for place in range(begin, end):
            before, last = last, wide(steps.word[place])


@njit(**LEAN)
def fire_seam(
    fired: FiredRows, step: int, last: int, before: int, steps: DerivationSteps, on: Flags
) -> None:
    """Add the features of the words around the seam before a step that has words."""
    begin, end = words_of(step, steps)
    mark = steps.mark
    first = wide(steps.word[begin])
    if on[BOUNDARY]:
        key = key_of(BOUNDARY, mark[last], mark[first], -1)
        put(fired, key, BOUNDARY, step, last, first, 0)
    if on[TEXT_BIGRAM]:
        key = key_of(TEXT_BIGRAM, mark[last], mark[first], -1)
        put(fired, key, TEXT_BIGRAM, step, last, first, 0)
    if on[TEXT_TRIGRAM] and before != NO_WORD:
        key = key_of(TEXT_TRIGRAM, mark[before], mark[last], mark[first])
        put(fired, key, TEXT_TRIGRAM, step, before, last, first)
    if on[TEXT_TRIGRAM] and end - begin > 1:
        second = wide(steps.word[begin + 1])
        key = key_of(TEXT_TRIGRAM, mark[last], mark[first], mark[second])
        put(fired, key, TEXT_TRIGRAM, step, last, first, second)
