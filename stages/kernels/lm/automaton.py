"""Ask the language model's automaton (campanula.formats.model.automaton) for the next word."""

from __future__ import annotations

from campanula.formats.arrays.hashing import STATE, TARGET, VALUE
from campanula.stages.kernels.compiled import njit
from campanula.stages.kernels.memory import find_transition
from campanula.stages.kernels.records import LanguageModel
from campanula.stages.kernels.wide import wide

# Columns of LanguageModel.unigram, the transitions out of state 0, and of LanguageModel.state; the
# first of each is the 32 bits of a float32.  The context is a state's length in words.
UNIGRAM_VALUE, UNIGRAM_TARGET = range(2)
BACKOFF, LOWER, CONTEXT = range(3)


@njit(cache=True, nogil=True)
def lm_step(lm: LanguageModel, state: int, word: int) -> tuple[float, int]:
    """Read a word in a state: its log probability and the state after it."""
    table, table_value, unigram, unigram_value, states, state_value, bits, _, _ = lm
    total, after = 0.0, -1
    while after < 0:
        if state == 0:
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
