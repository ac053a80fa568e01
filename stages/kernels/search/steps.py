"""Steps of language models for many candidates at once.

A step reads a word in a state.  The search asks for two thirds of the steps of a sentence more than
once, so the last answers are remembered, by a hash of state and word.  The others are looked up
side by side, one n-gram length after the other, so that the memory which one needs is fetched while
others are worked on: all of them together wait about as long as one alone.
"""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.columns import (
    BACKOFF,
    CONTEXT,
    LOWER,
    STATE,
    TARGET,
    UNIGRAM_TARGET,
    UNIGRAM_VALUE,
    VALUE,
)
from campanula.stages.kernels.bits import natural
from campanula.stages.kernels.compiled import LEAN, njit, prefetch
from campanula.stages.kernels.lm.left_step import left_step
from campanula.stages.kernels.memory import find_transition, transition_home
from campanula.stages.kernels.records import WHOLE, AnyLanguageModel, LanguageModel
from campanula.stages.kernels.search.records import AFTER, ASKED, LOG, WORDS, Steps
from campanula.stages.kernels.wide import wide

MEMORY_BITS = 12  # 2^12 answers are remembered: 128 KB, and more gain little
ANY_CONTEXT = 1 << 30  # more words than a phrase has: a state that does not say how many it holds


@njit(cache=True, nogil=True)
def no_steps(n: int) -> Steps:
    """Return room for n steps, and an empty memory."""
    ints = np.empty((8, n), np.int64)
    memory = np.empty((1 << MEMORY_BITS, 4), np.int64)
    for slot in range(len(memory)):
        memory[slot, ASKED] = -1
    return Steps(
        ints[0],
        ints[1],
        ints[2],
        np.empty(n),
        ints[3],
        ints[4],
        ints[5],
        ints[6],
        ints[7],
        memory,
        memory.view(np.float64),
    )


@njit(**LEAN, inline="always")
def memory_slot(state: int, word: int) -> int:
    """Return the only slot that may hold a step's answer: a new answer replaces the old one."""
    return transition_home(state, word, MEMORY_BITS)  # type: ignore[no-any-return]


@njit(**LEAN)
def answer(lm: AnyLanguageModel, steps: Steps, n: int) -> None:
    """Fill in log, after and context of the first n steps."""
    if len(lm) == WHOLE:
        n_missed, n_same = recall(lm, steps, n)  # type: ignore[arg-type]  # by its length
        look_up(lm, steps, n_missed)  # type: ignore[arg-type]
        remember(lm, steps, n_missed)  # type: ignore[arg-type]
        copy_answers(steps, n_same)
    else:
        for x in range(n):
            steps.log[x], steps.after[x] = left_step(
                lm,  # type: ignore[arg-type]
                steps.state[x],
                steps.word[x],
            )
            steps.context[x] = ANY_CONTEXT


@njit(**LEAN)
def recall(lm: LanguageModel, steps: Steps, n: int) -> tuple[int, int]:
    """Answer the first n steps as far as the memory has their answers.

    Returns the number of steps.missed, which it has not, and of steps.same, which repeat one that
    is missed.
    """
    table, bits, state_value = lm.table, lm.bits, lm.state_value
    memory = steps.memory
    n_missed, n_same = 0, 0
    for x in range(n):
        state, word = natural(steps.state[x]), natural(steps.word[x])
        slot = natural(memory_slot(state, word))
        after = memory[slot, AFTER]
        if memory[slot, ASKED] != state << 32 | word:
            memory[slot, ASKED] = state << 32 | word
            memory[slot, AFTER] = -1 - x  # negative, which no state is: a repeat of x sees it
            home = transition_home(state, word, bits)
            prefetch(table, home)
            prefetch(table, home + 3)  # a probe may go on into the next line of memory
            prefetch(state_value, state)
            steps.missed[n_missed] = x
            n_missed += 1
        else:
            steps.after[x] = after
            steps.context[x] = memory[slot, WORDS]
            steps.log[x] = steps.memory_log[slot, LOG]
            steps.same[n_same] = x
            n_same += after < 0  # without a branch: written always, counted if it is one
    return n_missed, n_same


@njit(**LEAN)
def look_up(lm: LanguageModel, steps: Steps, n_missed: int) -> None:
    """Find log and after of the steps that are missed, as lm.automaton.lm_step does.

    In each pass every step that waits tries its state, and if that fails backs off to a shorter
    one.  Until it is answered steps.context holds the state to try.
    """
    table, table_value, bits = lm.table, lm.table_value, lm.bits
    n_models = lm.begin.shape[0]
    for y in range(n_missed):
        x = steps.missed[y]
        steps.waiting[y] = x
        steps.log[x] = 0.0
        steps.context[x] = steps.state[x]
    n_waiting = n_missed
    while n_waiting > 0:
        left = 0
        for y in range(n_waiting):
            x = natural(steps.waiting[y])
            state, word = natural(steps.context[x]), natural(steps.word[x])
            if state < n_models:  # no context: every word has a unigram, found by its number
                steps.log[x] += float(lm.unigram_value[word, UNIGRAM_VALUE])
                steps.after[x] = lm.unigram[word, UNIGRAM_TARGET]
            else:
                slot = find_transition(table, bits, state, word)
                if table[slot, STATE] >= 0:
                    steps.log[x] += float(table_value[slot, VALUE])
                    steps.after[x] = table[slot, TARGET]
                else:
                    steps.log[x] += float(lm.state_value[state, BACKOFF])
                    state = wide(lm.state[state, LOWER])
                    home = transition_home(state, word, bits)
                    prefetch(table, home)
                    prefetch(table, home + 3)
                    prefetch(lm.state, state)
                    steps.context[x] = state
                    steps.waiting[left] = x
                    left += 1
        n_waiting = left
    for y in range(n_missed):
        prefetch(lm.state, steps.after[steps.missed[y]])


@njit(**LEAN)
def remember(lm: LanguageModel, steps: Steps, n_missed: int) -> None:
    """Fill in the contexts of the steps that were missed, and put their answers into the memory."""
    for y in range(n_missed):
        x = natural(steps.missed[y])
        after = natural(steps.after[x])
        context = wide(lm.state[after, CONTEXT])
        slot = natural(memory_slot(steps.state[x], steps.word[x]))
        steps.context[x] = context
        steps.memory[slot, AFTER] = after  # for the step that `recall` has written to ASKED
        steps.memory[slot, WORDS] = context
        steps.memory_log[slot, LOG] = steps.log[x]


@njit(**LEAN)
def copy_answers(steps: Steps, n_same: int) -> None:
    """Answer the steps that repeat an earlier one of the batch, whose number `after` encodes."""
    for y in range(n_same):
        x = steps.same[y]
        earlier = -1 - steps.after[x]
        steps.log[x] = steps.log[earlier]
        steps.after[x] = steps.after[earlier]
        steps.context[x] = steps.context[earlier]
