"""What a candidate scores once it is handed out: the language model is asked only now."""

from __future__ import annotations

from campanula.formats.arrays.columns import CONTEXT
from campanula.formats.arrays.types import Floats
from campanula.stages.kernels.compiled import njit
from campanula.stages.kernels.lm.automaton import lm_step
from campanula.stages.kernels.records import (
    BACKWARD,
    FIRST_LOG,
    FORWARD,
    KIND,
    LENGTH,
    LM_LOG,
    LM_STATE,
    PLACE,
    PLAIN,
    LanguageModel,
    Options,
    Sentence,
)
from campanula.stages.kernels.search.records import CUBE_ORIENTATION, JUMP, Cell, Cubes, Hypotheses
from campanula.stages.kernels.wide import wide


@njit(cache=True, nogil=True)
def words_log(lm: LanguageModel, options: Options, state: int, option: int) -> tuple[float, int]:
    """Log probability of an option's words after a state, and the state after them.

    Once the state holds words of the phrase alone, what follows is known beforehand.
    """
    info, lm_word, rest_of, states = options.info, options.lm_word, options.rest, lm.state
    place, length = info[option, PLACE], wide(info[option, LENGTH])
    total = 0.0
    k = 0
    while k < length:
        step, state = lm_step(lm, state, wide(lm_word[place + k]))
        total += step
        k += 1
        if states[state, CONTEXT] <= k:
            total += rest_of[place + k]
            state = wide(info[option, LM_STATE])
            k = length
    return total, state


@njit(cache=True, nogil=True)
def first_log(lm: LanguageModel, options: Options, state: int, option: int) -> float:
    """Log probability of an option's first word after a state; 0 if it has none."""
    total = 0.0
    info = options.info
    if info[option, LENGTH] > 0:
        total, _ = lm_step(lm, state, wide(options.lm_word[info[option, PLACE]]))
    return float(total)


@njit(cache=True, nogil=True, inline="always")
def candidate_score(
    cell: Cell, last: bool, cubes: Cubes, hypotheses: Hypotheses, sentence: Sentence, own: Floats
) -> tuple[float, int, int]:
    """Score without sparse features, language model state and class of a candidate.

    After the `last` word the sentence ends, too.  Writes to own[LM_LOG:] what the arc keeps: its
    log probability, and its first word's if asked for.
    """
    nodes, options, lm = hypotheses.nodes, sentence.options, sentence.lm
    settings = sentence.settings
    node = cell.node
    option = cell.option
    orientation = cubes.info[cell.grid, CUBE_ORIENTATION]
    none = wide(0)
    before = wide(nodes.state[node])
    p, state = words_log(lm, options, before, option)
    kind = wide(options.info[option, KIND])
    end_log = 0.0
    if last:
        end_log, state = lm_step(lm, state, lm.end)
        p += end_log
        state, kind = none, none
    own[LM_LOG] = p
    score = nodes.score[node] + cubes.value[cell.grid, JUMP] + options.score[option, PLAIN]
    score += settings.lm_weight * p + options.score[option, BACKWARD + orientation]
    if settings.split != 0:
        # the end is no block's, so it counts as a first word
        own[FIRST_LOG] = end_log + first_log(lm, options, before, option)
        score += settings.first_weight * own[FIRST_LOG]
    if node > 0:
        score += options.score[nodes.option[node], FORWARD + orientation]
    return float(score), state, kind
