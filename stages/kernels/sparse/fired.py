"""The sparse features that fire in derivations, a row each: what they are made of, and their keys.

A feature fires at a step, a block at its place in a derivation.  First come all features that are
local to a block, step by step, then those of orientations, jumps, neighbouring phrases and of the
words on both sides of a seam.  So features are first met in an order that is the derivations' own.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from campanula.formats.arrays.types import Flags, Ids, Ints
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.hierarchical import BACK, FORTH, exact_turns, search_turns
from campanula.stages.kernels.orientation import orientation
from campanula.stages.kernels.records import LENGTH
from campanula.stages.kernels.sparse.steps import (
    Steps,
    is_first,
    place_before,
    source_phrase,
    target_phrase,
    words_of,
)
from campanula.stages.kernels.sparse.weights import (
    BACKWARD,
    BLOCK,
    BOUNDARY,
    FORWARD,
    H_BACKWARD,
    H_FORWARD,
    JUMP,
    ORIENTATION,
    PAIR,
    PHRASE_LENGTH,
    SOURCE_LENGTH,
    SOURCE_PHRASES,
    SOURCE_TRIPLET,
    TARGET_LENGTH,
    TARGET_PHRASES,
    TARGET_TRIPLET,
    TEXT_BIGRAM,
    TEXT_TRIGRAM,
    UNIGRAM,
    key_of,
    number_key,
    phrases_key,
)
from campanula.stages.kernels.wide import wide

FIRED_KIND, STEP, A, B, C = range(5)  # columns of Fired.row
NO_WORD = -1
BEYOND = 12  # features of a step that are not local, at most


class Fired(NamedTuple):
    """Features that fire, the first size[0] of key (n,) and row (n, 5).

    A row has the kind, the step, and what else tells the feature: its number (of an orientation, a
    jump, a length), or its words, source words by their place in the block, target words by number.
    """

    key: Ints
    row: Ids
    size: Ints


@njit(cache=True, nogil=True)
def fired_features(steps: Steps, on: Flags, exact: bool) -> tuple[Ints, Ids]:
    """Features of the kinds that are on (n_kinds,): key (n,) and row (n, 5) as in Fired.

    exact: whether hierarchical orientations are those of the definition, and not of the search.
    """
    most = n_features(steps, on)
    fired = Fired(np.empty(most, np.int64), np.empty((most, 5), np.int32), np.zeros(1, np.int64))
    n_steps = len(steps.hyp)
    for step in range(n_steps):
        fire_block(fired, step, steps, on)
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
def n_features(steps: Steps, on: Flags) -> int:
    """Features that fire, at most."""
    total = 0
    for step in range(len(steps.hyp)):
        s = steps.end[step] - steps.start[step]
        t = wide(steps.info[steps.option[step], LENGTH])
        total += BEYOND + 4 + 5 * t
        if on[PAIR]:
            total += s * t
        if on[SOURCE_TRIPLET]:
            total += s * (s - 1) // 2 * t
        if on[TARGET_TRIPLET]:
            total += t * (t - 1) // 2 * s
    return int(total)


@njit(**LEAN)
def put(fired: Fired, key: int, kind: int, step: int, a: int, b: int, c: int) -> None:
    """Add a feature."""
    n = fired.size[0]
    fired.key[n] = key
    fired.row[n, FIRED_KIND] = kind
    fired.row[n, STEP] = step
    fired.row[n, A] = a
    fired.row[n, B] = b
    fired.row[n, C] = c
    fired.size[0] = n + 1


@njit(**LEAN)
def fire_block(fired: Fired, step: int, steps: Steps, on: Flags) -> None:
    """Add what is local to a block."""
    s = steps.end[step] - steps.start[step]
    begin, end = words_of(step, steps)
    if on[BLOCK]:
        key = phrases_key(BLOCK, -2, source_phrase(step, steps), target_phrase(step, steps))
        put(fired, key, BLOCK, step, 0, 0, 0)
    if on[PAIR]:
        for a in range(s):
            source = steps.source[steps.start[step] + a]
            for place in range(begin, end):
                word = steps.word[place]
                key = key_of(PAIR, source, steps.mark[word], -1)
                put(fired, key, PAIR, step, a, word, 0)
    if on[SOURCE_LENGTH]:
        put(fired, number_key(SOURCE_LENGTH, s), SOURCE_LENGTH, step, s, 0, 0)
    if on[TARGET_LENGTH]:
        t = end - begin
        put(fired, number_key(TARGET_LENGTH, t), TARGET_LENGTH, step, t, 0, 0)
    if on[PHRASE_LENGTH]:
        key = phrases_key(PHRASE_LENGTH, s, -1, target_phrase(step, steps))
        put(fired, key, PHRASE_LENGTH, step, s, 0, 0)
    if on[SOURCE_TRIPLET] or on[TARGET_TRIPLET]:
        fire_triplets(fired, step, steps, on)
    fire_inner(fired, step, steps, on)


@njit(**LEAN)
def fire_triplets(fired: Fired, step: int, steps: Steps, on: Flags) -> None:
    """Add the triplets of a block: of two source words, then of two target words."""
    first = steps.start[step]
    s = steps.end[step] - first
    begin, end = words_of(step, steps)
    word, mark = steps.word, steps.mark
    if on[SOURCE_TRIPLET]:
        for a in range(s):
            for b in range(a + 1, s):
                x, y = steps.source[first + a], steps.source[first + b]
                for place in range(begin, end):
                    key = key_of(SOURCE_TRIPLET, x, y, mark[word[place]])
                    put(fired, key, SOURCE_TRIPLET, step, a, b, word[place])
    if on[TARGET_TRIPLET]:
        for a in range(s):
            x = steps.source[first + a]
            for place in range(begin, end):
                for later in range(place + 1, end):
                    key = key_of(TARGET_TRIPLET, x, mark[word[place]], mark[word[later]])
                    put(fired, key, TARGET_TRIPLET, step, a, word[place], word[later])


@njit(**LEAN)
def fire_inner(fired: Fired, step: int, steps: Steps, on: Flags) -> None:
    """Add the n-grams inside a block's target: for each n those of blocks, then of the text."""
    begin, end = words_of(step, steps)
    for n in range(1, 4):
        for kind in (UNIGRAM + n - 1, TEXT_BIGRAM + n - 2):
            if (n > 1 or kind == UNIGRAM) and on[kind]:
                for place in range(begin, end - n + 1):
                    fire_ngram(fired, kind, step, place, n, steps)


