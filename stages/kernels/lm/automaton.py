"""Ask the language model's automaton (campanula.formats.model.automaton) for the next word."""

from __future__ import annotations

from campanula.stages.kernels.compiled import njit
from campanula.stages.kernels.records import LanguageModel
from campanula.stages.kernels.wide import wide

LOW31 = 0x7FFFFFFF


@njit(cache=True, nogil=True)
def lm_step(lm: LanguageModel, state: int, word: int) -> tuple[float, int]:
    """Read a word in a state: its log probability and the state after it."""
    table, table_value, unigram, unigram_value, states, state_value, bits, _, _ = lm
    total, after = 0.0, -1
    while after < 0:
        if state == 0:
            total += float(unigram_value[word, 0])
            after = wide(unigram[word, 1])
        else:
            mixed = state * 0x5851F42D + word * 0x2545F491
            mixed ^= mixed >> 29
            slot = (((mixed & LOW31) * 0x6C8E9CF5) & LOW31) >> (31 - bits)
            while table[slot, 0] >= 0 and (table[slot, 0] != state or table[slot, 1] != word):
                slot += 1
            if table[slot, 0] >= 0:
                total += float(table_value[slot, 3])
                after = wide(table[slot, 2])
            else:
                total += float(state_value[state, 0])
                state = wide(states[state, 1])
    return total, after
