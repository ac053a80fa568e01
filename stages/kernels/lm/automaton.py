"""One step of a language model's automaton (campanula.formats.model.automaton): read a word."""

from __future__ import annotations

from campanula.formats.arrays.columns import (
    BACKOFF,
    LOWER,
    STATE,
    TARGET,
    UNIGRAM_TARGET,
    UNIGRAM_VALUE,
    VALUE,
)
from campanula.stages.kernels.compiled import njit
from campanula.stages.kernels.lm.left_step import left_step
from campanula.stages.kernels.memory import find_transition
from campanula.stages.kernels.records import WHOLE, AnyLanguageModel
from campanula.stages.kernels.wide import wide


@njit(cache=True, nogil=True)
def lm_step(lm: AnyLanguageModel, state: int, word: int) -> tuple[float, int]:
    """Read a word in a state: return its log probability and the state after it.

    Each state belongs to one of the automaton's models; the word is a number of that model.
    """
    # the compiler decides this by the type: each kind of model has its own compiled form
    if len(lm) != WHOLE:
        return left_step(lm, state, word)  # type: ignore[arg-type]  # by its length
    table, table_value, bits = lm.table, lm.table_value, lm.bits
    unigram, unigram_value = lm.unigram, lm.unigram_value
    states, state_value, begin = lm.state, lm.state_value, lm.begin
    total = 0.0
    after = -1
    while after < 0:
        # states below n_models are without context, where unigrams end every back-off
        if state < begin.shape[0]:
            total += float(unigram_value[word, UNIGRAM_VALUE])
            after = wide(unigram[word, UNIGRAM_TARGET])
        else:
            slot = find_transition(table, bits, state, word)
            if table[slot, STATE] >= 0:
                total += float(table_value[slot, VALUE])
                after = wide(table[slot, TARGET])
            else:
                total += float(state_value[state, BACKOFF])
                state = wide(states[state, LOWER])
    return total, after
