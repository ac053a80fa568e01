"""What a language model says of the steps of derivations, word by word."""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Floats, Ids, Ints
from campanula.stages.kernels.compiled import njit
from campanula.stages.kernels.lm.automaton import lm_step
from campanula.stages.kernels.records import LENGTH, PLACE, LanguageModel
from campanula.stages.kernels.wide import wide


@njit(cache=True, nogil=True)
def lm_logs(offset: Ints, option: Ints, info: Ids, lm_word: Ids, lm: LanguageModel) -> Floats:
    """Log probabilities (n_steps, 2) of the words of each derivation's steps, and of their first.

    offset (n_hyps + 1,) into option (n_steps,).  The end of a sentence counts with its last step,
    as a first word.
    """
    value = np.zeros((len(option), 2))
    for h in range(len(offset) - 1):
        state = lm.begin
        for s in range(offset[h], offset[h + 1]):
            o = option[s]
            for k in range(info[o, LENGTH]):
                p, state = lm_step(lm, state, wide(lm_word[info[o, PLACE] + k]))
                value[s, 0] += p
                if k == 0:
                    value[s, 1] = p
        p, state = lm_step(lm, state, lm.end)
        value[offset[h + 1] - 1] += p
    return value