@njit(**LEAN)
def fire_ngram(fired: Fired, kind: int, step: int, place: int, n: int, steps: Steps) -> None:
    """Add the n words from a place on."""
    word, mark = steps.word, steps.mark
    a, b, c = wide(word[place]), wide(0), wide(0)
    second, third = wide(-1), wide(-1)
    if n > 1:
        b = wide(word[place + 1])
        second = mark[b]
    if n > 2:
        c = wide(word[place + 2])
        third = mark[c]
    put(fired, key_of(kind, mark[a], second, third), kind, step, a, b, c)


@njit(**LEAN)
def fire_turn(fired: Fired, step: int, steps: Steps, on: Flags) -> None:
    """Add a block's orientation to the one before."""
    start, end = place_before(step, steps)
    turn = orientation(steps.start[step], steps.end[step], start, end)
    if on[ORIENTATION]:
        put(fired, number_key(ORIENTATION, turn), ORIENTATION, step, turn, 0, 0)
    if on[BACKWARD]:
        key = phrases_key(BACKWARD, turn, source_phrase(step, steps), target_phrase(step, steps))
        put(fired, key, BACKWARD, step, turn, 0, 0)


@njit(**LEAN)
def fire_turn_after(fired: Fired, step: int, steps: Steps, on: Flags) -> None:
    """Add the orientation of what follows the block before, if there is one."""
    if on[FORWARD] and not is_first(step, steps):
        start, end = place_before(step, steps)
        turn = orientation(steps.start[step], steps.end[step], start, end)
        source, target = source_phrase(step - 1, steps), target_phrase(step - 1, steps)
        put(fired, phrases_key(FORWARD, turn, source, target), FORWARD, step, turn, 0, 0)


@njit(cache=True, nogil=True)
def fire_hierarchical(fired: Fired, steps: Steps, on: Flags, exact: bool) -> None:
    """Add the hierarchical orientations of all blocks, then those of what follows them."""
    if exact:
        turns = exact_turns(steps.hyp, steps.start, steps.end)
    else:
        turns = search_turns(steps.hyp, steps.start, steps.end)
    for side, kind in ((BACK, H_BACKWARD), (FORTH, H_FORWARD)):
        for step in range(len(steps.hyp)):
            turn, block = turns[step, side], step - side
            if on[kind] and turn >= 0:
                source, target = source_phrase(block, steps), target_phrase(block, steps)
                put(fired, phrases_key(kind, turn, source, target), kind, step, turn, 0, 0)


@njit(**LEAN)
def fire_phrases(fired: Fired, step: int, steps: Steps, on: Flags) -> None:
    """Add a block's phrases with those of the block before, if there is one."""
    if is_first(step, steps):
        return
    if on[TARGET_PHRASES]:
        a, b = target_phrase(step - 1, steps), target_phrase(step, steps)
        put(fired, phrases_key(TARGET_PHRASES, -2, a, b), TARGET_PHRASES, step, 0, 0, 0)
    if on[SOURCE_PHRASES]:
        a, b = source_phrase(step - 1, steps), source_phrase(step, steps)
        put(fired, phrases_key(SOURCE_PHRASES, -2, a, b), SOURCE_PHRASES, step, 0, 0, 0)


@njit(**LEAN)
def fire_words(fired: Fired, steps: Steps, on: Flags) -> None:
    """Add the features of the words on both sides of the seams of all derivations."""
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
def fire_seam(fired: Fired, step: int, last: int, before: int, steps: Steps, on: Flags) -> None:
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
