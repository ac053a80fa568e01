"""The sparse features that are local to a block: the block's words alone decide them.

Both uses fire them here: derivations (fired.py), and the scores of blocks that the search adds to
its options (blocks.py).
"""

from __future__ import annotations

from campanula.formats.arrays.types import Flags
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.records import LENGTH
from campanula.stages.kernels.sparse.steps import (
    DerivationSteps,
    FiredRows,
    put,
    source_phrase,
    target_phrase,
    words_of,
)
from campanula.stages.kernels.sparse.weights import (
    BLOCK,
    FERTILITY,
    HEADLESS,
    PAIR,
    PHRASE_LENGTH,
    SOURCE_LENGTH,
    SOURCE_TRIPLET,
    TARGET_LENGTH,
    TARGET_TRIPLET,
    TEXT_BIGRAM,
    UNIGRAM,
    key_of,
    number_key,
    phrases_key,
)
from campanula.stages.kernels.wide import wide

ONCE = 5  # features that a block has once: the block, and four of its lengths
NGRAMS = 5  # kinds of n-grams, each of which begins at most once at each target word


@njit(**LEAN)
def n_local(step: int, steps: DerivationSteps, on: Flags) -> int:
    """Return the number of local features of a step, at most."""
    # pairs and triplets only if they are on: of long blocks they would need much memory
    s = steps.end[step] - steps.start[step]
    t = wide(steps.info[steps.option[step], LENGTH])
    total = ONCE + NGRAMS * t
    if on[PAIR]:
        total += s * t
    if on[SOURCE_TRIPLET]:
        total += s * (s - 1) // 2 * t
    if on[TARGET_TRIPLET]:
        total += t * (t - 1) // 2 * s
    return int(total)


@njit(**LEAN)
def fire_block(fired: FiredRows, step: int, steps: DerivationSteps, on: Flags) -> None:
    """Add the local features of a step's block."""
    s = steps.end[step] - steps.start[step]
    begin, end = words_of(step, steps)
    if on[BLOCK]:
        key = phrases_key(BLOCK, HEADLESS, source_phrase(step, steps), target_phrase(step, steps))
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
    if on[FERTILITY]:
        t = end - begin
        key = phrases_key(FERTILITY, t, source_phrase(step, steps), -1)
        put(fired, key, FERTILITY, step, t, 0, 0)
    if on[SOURCE_TRIPLET] or on[TARGET_TRIPLET]:
        fire_triplets(fired, step, steps, on)
    fire_inner(fired, step, steps, on)


@njit(**LEAN)
def fire_triplets(fired: FiredRows, step: int, steps: DerivationSteps, on: Flags) -> None:
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
def fire_inner(fired: FiredRows, step: int, steps: DerivationSteps, on: Flags) -> None:
    """Add the n-grams inside a block's target: for each n those of blocks, then of the text."""
    begin, end = words_of(step, steps)
    for n in range(1, 4):
        # templates are numbered by length; a unigram is the same feature in both, and fires once
        for kind in (UNIGRAM + n - 1, TEXT_BIGRAM + n - 2):
            if (n > 1 or kind == UNIGRAM) and on[kind]:
                for place in range(begin, end - n + 1):
                    fire_ngram(fired, kind, step, place, n, steps)


@njit(**LEAN)
def fire_ngram(
    fired: FiredRows, kind: int, step: int, place: int, n: int, steps: DerivationSteps
) -> None:
    """Add the n-gram of kind `kind` that begins at a place of steps.word."""
    # -1: key_of leaves out fingerprints of words that a shorter n-gram does not have
    word, mark = steps.word, steps.mark
    a = wide(word[place])
    b = wide(0)
    c = wide(0)
    second, third = wide(-1), wide(-1)
    if n > 1:
        b = wide(word[place + 1])
        second = mark[b]
    if n > 2:
        c = wide(word[place + 2])
        third = mark[c]
    put(fired, key_of(kind, mark[a], second, third), kind, step, a, b, c)
