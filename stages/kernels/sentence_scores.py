"""Log probabilities of whole sentences under a language model, compiled.

log p(w_1 .. w_n) = sum_i log p(w_i | <s> w_1 .. w_{i-1}),    w_{n+1} = </s> included
"""

from __future__ import annotations

import numpy as np
from numba import njit

from stages.kernels.lists import Floats, Ids, Ints
from stages.kernels.search import LanguageModel
from stages.kernels.search_options import lm_step


@njit(cache=True, nogil=True)
def sentence_scores(lm: LanguageModel, word: Ids, pointer: Ints) -> Floats:
    """Natural log probabilities (n,) of n sentences; sentence j is word[pointer[j]:pointer[j + 1]].

    `word` (n_words,) are numbers of the model's words.
    """
    score = np.zeros(len(pointer) - 1)
    for j in range(len(score)):
        state = lm.begin
        for place in range(pointer[j], pointer[j + 1]):
            step, state = lm_step(lm, state, int(word[place]))
            score[j] += step
        step, state = lm_step(lm, state, lm.end)
        score[j] += step
    return score
