"""What a candidate scores once it is handed out: the language models are asked only now."""

from __future__ import annotations

from campanula.formats.arrays.columns import CONTEXT
from campanula.formats.arrays.types import Floats
from campanula.stages.kernels.compiled import LEAN, njit
from campanula.stages.kernels.lm.automaton import lm_step
from campanula.stages.kernels.records import (
    BACKWARD,
    FORWARD,
    H_BACKWARD,
    H_FORWARD,
    KIND,
    LENGTH,
    LM_LOG,
    LM_STATE,
    PLACE,
    PLAIN,
    WHOLE,
    AnyLanguageModel,
    Options,
    Sentence,
)
from campanula.stages.kernels.search.records import (
    CUBE_BACK,
    CUBE_FORTH,
    CUBE_ORIENTATION,
    JUMP,
    LM_STATES,
    Cell,
    Cubes,
    Hypotheses,
)
from campanula.stages.kernels.wide import wide


@njit(cache=True, nogil=True)
def words_log(
    lm: AnyLanguageModel, options: Options, state: int, option: int, model: int
) -> tuple[float, int]:
    """Log probability of an option's words after a state of a model, and the state after them.

    Once the state holds words of the phrase alone, what follows is known beforehand, but for a
    sentence's own models.
    """
    info, lm_word, rest_of, states = options.info, options.lm_word, options.rest, lm.state
    place, length = info[option, PLACE], wide(info[option, LENGTH])
    total = 0.0
    k = 0
    while k < length:
        step, state = lm_step(lm, state, wide(lm_word[place + k, model]))
        total += step
        k += 1
        if len(lm) == WHOLE and states[state, CONTEXT] <= k:
            total += rest_of[place + k, model]
            state = wide(info[option, LM_STATE + model])
            k = length
    return total, state


@njit(cache=True, nogil=True)
def first_log(lm: AnyLanguageModel, options: Options, state: int, option: int) -> float:
    """Log probability of an option's first word after a state of LM0; 0 if it has none."""
    total = 0.0
    info = options.info
    if info[option, LENGTH] > 0:
        total, _ = lm_step(lm, state, wide(options.lm_word[info[option, PLACE], 0]))
    return float(total)


@njit(cache=True, nogil=True, inline="always")
def state_before(node: int, model: int, hypotheses: Hypotheses) -> int:
    """State of a language model at a node."""
    state = wide(hypotheses.nodes.state[node])
    if hypotheses.lm_states.shape[1] > 1:
        state = wide(hypotheses.lm_states[state, model])
    return state


@njit(**LEAN)
def other_models(
    cell: Cell, last: bool, state: int, hypotheses: Hypotheses, sentence: Sentence, own: Floats
) -> float:
    """Weighted log probability of a candidate in LM1, LM2, ..., after the `last` word with the end.

    Writes to own[LM_LOG + 1:] what the arc keeps, and to the free row of lm_states the states after
    the candidate, of which that of LM0 is given.
    """
    options, lm, states = sentence.options, sentence.lm, hypotheses.lm_states
    weight = sentence.settings.lm_weight
    free = hypotheses.size[LM_STATES]
    states[free, 0] = state
    total = 0.0
    for m in range(1, states.shape[1]):
        before = state_before(cell.node, m, hypotheses)
        p, after = words_log(lm, options, before, cell.option, m)
        if last:
            end_log, after = lm_step(lm, after, lm.end[m])
            p += end_log
        states[free, m] = after
        own[LM_LOG + m] = p
        total += weight[m] * p
    return float(total)


@njit(cache=True, nogil=True, inline="always")
def candidate_score(
    cell: Cell, last: bool, cubes: Cubes, hypotheses: Hypotheses, sentence: Sentence, own: Floats
) -> tuple[float, int, int]:
    """Score without sparse features, state of LM0 and class of a candidate.

    After the `last` word the sentence ends, too.  Writes to own[LM_LOG:] what the arc keeps: its
    log probabilities, and its first word's if asked for.  States of several language models are
    left in the free row of hypotheses.lm_states.
    """
    nodes, options, lm = hypotheses.nodes, sentence.options, sentence.lm
    settings = sentence.settings
    node = cell.node
    option = cell.option
    orientation = cubes.info[cell.grid, CUBE_ORIENTATION]
    none = wide(0)
    before = state_before(node, 0, hypotheses)
    p, state = words_log(lm, options, before, option, 0)
    kind = wide(options.info[option, KIND])
    end_log = 0.0
    if last:
        end_log, state = lm_step(lm, state, lm.end[0])
        p += end_log
        state, kind = none, none
    own[LM_LOG] = p
    score = nodes.score[node] + cubes.value[cell.grid, JUMP] + options.score[option, PLAIN]
    score += settings.lm_weight[0] * p + options.score[option, BACKWARD + orientation]
    if settings.split != 0:
        # the end is no block's, so it counts as a first word
        first = end_log + first_log(lm, options, before, option)
        own[own.shape[0] - 1] = first
        score += settings.first_weight * first
    if hypotheses.lm_states.shape[1] > 1:
        score += other_models(cell, last, state, hypotheses, sentence, own)
    if node > 0:
        score += options.score[nodes.option[node], FORWARD + orientation]
    if options.score.shape[1] > H_BACKWARD:
        score += options.score[option, H_BACKWARD + cubes.info[cell.grid, CUBE_BACK]]
        if node > 0:
            forth = cubes.info[cell.grid, CUBE_FORTH]
            score += options.score[nodes.option[node], H_FORWARD + forth]
    return float(score), state, kind
