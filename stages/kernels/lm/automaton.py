"""Ask the language model's automaton (campanula.formats.model.automaton) for the next word."""

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
    """Read a word in a state: its log probability and the state after it.

    The state says which of several models reads it; the word is one of that model.
    """
    if len(lm) != WHOLE:
        return left_step(lm, state, word)  # type: ignore[arg-type]  # by its length
    table, table_value, bits = lm.table, lm.table_value, lm.bits
    unigram, unigram_value = lm.unigram, lm.unigram_value
    states, state_value, begin = lm.state, lm.state_value, lm.begin
    total = 0.0
    after = -1
    while after < 0:
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
