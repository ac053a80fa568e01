"""Log probabilities of language models for the steps of derivations, added up word by word."""

from __future__ import annotations

import numpy as np

from campanula.formats.arrays.types import Floats, Ids, Ints
from campanula.stages.kernels.compiled import njit
from campanula.stages.kernels.lm.automaton import lm_step
from campanula.stages.kernels.records import LENGTH, PLACE, AnyLanguageModel
from campanula.stages.kernels.wide import wide


@njit(cache=True, nogil=True)
def lm_logs(offset: Ints, option: Ints, info: Ids, lm_word: Ids, lm: AnyLanguageModel) -> Floats:
    """Return log probabilities (n_steps, n_lms + 1) of the words of derivations' steps.

    A column a model, and last that of the steps' first words in LM0.  offset (n_hyps + 1,) into
    option (n_steps,).  The end of a sentence counts with its last step, as a first word.
    """
    n_lms = lm.begin.shape[0]
    value = np.zeros((len(option), n_lms + 1))
    for h in range(len(offset) - 1):
        for m in range(n_lms):
            # the state goes on from step to step: a phrase is seen after the whole prefix
            state = wide(lm.begin[m])
            for s in range(offset[h], offset[h + 1]):
                o = option[s]
                for k in range(info[o, LENGTH]):
                    p, state = lm_step(lm, state, wide(lm_word[info[o, PLACE] + k, m]))
                    value[s, m] += p
                    if k == 0 and m == 0:
                        value[s, n_lms] = p
            # </s> has no step of its own, so the last one has its log probability
            p, state = lm_step(lm, state, lm.end[m])
            value[offset[h + 1] - 1, m] += p
            if m == 0:
                value[offset[h + 1] - 1, n_lms] += p
    return value
